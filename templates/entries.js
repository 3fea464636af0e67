// What search looks through, made from the page itself: sections, figures, tables, terms.
// biome-ignore lint/correctness/noUnusedVariables: other scripts of the page use it
const reportEntries = (() => {
  // What a kind counts for, and what each word in its title adds.
  const WEIGHT = {
    Term: [55, 80],
    Section: [60, 80],
    Figure: [50, 80],
    Table: [40, 40],
  };
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
    return { kind, element, title, path, blocks, folded: null, place: 1 };
  }

  function foldEntry(found) {
    // Which way is better is no answer to who asks what is lower.
    found.folded = fold(found.title).replace(/(lower|higher) is better/g, same => " ".repeat(same.length));
    for (const block of found.blocks) block.folded = fold(block.text);
    found.whole = [found.folded, fold(found.path), ...found.blocks.map(block => block.folded)].join("\n");
  }

  /** Studies come before what is round them, then tables of all studies, appendices last. */
  function placeOf({ kind, path, title }, studies) {
    const chain = `${path} › ${title}`;
    if (/(^| )(Appendix|Reproduction|Back-test)/.test(chain)) return 0.4;
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
      if (caption) found.push(entry("Figure", element, titleOf(caption), path, []));
    } else if (element.matches("dt")) {
      const means = element.nextElementSibling;
      found.push(entry("Term", element, plain(element.textContent), path, means ? [means] : []));
    } else if (at.section) {
      at.section.blocks.push({ element, text: textOf(element) });
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

  /** What a form of a word counts for in an entry: most in its title, nothing where it is not. */
  function held(found, forms, title) {
    if (!reportWords.has(found.whole, forms)) return 0;
    if (!reportWords.has(found.folded, forms)) return 10;
    return reportWords.begins(found.folded, forms) ? title : title / 2;
  }

  /** What a word counts for: what else would do as well counts half. */
  const worth = (found, word, title) =>
    Math.max(held(found, word.slice(0, 2), title), held(found, word, title) / 2);

  /** How many of the words an entry has, and how well it answers. */
  function answer(found, words) {
    const [kind, title] = WEIGHT[found.kind];
    const worths = words.map(word => worth(found, word, title));
    const same = found.folded === words.map(word => word[0]).join(" ") ? 2 * title : 0;
    const sum = kind + same + worths.reduce((a, b) => a + b, 0);
    const has = worths.filter(Boolean).length;
    const written = words.filter(word => reportWords.has(found.whole, word.slice(0, 2))).length;
    return { found, has, near: (has + written) / 2, score: sum * found.place };
  }

  // An appendix and a table of all studies have many words: they count as if they had one less.
  const rank = one => one.near - (one.found.place < 1 ? 1 : 0);

  /** The entries that have all of the words, or most of them, and then with one less. */
  function matches(words) {
    const answers = index().map(found => answer(found, words));
    const most = Math.max(0, ...answers.map(one => one.has));
    if (most < Math.max(1, words.length / 2)) return [];
    return answers
      .filter(one => one.has >= Math.max(most - 1, (words.length + 1) / 2))
      .sort((a, b) => rank(b) - rank(a) || b.score - a.score)
      .map(one => one.found);
  }

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
