"use strict";
// The page says everything without this; it adds colours by choice, the search, and the characters that
// HTML cannot say.
(() => {
  const root = document.documentElement;
  const prompt = document.getElementById("prompt");
  for (const nul of prompt.querySelectorAll("i.nul")) nul.textContent = "\0";

  for (const choice of document.querySelectorAll("input[name=by]")) {
    if (choice.checked) root.dataset.by = choice.value; // a browser restores choices
    choice.addEventListener("change", () => { root.dataset.by = choice.value; });
  }

  const dark = matchMedia("(prefers-color-scheme: dark)");
  document.getElementById("theme").addEventListener("click", () => {
    const now = root.dataset.theme || (dark.matches ? "dark" : "light");
    root.dataset.theme = now === "dark" ? "light" : "dark";
  });

  // Matches are painted over the text: the text itself stays as it is.
  const field = document.getElementById("find");
  const found = document.getElementById("found");
  const most = 10000;
  let nodes, text, folded, fold, ranges = [], at = -1;

  const read = () => {
    nodes = [];
    text = "";
    const walk = document.createTreeWalker(prompt, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      nodes.push({ node: walk.currentNode, start: text.length });
      text += walk.currentNode.data;
    }
    folded = text.toLowerCase();
    fold = folded.length === text.length; // else places would differ
    if (!fold) folded = text;
  };
  const place = (offset) => {
    let low = 0, high = nodes.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (nodes[middle].start <= offset) low = middle; else high = middle - 1;
    }
    return [nodes[low].node, offset - nodes[low].start];
  };
  const range = (start, end) => {
    const made = new Range();
    made.setStart(...place(start));
    const [node, offset] = place(end - 1);
    made.setEnd(node, offset + 1);
    return made;
  };
  const paint = (name, list) => {
    if (!("highlights" in CSS)) return;
    if (list.length) CSS.highlights.set(name, new Highlight(...list)); else CSS.highlights.delete(name);
  };
  const go = (step) => {
    if (!ranges.length) return;
    at = (at + step + ranges.length) % ranges.length;
    const hit = ranges[at];
    paint("now", [hit]);
    if (!("highlights" in CSS)) { getSelection().removeAllRanges(); getSelection().addRange(hit); }
    const box = hit.getBoundingClientRect();
    scrollTo({ top: scrollY + box.top - innerHeight / 3, behavior: "instant" });
    found.textContent = `${at + 1} of ${ranges.length}${ranges.length === most ? "+" : ""}`;
  };
  const search = () => {
    if (!nodes) read();
    const wanted = fold ? field.value.toLowerCase() : field.value;
    ranges = [];
    at = -1;
    for (let from = 0; wanted && ranges.length < most;) {
      const start = folded.indexOf(wanted, from);
      if (start < 0) break;
      from = start + wanted.length;
      ranges.push(range(start, from));
    }
    paint("found", ranges);
    paint("now", []);
    found.textContent = wanted && !ranges.length ? "no match" : "";
    go(1);
  };
  field.addEventListener("input", search);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { event.preventDefault(); go(event.shiftKey ? -1 : 1); }
  });
  document.getElementById("on").addEventListener("click", () => go(1));
  document.getElementById("back").addEventListener("click", () => go(-1));
  addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== field) { event.preventDefault(); field.focus(); }
  });
})();
