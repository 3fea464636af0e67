// Before anything is drawn: that scripts run, and the theme that the reader chose.
document.documentElement.classList.add("scripted");
// Where the page stands among others, as a release or as a build, they have a list.
const listOfReports = /\/releases\/[^/]+\/[^/]+\/[^/]*$/.test(location.pathname)
  ? "../../../index.html"
  : /\/report\/build\/[^/]+\/[^/]*$/.test(location.pathname)
    ? "../index.html"
    : "";
if (listOfReports) document.documentElement.classList.add("listed");
document.addEventListener("DOMContentLoaded", () => {
  for (const home of document.querySelectorAll("a.home")) if (listOfReports) home.href = listOfReports;
});
try {
  const theme = localStorage.getItem("theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {}
