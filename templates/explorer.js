// Filters and sorts the table of all changes; the address keeps what was chosen.
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const plain = text => text.replace(/\s+/g, " ").trim();
  const fold = text => plain(text).toLowerCase().replaceAll("−", "-");
  // Columns whose order is that of a number in the data, by its head there.
  const NUMBERS = { sides: "after", change: "change_percent", interval: "low" };
  let sort = "";

  /** What `made` gives, made when it is first asked for: a page opens without it. */
  const once = made => {
    let kept;
    return () => (kept ??= made());
  };
  const data = once(() => JSON.parse(document.getElementById("rows").textContent));
  const rows = once(() =>
    all(".explorer tbody tr").map((element, at) => ({
      element,
      at,
      values: data().rows[at],
      text: once(() => fold(element.textContent)),
    })),
  );
  const column = head => data().heads.indexOf(head);

  const controls = () => all("[data-filter], #by-words");
  const nameOf = control => control.dataset.filter || "words";

  /** What a row has of a filter: the words of its cell. */
  function has(row, name) {
    const of = head => row.values[column(head)];
    if (name === "metric") return of("role") ? `${of("metric")}, ${of("role")}` : of("metric");
    return of(name);
  }

  function fits(row) {
    return controls().every(control => {
      if (!control.value) return true;
      if (control.dataset.filter) return has(row, control.dataset.filter) === control.value;
      return fold(control.value)
        .split(" ")
        .every(word => row.text().includes(word));
    });
  }

  function place(row, name) {
    if (NUMBERS[name]) return row.values[column(NUMBERS[name])] ?? -Infinity;
    return fold(row.element.cells[heads().findIndex(head => head.dataset.sort === name)].textContent);
  }

  const heads = () => all(".explorer thead th");

  function ordered() {
    const name = sort.replace(/^-/, "");
    if (!name) return rows();
    const sign = sort.startsWith("-") ? -1 : 1;
    const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    return [...rows()].sort((a, b) => sign * compare(place(a, name), place(b, name)) || a.at - b.at);
  }

  function say(count) {
    const told = document.getElementById("shown"),
      total = rows().length;
    told.textContent = `${count === total ? count : `${count} of ${total}`} ${told.dataset.of}`;
    document.getElementById("none").hidden = count > 0;
    for (const head of heads()) {
      const own = sort.replace(/^-/, "") === head.dataset.sort;
      if (own) head.setAttribute("aria-sort", sort.startsWith("-") ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
  }

  function keep() {
    const state = new URLSearchParams();
    for (const control of controls()) if (control.value) state.set(nameOf(control), control.value);
    if (sort) state.set("sort", sort);
    const query = state.toString();
    try {
      history.replaceState(null, "", location.pathname + (query && `?${query}`));
    } catch {}
  }

  function show() {
    const body = document.querySelector(".explorer tbody");
    const shown = ordered().filter(fits);
    body.replaceChildren(...shown.map(row => row.element));
    say(shown.length);
    keep();
  }

  /** A field as CSV has it; what a spreadsheet would take for a formula is a text. */
  function cell(value) {
    if (value === null || value === undefined) return "";
    if (typeof value === "number") return String(value);
    const text = /^[=+@\t]/.test(value) ? `'${value}` : value;
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }

  function save(event) {
    const shown = ordered().filter(fits);
    const lines = [data().heads, ...shown.map(row => row.values)];
    const text = lines.map(line => line.map(cell).join(",") + "\n").join("");
    event.currentTarget.href = `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`;
  }

  function addSorting() {
    for (const head of heads()) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const name = head.dataset.sort;
        sort = sort === name ? `-${name}` : sort === `-${name}` ? "" : name;
        show();
      });
    }
  }

  function restore() {
    const state = new URLSearchParams(location.search);
    for (const control of controls()) {
      const value = state.get(nameOf(control)) || "";
      const known = control.matches("input") || [...control.options].some(one => one.value === value);
      control.value = known ? value : "";
    }
    const wanted = state.get("sort") || "";
    sort = heads().some(head => head.dataset.sort === wanted.replace(/^-/, "")) ? wanted : "";
  }

  function start() {
    addSorting();
    restore();
    for (const control of controls()) control.addEventListener("input", show);
    document.getElementById("clear").addEventListener("click", () => {
      for (const control of controls()) control.value = "";
      sort = "";
      show();
    });
    document.getElementById("csv").addEventListener("click", save);
    if (location.search) show();
  }

  document.addEventListener("DOMContentLoaded", start);
})();
