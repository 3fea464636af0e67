// Before anything is drawn: that scripts run, and the theme that the reader chose, which a
// button of the page switches.
(() => {
  const root = document.documentElement;
  root.classList.add("scripted");
  // A release and a build have a list of all above them, wherever their folders lie. A page
  // may not look whether it is there: the folder has the edition's name where it is.
  const edition = document.querySelector("meta[name=edition]")?.content;
  const [folder, above, over] = location.pathname.split("/").slice(0, -1).reverse();
  const list =
    edition && folder === edition
      ? "../index.html"
      : edition && above === edition && over === "releases"
        ? "../../../index.html"
        : "";
  if (list) root.classList.add("listed");
  try {
    const theme = localStorage.getItem("theme");
    if (theme) root.dataset.theme = theme;
  } catch {}

  const isDark = () =>
    (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) ===
    "dark";

  function say(button) {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} theme`);
  }

  document.addEventListener("DOMContentLoaded", () => {
    for (const home of document.querySelectorAll("a.home")) if (list) home.href = list;
    const button = document.getElementById("theme");
    if (button) say(button);
  });
  document.addEventListener("click", event => {
    const button = event.target.closest("#theme");
    if (!button) return;
    root.dataset.theme = isDark() ? "light" : "dark";
    try {
      localStorage.setItem("theme", root.dataset.theme);
    } catch {}
    say(button);
  });
})();
