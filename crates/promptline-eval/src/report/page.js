const cases = [...document.querySelectorAll(".case")];
const search = document.getElementById("search");
const failing = document.getElementById("failing");
const refused = document.getElementById("refused");
const show = () => {
  const text = search.value.toLowerCase();
  let shown = 0;
  for (const one of cases) {
    const visible = (!text || one.textContent.toLowerCase().includes(text))
      && (!failing.checked || one.dataset.status !== "pass")
      && (!refused.checked || one.dataset.refused === "true");
    one.hidden = !visible;
    shown += visible;
  }
  document.getElementById("shown").textContent = `${shown} of ${cases.length}`;
};
for (const input of [search, failing, refused]) input.addEventListener("input", show);
