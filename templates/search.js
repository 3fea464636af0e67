// Search over sections, figures, tables, terms and facts, made from the page itself.
// "/" goes to the field; arrows and Enter choose; Escape closes.
(() => {
  const MOST_OF_A_KIND = 10;
  // What a kind counts for, and what each word in its title adds.
  const WEIGHT = {
    Term: [55, 80], Section: [60, 80], Figure: [50, 80], Table: [40, 40],
  };
  const AROUND = 60;
  let entries = null;
  let results = [];
  let active = -1;

  const plain = text => text.replace(/\s+/g, " ").trim();
  // As long as the text itself, so that places in one are places in the other.
  const fold = text => text.toLowerCase().replaceAll("−", "-");

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

  /** Studies come before what is round them, and appendices last. */
  function placeOf(path, title, studies) {
    const chain = `${path} › ${title}`;
    if (/(^| )(Appendix|Reproduction|Back-test)/.test(chain)) return 0.4;
    return studies.some(name => chain.includes(name)) ? 1.3 : 1;
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

  const PARTS = "h2, h3, h4, h5, table, figure, dl:not(.cover dl) > dt, " +
    "p:not(figure p, dd p, .cover p, .figure-links p), li:not(:has(p))";

  function index() {
    if (entries) return entries;
    const found = [];
    const at = { heads: [], section: null };
    for (const element of document.querySelectorAll(`#text :is(${PARTS})`))
      if (!element.closest(".workshop")) add(found, at, element);
    const studies = [...document.querySelectorAll("#text :is(h2, h3).study")].map(titleOf);
    for (const one of found) one.place = placeOf(one.path, one.title, studies);
    found.forEach(foldEntry);
    return entries = found;
  }

  /** What a word counts for in an entry: most in its title, nothing where it is not. */
  function worth(found, word, title) {
    if (!reportWords.has(found.whole, word)) return 0;
    if (!reportWords.has(found.folded, word)) return 10;
    return reportWords.begins(found.folded, word) ? title : title / 2;
  }

  /** How many of the words an entry has, and how well it answers. */
  function answer(found, words) {
    const [kind, title] = WEIGHT[found.kind];
    const worths = words.map(word => worth(found, word, title));
    const same = found.folded === words.map(word => word[0]).join(" ") ? 2 * title : 0;
    const sum = kind + same + worths.reduce((a, b) => a + b, 0);
    return { found, has: worths.filter(Boolean).length, score: sum * found.place };
  }

  // An appendix has many words: it counts as if it had one less.
  const rank = one => one.has - (one.found.place < 1 ? 1 : 0);

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

  function bestOfEachKind(found) {
    const counts = {};
    return found.filter(({ kind }) => (counts[kind] = (counts[kind] || 0) + 1) <= MOST_OF_A_KIND);
  }

  /** The block of an entry that has most of the words. */
  function bestBlock(found, words) {
    const count = block => words.filter(word => reportWords.has(block.folded, word)).length;
    return found.blocks.reduce((best, block) =>
      !best || count(block) > count(best) ? block : best, null);
  }

  /** Text with the words marked. */
  function marked(text, forms) {
    const folded = fold(text);
    const words = forms.flat();
    const nodes = [];
    let done = 0;
    while (done < text.length) {
      const next = words
        .map(word => [folded.indexOf(word, done), word.length])
        .filter(([at]) => at >= 0)
        .sort((a, b) => a[0] - b[0])[0];
      if (!next) break;
      const mark = document.createElement("mark");
      mark.textContent = text.slice(next[0], next[0] + next[1]);
      nodes.push(text.slice(done, next[0]), mark);
      done = next[0] + next[1];
    }
    return [...nodes, text.slice(done)];
  }

  /** The part of a block round the first of the words. */
  function snippet(block, words) {
    const places = words.flat().map(word => block.folded.indexOf(word)).filter(at => at >= 0);
    const first = places.length ? Math.min(...places) : 0;
    const start = first > AROUND ? block.text.indexOf(" ", first - AROUND) + 1 : 0;
    const end = start + 2.4 * AROUND;
    const text = block.text.slice(start, end);
    return (start ? "… " : "") + text + (end < block.text.length ? " …" : "");
  }

  function line(name, parts) {
    const element = document.createElement("span");
    element.className = name;
    element.append(...parts);
    return element;
  }

  function option(result, number, words) {
    const item = document.createElement("li");
    item.id = `found-${number}`;
    item.setAttribute("role", "option");
    item.append(line("found-title", marked(result.found.title, words)));
    const path = result.found.path || result.found.kind;
    item.append(line("found-path", [path]));
    if (result.block) item.append(line("found-text", marked(snippet(result.block, words), words)));
    return item;
  }

  function box() {
    return {
      field: document.getElementById("search"),
      list: document.getElementById("found"),
      status: document.getElementById("found-count"),
    };
  }

  function close() {
    const { field, list, status } = box();
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
    list.hidden = true;
    status.classList.add("unseen");
    active = -1;
  }

  function choose(number) {
    const { field, list } = box();
    list.children[active]?.removeAttribute("aria-selected");
    active = (number + results.length) % results.length;
    const item = list.children[active];
    item.setAttribute("aria-selected", "true");
    item.scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", item.id);
  }

  function show() {
    const { field, list, status } = box();
    const words = reportWords.of(fold(plain(field.value)));
    if (!words.length) { close(); status.textContent = ""; return; }
    const found = matches(words);
    results = bestOfEachKind(found).map(found => ({ found, block: bestBlock(found, words) }));
    list.replaceChildren(...results.map((result, number) => option(result, number, words)));
    status.textContent = found.length ? `${found.length} found` : "Nothing found";
    status.classList.toggle("unseen", found.length > 0);
    list.hidden = !results.length;
    field.setAttribute("aria-expanded", String(results.length > 0));
    active = -1;
    if (results.length) choose(0);
  }

  function go(result) {
    const { found, block } = result;
    const named = found.element.id ? found.element : found.element.querySelector("[id]");
    const target = block && block.element.isConnected ? block.element : found.element;
    close();
    if (named) location.hash = named.id;
    target.scrollIntoView({ block: target === found.element ? "start" : "center" });
    target.classList.add("hit");
    setTimeout(() => target.classList.remove("hit"), 2500);
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }

  function pressed(event) {
    const { field, list } = box();
    const open = !list.hidden;
    if (event.key === "Escape") {
      open ? close() : field.blur();
    } else if (event.key === "Enter" && open && active >= 0) {
      go(results[active]);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (open) choose(active + (event.key === "ArrowDown" ? 1 : -1));
      else show();
    } else {
      return;
    }
    event.preventDefault();
  }

  const writes = element => element.matches("input, textarea, select, [contenteditable]");

  function begin(event) {
    const { field } = box();
    const busy = writes(event.target) || document.querySelector("dialog[open]");
    if (!field || event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || busy) return;
    event.preventDefault();
    field.focus();
    field.select();
  }

  function start() {
    const { field, list } = box();
    if (!field) return;
    field.addEventListener("input", show);
    field.addEventListener("focus", () => { if (field.value) show(); });
    field.addEventListener("blur", () => setTimeout(close, 150));
    field.addEventListener("keydown", pressed);
    list.addEventListener("pointerdown", event => event.preventDefault());
    list.addEventListener("click", event => {
      const item = event.target.closest("[role=option]");
      if (item) go(results[[...list.children].indexOf(item)]);
    });
    (globalThis.requestIdleCallback || setTimeout)(index);
    if (field.value && field === document.activeElement) show();
  }

  document.addEventListener("keydown", begin);
  document.addEventListener("DOMContentLoaded", start);
  document.addEventListener("changed", () => { entries = null; });
})();
