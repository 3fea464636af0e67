// Contents that follow the reading, and links to copy.
// The page is whole without it: everything it adds is a convenience.

// The page's own letters are unpacked before the first line is drawn: a line that
// breaks elsewhere in a stand-in moves all that follows.
for (const face of document.fonts) face.load();

// What cards and buttons of the page are made of.
const reportParts = (() => {
  /** An element with a text, and a class if it has one. */
  function made(tag, text, name = "") {
    const element = document.createElement(tag);
    element.textContent = text;
    if (name) element.className = name;
    return element;
  }

  /** A button with words on it; what it does is for its maker to say. */
  function button(words) {
    const element = made("button", words);
    element.type = "button";
    return element;
  }

  /** A button that copies a text and says so; ``failed`` where the page may not. */
  function copier(text, failed) {
    const element = button("Copy");
    element.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text);
        element.textContent = "Copied";
      } catch {
        failed(element);
      }
    });
    return element;
  }

  /** A card of the page, which opens beside a place. */
  function card(name) {
    const element = made("div", "", `note-card ${name}`.trim());
    element.popover = "auto";
    element.setAttribute("role", "dialog");
    document.body.append(element);
    const keepInView = () => element.matches(":popover-open") && place(element);
    element.addEventListener("toggle", keepInView, true); // of what unfolds in it
    addEventListener("resize", keepInView);
    return element;
  }

  const EDGE = 8; // between a card, its place and the window, in pixels
  const LOW = 320; // height that a card has in any window that has it
  const places = new WeakMap();

  /** A card is below its place, or above it where there is more room; what it has no room
   * for scrolls inside it. */
  function place(card) {
    const at = places.get(card);
    const below = innerHeight - at.bottom - 2 * EDGE;
    const above = at.top - 2 * EDGE;
    const room = Math.min(Math.max(below, above, LOW), innerHeight - 2 * EDGE);
    card.style.maxHeight = `${room}px`;
    const high = card.offsetHeight;
    const top = high <= below || below >= above ? at.bottom + EDGE : at.top - high - EDGE;
    card.style.top = `${Math.max(EDGE, Math.min(top, innerHeight - high - EDGE))}px`;
    const left = Math.min(at.left, document.documentElement.clientWidth - card.offsetWidth - 16);
    card.style.left = `${Math.max(16, left)}px`;
  }

  /** Opens a card beside an element, within the window. */
  function openBeside(element, card) {
    places.set(card, element.getBoundingClientRect());
    card.showPopover();
    place(card);
    card.scrollTop = 0;
  }

  return { made, button, copier, card, openBeside };
})();

