"use strict";
{
  const root = document.documentElement;
  const theme = document.getElementById("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const label = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
  theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; label(); });
  dark.addEventListener("change", label);
  label();
  theme.hidden = false;

  const copy = document.getElementById("copy");
  if (copy) {
    const advice = document.getElementById("advice");
    copy.addEventListener("click", async () => {
      getSelection().selectAllChildren(advice); // if the clipboard is not accessible, the user only has to press Ctrl+C
      try {
        await navigator.clipboard.writeText(advice.textContent);
        copy.textContent = "Copied";
      } catch {
        copy.textContent = "Selected";
      }
    });
    copy.hidden = false;
  }

  const tip = document.body.appendChild(document.createElement("div"));
  tip.id = "tip";
  tip.hidden = true;
  const show = event => {
    const target = event.target.closest?.("[data-tip]");
    tip.hidden = !target;
    if (target) {
      tip.textContent = target.dataset.tip;
      const box = target.getBoundingClientRect();
      const left = Math.min(Math.max(event.clientX - tip.offsetWidth / 2, 8), root.clientWidth - tip.offsetWidth - 8);
      const above = box.top - tip.offsetHeight - 8;
      tip.style.left = `${left + scrollX}px`;
      tip.style.top = `${(above > 0 ? above : box.bottom + 8) + scrollY}px`;
    }
  };
  for (const kind of ["pointerover", "pointerdown"]) {
    document.addEventListener(kind, show);
  }
}
