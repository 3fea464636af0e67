// Marks of figures answer: hover, focus or a tap shows the fact behind one, a click opens
// its card. A figure can be a table, show one workload alone, and stand in another page.
(() => {
  /** @param {ParentNode} from */
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const { made, button } = reportParts;
  const marksIn = from => all("[data-keys]:is(rect)", from);
  const EMBEDDED = "figure"; // of an address: the figure that stands alone
  let wanted = "";

  /** Marks of other workloads are pale in every figure that has the wanted one. */
  function filter(workload) {
    wanted = workload;
    for (const drawing of all(".drawing, dialog svg")) {
      const marks = marksIn(drawing);
      const has = marks.some(mark => mark.dataset.of === wanted);
      for (const mark of marks) mark.classList.toggle("off", has && mark.dataset.of !== wanted);
    }
    for (const select of all("select.workload"))
      select.value = [...select.options].some(option => option.value === wanted) ? wanted : "";
  }

  function workloadSelect(marks) {
    const names = [...new Set(marks.map(mark => mark.dataset.of).filter(Boolean))];
    if (names.length < 2) return null;
    const select = document.createElement("select");
    select.className = "workload";
    select.setAttribute("aria-label", "Workload to show");
    select.append(new Option("All workloads", ""), ...names.map(name => new Option(name, name)));
    select.addEventListener("change", () => filter(select.value));
    return select;
  }

  const COLUMNS = [
    ["name", "What"],
    ["between", "Compared"],
    ["sides", "Before → after"],
    ["printed", "Value"],
    ["interval", "Interval"],
    ["n", "Runs"],
    ["verdict", "Verdict"],
  ];

  /** The facts of a figure as a table; columns that all of them lack are left out. */
  function tableOf(drawing) {
    const keys = new Set(marksIn(drawing).flatMap(mark => mark.dataset.keys.split(" ")));
    const facts = [...keys].map(key => reportNotes.fact(key)).filter(Boolean);
    const columns = COLUMNS.filter(([id]) => facts.some(fact => fact[id]));
    const row = (cell, texts) => {
      const line = document.createElement("tr");
      line.append(...texts.map(text => made(cell, text)));
      return line;
    };
    const table = document.createElement("table");
    table.createTHead().append(
      row(
        "th",
        columns.map(([, words]) => words),
      ),
    );
    table.createTBody().append(
      ...facts.map(fact =>
        row(
          "td",
          columns.map(([id]) => fact[id] || ""),
        ),
      ),
    );
    const box = made("div", "", "table-scroll marks-table");
    box.append(table);
    return box;
  }

  function tableButton(figure) {
    const toggle = button("Table");
    toggle.setAttribute("aria-pressed", "false");
    toggle.addEventListener("click", () => {
      const drawing = figure.querySelector(".drawing");
      const shown = figure.querySelector(".marks-table");
      if (shown) shown.remove();
      else drawing.before(tableOf(drawing));
      drawing.hidden = !shown;
      toggle.textContent = shown ? "Table" : "Chart";
      toggle.setAttribute("aria-pressed", String(!shown));
    });
    return toggle;
  }

  /** One line of HTML that shows the figure in another page. */
  function lineFor(figure) {
    const page = new URL(location.href);
    page.search = `?${EMBEDDED}=${figure.id}`;
    page.hash = "";
    const high = Math.ceil(figure.getBoundingClientRect().height) + 40;
    const frame = document.createElement("iframe");
    for (const [name, value] of Object.entries({
      src: page.href,
      width: 760,
      height: high,
      title: figure.id,
    }))
      frame.setAttribute(name, String(value));
    return frame.outerHTML;
  }

  function embedButton(figure) {
    const line = button("Embed");
    line.addEventListener("click", async () => {
      const text = lineFor(figure);
      try {
        await navigator.clipboard.writeText(text);
        line.textContent = "Copied";
      } catch {
        prompt("One line of HTML:", text);
      }
    });
    return line;
  }

  /** The arrow keys lead from mark to mark, and Enter opens its card. */
  function moveByKeys(event) {
    const drawing = event.target.closest(".drawing");
    if (!drawing || event.target !== drawing) return;
    const passed = new Set(); // of several marks of the same facts the first is a stop
    const isFirst = ({ dataset: { keys } }) => passed.size < passed.add(keys).size;
    const marks = marksIn(drawing).filter(mark => !mark.classList.contains("off") && isFirst(mark));
    const at = marks.findIndex(mark => mark.classList.contains("on"));
    const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
    if (event.key === "Enter" && at >= 0) reportNotes.open(marks[at], true);
    else if (event.key in steps) {
      const next = marks[Math.min(Math.max(at + steps[event.key], 0), marks.length - 1)];
      for (const mark of marks) mark.classList.toggle("on", mark === next);
      reportNotes.open(next, false);
    } else return;
    event.preventDefault();
  }

  /** What a pointer is on stands out, with all marks of its line. */
  function highlight(event) {
    const mark = event.target.closest?.("rect[data-keys]");
    for (const old of all("rect.near")) old.classList.remove("near");
    if (!mark?.dataset.series) return;
    for (const one of marksIn(mark.ownerSVGElement))
      if (one.dataset.series === mark.dataset.series) one.classList.add("near");
  }

  function standAlone() {
    const id = new URLSearchParams(location.search).get(EMBEDDED);
    const figure = id && document.getElementById(id);
    if (!figure?.matches("figure")) return;
    document.documentElement.dataset.alone = "";
    const card = figure.closest(".figure-card") || figure;
    const lead = card.previousElementSibling;
    document.body.replaceChildren(
      ...(lead?.querySelector(".figure-lead") ? [lead] : []),
      card,
      ...all("script[type='application/json'], .note-card"),
    );
  }

  function prepare() {
    for (const figure of all(
      "main figure:has(rect[data-keys]), body > .figure-card figure:has(rect[data-keys])",
    )) {
      for (const drawing of all(".drawing", figure)) drawing.tabIndex = 0;
      const links = figure.closest(".figure-card")?.querySelector(".figure-links p");
      if (!links || links.querySelector(".marks-tools")) continue;
      const tools = made("span", "", "marks-tools");
      const select = workloadSelect(marksIn(figure));
      tools.append(
        tableButton(figure),
        " · ",
        embedButton(figure),
        " · ",
        ...(select ? [select, " · "] : []),
      );
      links.prepend(tools);
    }
    if (wanted) filter(wanted);
  }

  document.addEventListener("DOMContentLoaded", () => {
    standAlone();
    prepare();
  });
  document.addEventListener("changed", prepare);
  // the drawing for another width has come into the figure
  matchMedia("(max-width: 640px)").addEventListener("change", prepare);
  document.addEventListener("keydown", moveByKeys);
  document.addEventListener("pointerover", highlight);
})();
