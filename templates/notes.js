// What stands behind a number, a claim or a term, shown beside it: its facts or its
// meaning. Numbers and terms are links into the page; here they open a card first.
(() => {
  const root = document.documentElement;
  /** @param {ParentNode} from */
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const NOTED = "a.value, a.term, .claimed";
  const LEADS = "Show where it comes from";
  const HOVER_MS = 350;
  let card = null;
  let shown = null;
  let placed = 0;
  let timer = 0;
  let cards = null;

  function copyInto(item, from) {
    item.innerHTML = from.innerHTML;
    for (const element of all("[id]", item)) element.removeAttribute("id");
    for (const anchor of all(".anchor", item)) anchor.remove();
    return item;
  }

  function textItem(tag, text) {
    const item = document.createElement(tag);
    item.textContent = text;
    return item;
  }

  /** The row of a fact's table as a list of its columns, without the facts beside it,
   * and with what the caption tells, such as "In all rows: n 5, origin measured." */
  function factList(key) {
    const fact = document.getElementById("fact-" + key.replaceAll(".", "-"));
    const row = fact?.closest("tr");
    if (!row) return null;
    const table = row.closest("table");
    const list = document.createElement("dl");
    all("thead th", table).forEach((head, column) => {
      const cell = row.cells[column];
      if (cell.querySelector("[id^='fact-']") && !cell.contains(fact)) return;
      list.append(copyInto(document.createElement("dt"), head));
      list.append(copyInto(document.createElement("dd"), cell));
    });
    const told = table.querySelector(".in-all-rows")?.textContent.match(/^(.*?): (.*?)\.?$/s);
    if (told) list.append(textItem("dt", told[1]), textItem("dd", told[2]));
    return list;
  }

  /** What the page knows of its bound numbers; read when the first is asked for. */
  function known() {
    const data = document.getElementById("cards");
    cards ??= data ? JSON.parse(data.textContent) : { facts: {}, files: [] };
    return cards;
  }

  const RELEASE = /\/releases\/[^/]+\/[^/]+\/[^/]*$/;

  /** A raw file by its name, which leads to it where the page lies in a release that
   * carries it; a build at its author's has no copies. */
  function rawFile(name) {
    if (!known().raw || !name.includes("/") || !RELEASE.test(location.pathname)) return textItem("li", name);
    const item = document.createElement("li");
    const link = textItem("a", name);
    link.href = ["raw", ...name.split("/")].map(encodeURIComponent).join("/");
    link.download = "";
    item.append(link);
    return item;
  }

  function files(names) {
    const fold = document.createElement("details");
    const list = document.createElement("ul");
    list.append(...names.map(rawFile));
    fold.append(textItem("summary", `${names.length} raw ${names.length === 1 ? "file" : "files"}`), list);
    return fold;
  }

  function copyButton(text) {
    const button = textItem("button", "Copy");
    button.type = "button";
    button.title = `Copy ${text}`;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch {
        button.textContent = text;
      }
    });
    return button;
  }

  function citeButton(fact) {
    const button = textItem("button", "Cite");
    button.type = "button";
    const of = [fact.name, fact.between].filter(Boolean).join(", ");
    button.dataset.cite = `${of}: ${fact.printed}`;
    button.dataset.at = `facts.html#${fact.at}`;
    return button;
  }

  const ROWS = [
    ["interval", "Interval"],
    ["verdict", "Verdict"],
    ["origin", "Origin"],
    ["resolution", "Resolution"],
    ["rule", "Formula"],
    ["timed", "Rate over"],
    ["runs", "Runs"],
  ];

  /** The card of one fact: what was, what is, and, where it stands alone, what it is
   * made from. */
  function factCard(key, alone = true) {
    const fact = known().facts[key];
    if (!fact) return factList(key);
    const box = document.createElement("div");
    box.className = "card-fact";
    const large = textItem("p", fact.sides || fact.printed);
    large.className = "card-large";
    if (fact.sides) large.append(" ", textItem("b", fact.printed));
    large.append(copyButton(fact.exact), citeButton(fact));
    const name = textItem("p", fact.name);
    name.className = "card-name";
    const between = textItem("p", fact.between || "");
    between.className = "card-between";
    const list = document.createElement("dl");
    for (const [id, words] of ROWS)
      if (fact[id]) list.append(textItem("dt", words), textItem("dd", fact[id]));
    box.append(name, ...(fact.between ? [between] : []), large);
    if (!alone) return box;
    box.append(list);
    const names = known().files[fact.files] || [];
    if (names.length) box.append(files(names));
    return box;
  }

  function factNote(value) {
    const parts = value.dataset.keys
      .split(" ")
      .map(key => factCard(key))
      .filter(Boolean);
    return [parts, LEADS, value.getAttribute("href")];
  }

  /** The claims of a sentence: what each says, what the data say, and its facts. */
  function claimNote(span) {
    const before = head => head.compareDocumentPosition(span) & Node.DOCUMENT_POSITION_FOLLOWING;
    const study = span.dataset.study || all(".study[id]").findLast(before)?.id.slice("sec-".length);
    const parts = [];
    let at = "";
    for (const words of span.dataset.claim.split(";").map(one => one.trim().replace(/\s+/g, " "))) {
      const claim = known().claims?.[`${study}: ${words}`];
      if (!claim) continue;
      at ||= known().facts[claim.keys[0]]?.at;
      const box = document.createElement("div");
      const list = document.createElement("dl");
      box.className = "card-fact";
      for (const [id, name] of [
        ["state", "Verdict"],
        ["data", "The data say"],
        ["demanded", "It demands"],
      ])
        list.append(textItem("dt", name), textItem("dd", claim[id]));
      const name = textItem("p", `Claim: ${claim.claim}`);
      name.className = "card-name";
      box.append(name, list);
      parts.push(box, ...claim.keys.map(key => factCard(key, false)).filter(Boolean));
    }
    return [parts, LEADS, `facts.html#${at}`];
  }

  function termNote(link) {
    const term = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    const about = term?.closest("dt")?.nextElementSibling;
    const leads = ["Show in the glossary", link.getAttribute("href")];
    if (!about) return [[], ...leads];
    const name = document.createElement("p");
    name.className = "card-name";
    name.textContent = term.textContent;
    return [[name, copyInto(document.createElement("div"), about)], ...leads];
  }

  function place(link) {
    const at = link.getBoundingClientRect();
    placed = at.top;
    const fits = innerHeight - at.bottom > card.offsetHeight + 16;
    const top = fits ? at.bottom + 8 : Math.max(8, at.top - card.offsetHeight - 8);
    const left = Math.min(at.left, root.clientWidth - card.offsetWidth - 16);
    card.style.top = `${top}px`;
    card.style.left = `${Math.max(16, left)}px`;
  }

  function open(link, focus) {
    const note = link.matches(".term") ? termNote : link.matches(".claimed") ? claimNote : factNote;
    const [parts, leads, href] = note(link);
    const more = document.createElement("a");
    more.href = href;
    more.textContent = leads;
    more.addEventListener("click", () => card.hidePopover());
    card.replaceChildren(...parts, more);
    card.setAttribute("aria-label", link.textContent);
    card.showPopover();
    place(link);
    shown = link;
    if (focus) more.focus({ preventScroll: true });
  }

  function makeCard() {
    card = document.createElement("div");
    card.className = "note-card";
    card.popover = "auto";
    card.setAttribute("role", "dialog");
    card.addEventListener("toggle", event => {
      if (event.newState === "closed" && card.contains(document.activeElement)) shown.focus();
    });
    document.body.append(card);
  }

  const isOpen = () => card.matches(":popover-open");

  function openByClick(event) {
    const link = event.target.closest(NOTED);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    clearTimeout(timer);
    open(link, true);
  }

  /** The card goes when its link moves away; the last event of a scrolling that has
   * ended may come after the click and moves nothing. */
  function hideByScroll() {
    if (isOpen() && Math.abs(shown.getBoundingClientRect().top - placed) > 1) card.hidePopover();
  }

  function hideLater() {
    timer = setTimeout(() => {
      if (isOpen()) card.hidePopover();
    }, HOVER_MS);
  }

  /** A mouse that rests on a link opens its card, and closes it by leaving both. */
  function followMouse(event) {
    if (event.pointerType !== "mouse") return;
    const link = event.target.closest(NOTED);
    if (card.contains(document.activeElement)) return;
    clearTimeout(timer);
    if (link && !(isOpen() && link === shown)) timer = setTimeout(() => open(link, false), HOVER_MS);
    else if (!link && isOpen() && !card.contains(event.target)) hideLater();
  }

  function prepare() {
    for (const link of all("a.value, a.term")) link.setAttribute("aria-haspopup", "dialog");
    for (const span of all(".claimed[title]")) {
      span.removeAttribute("title");
      span.tabIndex = 0;
    }
  }

  function openByKey(event) {
    if (event.key === "Enter" && event.target.matches(".claimed")) open(event.target, true);
  }

  function start() {
    if (!HTMLElement.prototype.showPopover) return;
    makeCard();
    prepare();
    document.addEventListener("click", openByClick);
    document.addEventListener("keydown", openByKey);
    document.addEventListener("pointerover", followMouse);
    document.addEventListener("changed", prepare);
    addEventListener("scroll", hideByScroll, { passive: true });
  }

  document.addEventListener("DOMContentLoaded", start);
})();
