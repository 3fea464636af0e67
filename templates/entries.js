// What search looks through, made from the page itself: sections, figures, tables, terms.
// biome-ignore lint/correctness/noUnusedVariables: other scripts of the page use it
const reportEntries = (() => {
  let entries = null;

  const plain = text => text.replace(/\s+/g, " ").trim();
  // As long as the text itself, so that places in one are places in the other.
  const { fold } = reportWords;

  function textOf(element) {
    if (element.matches("tr")) return [...element.cells].map(cell => plain(cell.textContent)).join(" · ");
    return plain(element.textContent);
  }

  function titleOf(element) {
    const copy = element.cloneNode(true);
    copy.querySelector(".anchor")?.remove();
    return plain(copy.textContent);
  }

  function entry(kind, element, title, path, parts) {
    const blocks = parts.map(part => ({ element: part, text: textOf(part) }));
    return { kind, element, title, path, blocks, finding: null, folded: null, place: 1 };
  }

  function foldEntry(found) {
    // Which way is better is no answer to who asks what is lower.
    found.folded = fold(found.title).replace(/(lower|higher) is better/g, same => " ".repeat(same.length));
    for (const block of found.blocks) block.folded = fold(block.text);
    found.whole = [found.folded, fold(found.path), ...found.blocks.map(block => block.folded)].join("\n");
  }

  /** Studies come before their parts, these before what is round them, then tables of all studies, appendices last. */
  function placeOf({ kind, path, title, finding }, studies) {
    const chain = `${path} › ${title}`;
    if (/(^| )(Appendix|Reproduction|Back-test)/.test(chain)) return 0.4;
    if (finding) return 2;
    if (studies.some(name => chain.includes(name))) return 1.6;
    return kind === "Table" ? 0.9 : 1;
  }

  /** Adds what one element of the text is to the entries. ``at`` is where it stands. */
  function add(found, at, element) {
    const path = at.heads.map(head => head.title).join(" › ");
    if (element.matches("h2, h3, h4, h5")) {
      const level = Number(element.tagName[1]);
      at.heads = at.heads.filter(head => head.level < level);
      const title = titleOf(element);
      at.section = entry("Section", element, title, at.heads.map(h => h.title).join(" › "), []);
      at.heads.push({ level, title });
      found.push(at.section);
    } else if (element.matches("table")) {
      const caption = element.caption ? titleOf(element.caption) : "";
      const rows = [...element.rows];
      if (caption) found.push(entry("Table", element, caption, path, rows));
    } else if (element.matches("figure")) {
      const caption = element.querySelector("figcaption");
      const lead = [element.previousElementSibling].filter(one => one?.querySelector(".figure-lead"));
      if (caption) found.push(entry("Figure", element, titleOf(caption), path, lead));
    } else if (element.matches("dt")) {
      const means = element.nextElementSibling;
      found.push(entry("Term", element, plain(element.textContent), path, means ? [means] : []));
    } else if (at.section) {
      const block = { element, text: textOf(element) };
      if (element.closest(".answer")) at.section.finding ||= block;
      at.section.blocks.push(block);
    }
  }

  const PARTS =
    "h2, h3, h4, h5, table, figure, dl:not(.cover dl) > dt, " +
    "p:not(figure p, dd p, .cover p, .figure-links p), li:not(:has(p))";

  function index() {
    if (entries) return entries;
    const found = [];
    const at = { heads: [], section: null };
    for (const element of document.querySelectorAll(`#text :is(${PARTS})`))
      if (!element.closest(".workshop")) add(found, at, element);
    const studies = [...document.querySelectorAll("#text :is(h2, h3).study")].map(titleOf);
    for (const one of found) one.place = placeOf(one, studies);
    found.forEach(foldEntry);
    entries = found;
    return found;
  }

  const matches = words => reportWords.answers(index(), words);

  return {
    index,
    matches,
    plain,
    fold,
    forget() {
      entries = null;
    },
  };
})();
