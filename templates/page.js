// Contents that follow the reading, facts behind numbers, and the theme switch.
// The page is whole without it: numbers are links, contents are open.
(() => {
  const root = document.documentElement;
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];

  function themeSwitch(button) {
    const dark = () =>
      (root.dataset.theme ||
        (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    const say = () => {
      button.textContent = dark() ? "Light" : "Dark";
      button.setAttribute("aria-label", `Switch to ${dark() ? "light" : "dark"} theme`);
    };
    button.hidden = false;
    button.addEventListener("click", () => {
      root.dataset.theme = dark() ? "light" : "dark";
      try { localStorage.setItem("theme", root.dataset.theme); } catch {}
      say();
    });
    say();
  }

  function follow(contents) {
    const links = new Map(all("a", contents).map(a => [decodeURIComponent(a.hash.slice(1)), a]));
    const heads = [...links.keys()].map(id => document.getElementById(id)).filter(Boolean);
    let now = null;
    const mark = () => {
      const passed = heads.filter(head => head.getBoundingClientRect().top < 120);
      const link = links.get((passed.at(-1) || heads[0]).id);
      if (link === now) return;
      all("[aria-current]", contents).forEach(a => a.removeAttribute("aria-current"));
      all(".open", contents).forEach(item => item.classList.remove("open"));
      link.setAttribute("aria-current", "true");
      for (let item = link.closest("li"); item; item = item.parentElement.closest("li"))
        item.classList.add("open");
      if (contents.scrollHeight > contents.clientHeight)
        contents.scrollTop = link.offsetTop - contents.clientHeight / 2;
      now = link;
    };
    let asked = false;
    const later = () => {
      if (asked) return;
      asked = true;
      requestAnimationFrame(() => { asked = false; mark(); });
    };
    contents.classList.add("follows");
    contents.addEventListener("click", event => {
      if (event.target.closest("a") && contents.matches(":popover-open")) contents.hidePopover();
    });
    addEventListener("scroll", later, { passive: true });
    addEventListener("resize", later, { passive: true });
    mark();
  }

  const anchor = key => "fact-" + key.replaceAll(".", "-");

  function details(key) {
    const row = document.getElementById(anchor(key))?.closest("tr");
    if (!row) return null;
    const list = document.createElement("dl");
    all("thead th", row.closest("table")).forEach((head, column) => {
      for (const [tag, from] of [["dt", head], ["dd", row.cells[column]]]) {
        const item = document.createElement(tag);
        item.innerHTML = from.innerHTML;
        all("[id]", item).forEach(element => element.removeAttribute("id"));
        list.append(item);
      }
    });
    return list;
  }

  function facts() {
    const card = document.createElement("div");
    card.className = "fact";
    card.popover = "auto";
    document.body.append(card);
    const open = value => {
      const lists = value.dataset.keys.split(" ").map(details).filter(Boolean);
      const more = document.createElement("a");
      more.href = value.hash;
      more.textContent = "Show where it comes from";
      more.addEventListener("click", () => card.hidePopover());
      card.replaceChildren(...lists, more);
      card.showPopover();
      const at = value.getBoundingClientRect();
      const room = innerHeight - at.bottom > card.offsetHeight + 16;
      card.style.top = `${room ? at.bottom + 8 : Math.max(8, at.top - card.offsetHeight - 8)}px`;
      card.style.left =
        `${Math.max(16, Math.min(at.left, root.clientWidth - card.offsetWidth - 16))}px`;
      more.focus({ preventScroll: true });
      card.addEventListener("toggle", event => {
        if (event.newState === "closed" && card.contains(document.activeElement)) value.focus();
      }, { once: true });
    };
    document.addEventListener("click", event => {
      const value = event.target.closest("a.value");
      if (!value || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      open(value);
    });
    addEventListener("scroll", () => card.matches(":popover-open") && card.hidePopover(),
      { passive: true });
  }

  const button = document.getElementById("theme");
  const contents = document.getElementById("contents");
  const values = all("a.value");
  if (button) themeSwitch(button);
  if (contents) follow(contents);
  for (const value of values) value.setAttribute("aria-haspopup", "dialog");
  if (values.length && HTMLElement.prototype.showPopover) facts();
  for (const box of all(".table-scroll"))
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
})();
