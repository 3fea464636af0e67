// What stands behind a number, a claim or a term, shown beside it: its facts or its
// meaning. Numbers and terms are links into the page; here they open a card first.
const reportNotes = (() => {
  const { made } = reportParts;
  /** @param {ParentNode} from */
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const NOTED = "a.value, a.term, .claimed, rect[data-keys]";
  const LEADS = "Show where it comes from";
  const HOVER_MS = 350;
  const MARK_MS = 80;
  let card = null;
  let shown = null;
  let asked = false;
  let placed = 0;
  let timer = 0;
  let cards = null;

  function copyInto(item, from) {
    item.innerHTML = from.innerHTML;
    for (const element of all("[id]", item)) element.removeAttribute("id");
    for (const anchor of all(".anchor", item)) anchor.remove();
    return item;
  }

  /** What the page knows of its bound numbers; read when the first is asked for. */
  function known() {
    if (cards) return cards;
    const data = document.getElementById("cards");
    cards = data ? JSON.parse(data.textContent) : { facts: {} };
    for (const fact of Object.values(cards.facts))
      for (const id of ["rule", "timed"]) if (id in fact) fact[id] = cards.texts[fact[id]];
    return cards;
  }

  const RELEASE = /\/releases\/[^/]+\/[^/]+\/[^/]*$/;

  const encoded = path => path.split("/").map(encodeURIComponent).join("/");
  const excerptOf = file => `${known().excerpts}#${encoded(file)}`;

  /** A raw file by its name, which leads to it where the page lies in a release that
   * carries it, or else to what was read of it, where that is shown. */
  function rawFile(number) {
    const { raw, excerpts, unread, names } = known();
    const name = names[number];
    const carried = raw && RELEASE.test(location.pathname);
    const shown = excerpts && !unread.includes(number);
    if (!name.includes("/") || !(carried || shown)) return made("li", name);
    const item = document.createElement("li");
    const link = made("a", name);
    link.href = carried ? `raw/${encoded(name)}` : excerptOf(name);
    if (carried) link.download = "";
    item.append(link);
    return item;
  }

  function files(numbers) {
    const fold = document.createElement("details");
    const list = document.createElement("ul");
    list.append(...numbers.map(rawFile));
    fold.append(made("summary", `${numbers.length} raw ${numbers.length === 1 ? "file" : "files"}`), list);
    return fold;
  }

  const SVG = "http://www.w3.org/2000/svg";
  const [WIDE, HIGH, DOT] = [200, 12, 3];

  function drawn(name, values) {
    const element = document.createElementNS(SVG, name);
    for (const [id, value] of Object.entries(values)) element.setAttribute(id, String(value));
    return element;
  }

  /** Runs as dots, and a bar at their value; the words beside them say the same. */
  function dots(row, low, high) {
    const svg = drawn("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "card-dots", "aria-hidden": "true" });
    const x = value => DOT + ((value - low) / (high - low || 1)) * (WIDE - 2 * DOT);
    svg.append(...row.runs.map(run => drawn("circle", { cx: x(run), cy: HIGH / 2, r: DOT })));
    svg.append(drawn("rect", { x: x(row.at) - 1, y: 0, width: 2, height: HIGH }));
    return svg;
  }

  /** The runs of a fact, a row a side on one scale, and where the first was read. */
  function runsOf(fact) {
    const rows = fact.rows.map(at => known().rows[at]);
    const all = rows.flatMap(row => (row.runs ? [...row.runs, row.at] : []));
    const box = made("div", "", "card-runs");
    for (const row of rows) {
      const leads = row.leads.map(([file, at, inLines]) => {
        const name = known().names[file];
        const link = made("a", `${name.split("/").at(-1)}, ${inLines ? "line" : "byte"} ${at}`);
        link.href = `${excerptOf(name)}:${at}`;
        return link;
      });
      box.append(made("b", row.name));
      if (row.runs) box.append(dots(row, Math.min(...all), Math.max(...all)));
      box.append(made("p", row.words));
      if (!leads.length) continue;
      const line = made("p", "First run: ", "card-leads");
      line.append(...leads.flatMap(link => [link, " · "]).slice(0, -1));
      box.append(line);
    }
    return box;
  }

  function citeButton(fact) {
    const button = reportParts.button("Cite");
    const of = [fact.name, fact.between].filter(Boolean).join(", ");
    button.dataset.cite = `${of}: ${fact.printed}`;
    button.dataset.at = `facts.html#${fact.at}`;
    return button;
  }

  const ROWS = [
    ["interval", "Interval"],
    ["verdict", "Verdict"],
    ["why", "Why"],
    ["p", "p"],
    ["detectable", "Shows, with 80% power"],
    ["exaggerated", "Size"],
    ["n", "n"],
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
    if (!fact) return null;
    const box = made("div", "", "card-fact");
    const large = made("p", fact.sides || fact.printed, "card-large");
    if (fact.sides) large.append(" ", made("b", fact.printed));
    const copy = reportParts.copier(fact.exact, button => {
      button.textContent = fact.exact;
    });
    copy.title = `Copy ${fact.exact}`;
    if (alone) large.append(copy, citeButton(fact));
    const list = document.createElement("dl");
    for (const [id, words] of ROWS) if (fact[id]) list.append(made("dt", words), made("dd", fact[id]));
    const between = fact.between ? [made("p", fact.between, "card-between")] : [];
    box.append(made("p", fact.name, "card-name"), ...between, large);
    if (!alone) {
      const known = [fact.interval, fact.n && `n = ${fact.n}`, fact.verdict, fact.origin].filter(Boolean);
      box.append(made("p", known.join(" · "), "card-between"));
      return box;
    }
    const command = `python -m analysis reproduce $RELEASE ${key}`;
    list.append(made("dt", "Reproduce"), made("dd", command, "card-command"));
    box.append(runsOf(fact), list);
    const numbers = known().files[fact.files] || [];
    if (numbers.length) box.append(files(numbers));
    return box;
  }

  /** What stands behind a number or a mark; of a mark that is passed by, in short. */
  function factNote(value, focus) {
    const keys = value.dataset.keys.split(" ");
    const whole = focus || value.matches("a");
    const parts = keys.map(key => factCard(key, whole)).filter(Boolean);
    const at = known().facts[keys[0]]?.at;
    return [parts, LEADS, value.getAttribute("href") || `facts.html#${at}`];
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
      const box = made("div", "", "card-fact");
      const list = document.createElement("dl");
      for (const [id, name] of [
        ["state", "Verdict"],
        ["data", "The data say"],
        ["demanded", "It demands"],
      ])
        list.append(made("dt", name), made("dd", claim[id]));
      box.append(made("p", `Claim: ${claim.claim}`, "card-name"), list);
      parts.push(box, ...claim.keys.map(key => factCard(key, false)).filter(Boolean));
    }
    return [parts, LEADS, `facts.html#${at}`];
  }

  function termNote(link) {
    const term = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    const about = term?.closest("dt")?.nextElementSibling;
    const leads = ["Show in the glossary", link.getAttribute("href")];
    if (!about) return [[], ...leads];
    const name = made("p", term.textContent, "card-name");
    return [[name, copyInto(document.createElement("div"), about)], ...leads];
  }

  function open(link, focus) {
    const note = link.matches(".term") ? termNote : link.matches(".claimed") ? claimNote : factNote;
    const [parts, leads, href] = note(link, focus);
    if (!parts.length) return;
    const more = made("a", leads);
    more.href = href;
    more.addEventListener("click", () => card.hidePopover());
    card.replaceChildren(...parts, more);
    card.setAttribute("aria-label", link.textContent || parts[0].textContent);
    reportParts.openBeside(link, card);
    placed = link.getBoundingClientRect().top;
    shown = link;
    asked = focus;
    if (focus) more.focus({ preventScroll: true });
  }

  function makeCard() {
    card = reportParts.card("");
    card.addEventListener("focusin", () => {
      asked = true; // who uses it wants it
    });
    card.addEventListener("toggle", event => {
      if (event.newState === "closed" && card.contains(document.activeElement)) shown.focus();
    });
  }

  const isOpen = () => card.matches(":popover-open");

  function openByClick(event) {
    const link = event.target.closest(NOTED);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    clearTimeout(timer);
    open(link, true);
  }

  /** A card that a mouse opened by passing goes when its link moves away; one that was
   * asked for stays. The last event of a scrolling that has ended moves nothing. */
  function hideByScroll() {
    if (asked || !isOpen() || card.matches(":hover")) return;
    if (Math.abs(shown.getBoundingClientRect().top - placed) > 1) card.hidePopover();
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
    const wait = link?.matches("rect") ? MARK_MS : HOVER_MS;
    if (asked && isOpen()) return;
    clearTimeout(timer);
    if (link && !(isOpen() && link === shown)) timer = setTimeout(() => open(link, false), wait);
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

  return { start, open, fact: key => known().facts[key] };
})();
document.addEventListener("DOMContentLoaded", reportNotes.start);
