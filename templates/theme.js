// Before anything is drawn: that scripts run, and the theme that the reader chose, which a
// button of the page switches.
(() => {
  const root = document.documentElement;
  root.classList.add("scripted");
  // Where the page stands among others, as a release or as a build, they have a list.
  const list = /\/releases\/[^/]+\/[^/]+\/[^/]*$/.test(location.pathname)
    ? "../../../index.html"
    : /\/report\/build\/[^/]+\/[^/]*$/.test(location.pathname)
      ? "../index.html"
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
