// Called by scripts/check-page: BINARY FOLDER.
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { chromium } = require("playwright-core");

const [binary, work] = process.argv.slice(2);
const shots = process.env.PAGE_SHOTS;
const long = Array.from({ length: 10000 }, (_, n) => `${n}: 规则 <i>line</i> & more`).join("\n");
const hostile = [
  "<script>document.title = 'owned'</script></script></pre></q><b>bold</b>",
  "<!-- --><style>*{display:none}</style><img src=x onerror=alert(1)>",
  "&amp; &#65; &lt; \"quoted\" 'single' `tick` {{ CWD }} {% raw %}",
  "one\r\ntwo\rthree\u0000four\u0001five\u000csix\u0085seven\u2028eight\ufeffnine",
  "\t中文规则：不要使用制表符。 👩‍👩‍👧 ﷽ e\u0301",
].join("\n");

const context = (rules, more) => JSON.stringify({
  schema: 1,
  model: { provider: "anthropic", id: "claude-sonnet-4-5", window: 200000 },
  cwd: "/home/ada/<engine>",
  rules,
  ...more,
});
const servers = [{
  name: "tickets",
  tools: [{ name: "search", description: "Find <b>tickets</b>.\n</pre>", input_schema: { type: "object" } }],
}];
const cases = {
  plain: context([], {}),
  hostile: context([{ path: "AGENTS.md", text: hostile }, { path: "a/<b>.md", text: "\n\nx\n" }], {
    mcp_servers: servers,
    flags: ["browser"],
    runtime: { FEEDBACK_ADDRESS: "</span>" },
  }),
  native: context([{ path: "AGENTS.md", text: hostile }], { mcp_servers: servers, flags: ["native_tools"] }),
  long: context([{ path: "AGENTS.md", text: `${hostile}\n${long}` }], {}),
};

(async () => {
  fs.mkdirSync(shots, { recursive: true });
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  let failed = 0;
  const fail = (name, what) => { failed += 1; console.log(`${name}: ${what}`); };
  for (const [name, text] of Object.entries(cases)) {
    const file = path.join(work, `${name}.json`);
    const html = path.join(work, `${name}.html`);
    fs.writeFileSync(file, text);
    const run = (...args) => execFileSync(binary, [...args, "--context", file],
      { stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 28 });
    const wanted = JSON.parse(run("render", "--format", "json").toString("utf8")).text;
    run("explain", "--html", html);

    const page = await browser.newPage({ viewport: { width: 1360, height: 900 } });
    page.on("console", (message) => fail(name, `console ${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => fail(name, `error: ${error.message}`));
    page.on("dialog", (dialog) => { fail(name, "a dialog opened"); dialog.dismiss(); });
    page.on("request", (request) => {
      if (!/^(file|data):/.test(request.url())) fail(name, `a request to ${request.url()}`);
    });
    await page.goto(`file://${html}`);
    const read = () => page.evaluate(() => document.getElementById("prompt").textContent);
    const same = (when, found) => {
      if (found === wanted) return;
      let at = 0;
      while (found[at] === wanted[at]) at += 1;
      fail(name, `${when} the text differs at ${at}: ${JSON.stringify(found.slice(at, at + 40))}`
        + ` is not ${JSON.stringify(wanted.slice(at, at + 40))}`);
    };
    same("at first", await read());
    if (/owned/.test(await page.title())) fail(name, "a script of the rules ran");
    if (!name.startsWith("plain")) {
      await page.keyboard.press("/");
      await page.keyboard.type("THE");
      await page.keyboard.press("Enter");
      const found = await page.textContent("#found");
      if (!/^2 of /.test(found)) fail(name, `the search says "${found}"`);
      same("after a search", await read());
    }
    await page.screenshot({ path: path.join(shots, `${name}-desktop.png`) });
    await page.check("input[value=change]");
    await page.click("#theme");
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: path.join(shots, `${name}-dark.png`) });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.click("#theme");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > 390) fail(name, `on a phone the page is ${wide} pixels wide`);
    await page.screenshot({ path: path.join(shots, `${name}-phone.png`) });
    same("at the end", await read());
    await page.close();
  }
  await browser.close();
  console.log(failed ? `${failed} failures` : `${Object.keys(cases).length} pages read back byte for byte`);
  process.exit(failed ? 1 : 0);
})();
