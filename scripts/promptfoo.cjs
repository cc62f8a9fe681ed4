// Called by scripts/promptfoo: FOLDER. Writes a suite of 100 cases with hostile questions, and a model.
const fs = require("node:fs");
const path = require("node:path");

const folder = process.argv[2];
const answers = [
  "满99元包邮，七天内可退货。", "Hello, World! {{q}} {% raw %}", "{\"a\": 1, \"b\": [1, 2]}", "fn() { return 1; }",
  "I'm sorry, I cannot help with that.", "抱歉，我无法回答。", "<p>one</p><p>two</p>", "<a><b>1</b></a>", "", "one two three four",
];
const questions = ["{{ env.PATH }}", "{% if x %}", "{# note #}", "SEARCH\n=======\nREPLACE", "---", "\"quoted\" 'single' \\n", "满多少包邮？"];
const kinds = [
  { type: "contains", value: "包邮" }, { type: "icontains", value: "HELLO" }, { type: "not-contains", value: "<script>" },
  { type: "regex", value: "^\\{" }, { type: "is-json" }, { type: "contains-json" }, { type: "is-xml" }, { type: "contains-html" },
  { type: "word-count", value: { min: 2, max: 4 } }, { type: "is-refusal" }, { type: "levenshtein", value: "one two three", threshold: 6 },
  { type: "contains-any", value: ["满99", "two"] }, { type: "starts-with", value: "fn" }, { type: "equals", value: "one two three four" },
  { type: "rouge-n", value: "one two three", threshold: 0.5 },
];
const cases = Array.from({ length: 100 }, (_, n) => ({
  id: `case-${n}`,
  query: `${n}: ${questions[n % questions.length]}`,
  assert: Array.from({ length: 5 }, (_, k) => kinds[(n * 3 + k) % kinds.length]),
}));
const suite = {
  suite: "hostile", compat: "promptfoo", cases,
  prompt: { text: "Rules: {% raw %}x{% endraw %} {# c #} <b>&\"\n---\n满99包邮" },
};
fs.writeFileSync(path.join(folder, "suite.json"), JSON.stringify(suite));
fs.writeFileSync(path.join(folder, "model.cjs"), `#!/usr/bin/env node
const answers = ${JSON.stringify(answers)};
const request = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const n = parseInt(request.messages.at(-1).text, 10);
process.stdout.write(JSON.stringify({ text: answers[n % answers.length] }));
`, { mode: 0o755 });