(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];

  const chapterOf = item => item.parentElement.closest("li");

  function unfold(item, open) {
    item.classList.toggle("open", open);
    const button = item.querySelector(":scope > .twist");
    if (button) button.setAttribute("aria-expanded", String(open));
  }

  /** A button before each entry that has entries below it. */
  function addTwists(contents) {
    for (const item of all("li:has(> ul)", contents)) {
      const button = reportParts.button("");
      button.className = "twist";
      button.tabIndex = -1;
      button.setAttribute("aria-expanded", "false");
      button.setAttribute("aria-label", `Sections of ${item.firstElementChild.textContent}`);
      item.prepend(button);
    }
  }

  function keepInView(contents, link) {
    if (contents.scrollHeight <= contents.clientHeight) return;
    const above = link.getBoundingClientRect().top - contents.getBoundingClientRect().top;
    const shown = above > 40 && above < contents.clientHeight - 80;
    if (!shown) contents.scrollTop += above - contents.clientHeight / 3;
  }

  /** One entry is a stop of the Tab key; arrows lead to the others. */
  function stopAt(contents, link) {
    for (const old of all("a[tabindex='0']", contents)) old.tabIndex = -1;
    link.tabIndex = 0;
  }

  function goTo(contents, link) {
    if (!link) return;
    stopAt(contents, link);
    link.focus();
  }

  /** Up and down go through the entries that are shown, right and left unfold and fold. */
  function moveByArrows(contents, event) {
    const link = event.target.closest("a");
    if (!link) return;
    const item = link.parentElement;
    const shown = all("a", contents).filter(one => one.getClientRects().length);
    const at = shown.indexOf(link);
    const folds = item.querySelector(":scope > ul");
    const open = item.classList.contains("open");
    const to = { ArrowDown: shown[at + 1], ArrowUp: shown[at - 1], Home: shown[0], End: shown.at(-1) };
    if (event.key in to) goTo(contents, to[event.key]);
    else if (event.key === "ArrowRight" && folds) unfold(item, item.classList.toggle("kept", true));
    else if (event.key === "ArrowLeft" && folds && open) unfold(item, item.classList.toggle("kept", false));
    else if (event.key === "ArrowLeft") goTo(contents, chapterOf(item)?.querySelector(":scope > a"));
    else return;
    event.preventDefault();
  }

  /** Mark the entry of what is read now, and open the chapters that it is in. */
  function mark(contents, link) {
    for (const old of all("[aria-current]", contents)) old.removeAttribute("aria-current");
    for (const item of all(".open:not(.kept)", contents)) unfold(item, false);
    link.setAttribute("aria-current", "true");
    if (!contents.contains(document.activeElement)) stopAt(contents, link);
    for (let item = link.closest("li"); item; item = chapterOf(item)) unfold(item, true);
    keepInView(contents, link);
  }

  /** Headings above a line near the top are passed; the last of them is read now. */
  function follow(contents) {
    const links = new Map(all("a", contents).map(a => [decodeURIComponent(a.hash.slice(1)), a]));
    const heads = [...links.keys()].map(id => document.getElementById(id)).filter(Boolean);
    const passed = new Set();
    let now = null;
    const observer = new IntersectionObserver(
      changes => {
        for (const { target, isIntersecting } of changes)
          isIntersecting ? passed.add(target) : passed.delete(target);
        const head = heads.findLast(head => passed.has(head)) || heads[0];
        if (head !== now) mark(contents, links.get(head.id));
        now = head;
      },
      { root: document, rootMargin: "1000000px 0px -80% 0px" },
    );
    for (const head of heads) observer.observe(head);
  }

  function readContents(contents) {
    addTwists(contents);
    for (const link of all("a", contents)) link.tabIndex = -1;
    stopAt(contents, contents.querySelector("a"));
    contents.addEventListener("keydown", event => moveByArrows(contents, event));
    follow(contents);
    contents.addEventListener("click", event => {
      const item = event.target.closest("li");
      if (event.target.closest(".twist")) {
        unfold(item, item.classList.toggle("kept", !item.classList.contains("open")));
      } else if (event.target.closest("a") && contents.matches(":popover-open")) {
        contents.hidePopover();
      }
    });
    contents.addEventListener("toggle", () => {
      const current = contents.querySelector("[aria-current]");
      if (current) keepInView(contents, current);
    });
  }

  /** A link to itself, to be copied and cited. */
  function anchorTo(id) {
    const link = document.createElement("a");
    link.className = "anchor";
    link.href = `#${id}`;
    link.setAttribute("aria-label", "Link and citation");
    return link;
  }

  /** One behind each heading and table, which a reader of its words leaves out, and in each
   * caption of a figure. A table has rows and no links. */
  function addAnchors(text) {
    for (const head of all(":is(h2, h3, h4, h5)[id]", text))
      if (!head.nextElementSibling?.matches(".anchor")) head.after(anchorTo(head.id));
    for (const caption of all("[id] > figcaption", text))
      if (!caption.querySelector(".anchor")) caption.append(anchorTo(caption.parentElement.id));
    for (const { parentElement: table } of all("table[id] > caption", text)) {
      const box = table.closest(".table-scroll") || table;
      if (!box.nextElementSibling?.matches(".anchor")) box.after(anchorTo(table.id));
    }
  }

  /** What scrolls inside itself can be reached by keyboard. All is read, then written. */
  function letScroll(boxes = all(".table-scroll, main pre")) {
    const wide = boxes.map(box => box.scrollWidth > box.clientWidth);
    boxes.forEach((box, at) => {
      if (wide[at]) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    });
  }

  // To ask how wide things are lays the whole page out: the reader comes first.
  const whenIdle = globalThis.requestIdleCallback || setTimeout;

  function prepare() {
    const text = document.getElementById("text");
    if (text) addAnchors(text);
    whenIdle(() => letScroll());
  }

  function start() {
    const contents = document.getElementById("contents");
    if (contents) readContents(contents);
    prepare();
  }

  document.addEventListener("DOMContentLoaded", start);
  document.addEventListener("changed", prepare);
  addEventListener("resize", () => letScroll(), { passive: true });
  // A table far from the eye has no width until it comes near.
  document.addEventListener(
    "contentvisibilityautostatechange",
    event => {
      if (!event.skipped && event.target.matches(".table-scroll")) letScroll([event.target]);
    },
    true,
  );
})();
