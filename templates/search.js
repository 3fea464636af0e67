// Search of the page: values that answer, then sections, figures, tables and terms.
// "/" goes to the field; arrows and Enter choose; Escape closes.
(() => {
  const { index, matches, plain, fold } = reportEntries;
  const { made } = reportParts;
  const MOST_OF_A_KIND = 10;
  const ROWS = 2;
  const AROUND = 60;
  let ranking = null;
  let results = [];
  let active = -1;

  function bestOfEachKind(found) {
    const counts = {};
    return found.filter(({ kind }) => {
      counts[kind] = (counts[kind] || 0) + 1;
      return counts[kind] <= MOST_OF_A_KIND;
    });
  }

  /** The block of an entry that has most of the words. */
  function bestBlock(found, words) {
    const count = block => words.filter(word => reportWords.has(block.folded, word)).length;
    return found.blocks.reduce((best, block) => (!best || count(block) > count(best) ? block : best), null);
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
      const end = next[0] + next[1];
      nodes.push(text.slice(done, next[0]), made("mark", text.slice(next[0], end)));
      done = end;
    }
    return [...nodes, text.slice(done)];
  }

  /** The part of a block round the first of the words. */
  function snippet(block, words) {
    const places = words
      .flat()
      .map(word => block.folded.indexOf(word))
      .filter(at => at >= 0);
    const first = places.length ? Math.min(...places) : 0;
    const start = first > AROUND ? block.text.indexOf(" ", first - AROUND) + 1 : 0;
    const end = start + 2.4 * AROUND;
    const text = block.text.slice(start, end);
    return (start ? "… " : "") + text + (end < block.text.length ? " …" : "");
  }

  function ask(text) {
    const data = document.getElementById("answers");
    if (data) ranking ||= reportAnswers.over([JSON.parse(data.textContent)]);
    return ranking?.ask(text);
  }

  /** The values that answer, as entries that lead to their studies. */
  function values(asked) {
    if (!asked?.answered) return [];
    return asked.rows.slice(0, ROWS).flatMap(one => {
      const element = document.getElementById(one.study.at);
      const { title, text } = reportAnswers.told(one);
      const found = { kind: "Value", element, title, path: one.study.title };
      return element ? [{ found, block: { element, text, folded: fold(text) } }] : [];
    });
  }

  function option(result, number, words) {
    const { found, block } = result;
    const item = made("li", "");
    item.id = `found-${number}`;
    item.setAttribute("role", "option");
    const title = made("span", "", "found-title");
    title.append(...marked(found.title, words));
    item.append(title, made("span", found.path || found.kind, "found-path"));
    if (!block) return item;
    const text = made("span", "", "found-text");
    text.append(...marked(snippet(block, words), words));
    item.append(text);
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
    const text = plain(field.value);
    const words = reportWords.of(fold(text));
    if (!words.length) {
      close();
      status.textContent = "";
      return;
    }
    const found = matches(words);
    const parts = bestOfEachKind(found).map(found => ({
      found,
      block: found.finding || bestBlock(found, words),
    }));
    const asked = ask(text);
    const lacks = word => !index().some(one => one.whole.includes(word));
    const unknown = (asked?.unknown || []).filter(lacks).map(word => `‘${word}’`);
    results = [...values(asked), ...parts];
    list.replaceChildren(...results.map((result, number) => option(result, number, words)));
    const remark = unknown.length ? `Nothing here mentions ${unknown.join(", ")}.` : "";
    const count = results.length ? `${results.length} found` : "Nothing found";
    list.dataset.remark = remark;
    status.textContent = [remark, count].filter(Boolean).join(" ");
    status.classList.toggle("unseen", results.length > 0);
    list.hidden = !results.length;
    field.setAttribute("aria-expanded", String(results.length > 0));
    active = -1;
    if (results.length) choose(0);
  }

  function go(result) {
    const { found, block } = result;
    const named = found.element.id ? found.element : found.element.querySelector("[id]");
    const target = block?.element.isConnected ? block.element : found.element;
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
    field.addEventListener("focus", () => {
      if (field.value) show();
    });
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
  document.addEventListener("changed", reportEntries.forget);
})();
