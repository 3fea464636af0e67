// Before anything is drawn: that scripts run, and the theme that the reader chose.
document.documentElement.classList.add("scripted");
try {
  const theme = localStorage.getItem("theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {}
