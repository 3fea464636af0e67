// Finds a value or a claim by plain words, and hands over the chosen one.
import { get, make } from "./ask.js";

const QUIET = 150; // ms without a key until values are asked for
let last = 0;

const VALUES = {
  name: "Values",
  ask: (about, words) => get("values", { about, words }).then(([status, answer]) => [status, answer.values]),
  row: one => [one.shows, one.about],
};

// The button opens the search below itself; "chosen" gets what was chosen. "of" says what
// is searched, and what a row shows of it.
export function finder(button, about, chosen, left, of = VALUES) {
  const id = `desk-values-${++last}`;
  const list = make("ul", { id, className: "desk-choices", role: "listbox", ariaLabel: of.name });
  const input = make("input", {
    type: "search",
    role: "combobox",
    ariaExpanded: "true",
    ariaAutoComplete: "list",
    placeholder: "latency RR10 change",
    autocomplete: "off",
    spellcheck: false,
  });
  input.setAttribute("aria-controls", id);
  const none = make("p", { role: "status" });
  const box = make(
    "div",
    { className: "desk-finder", hidden: true },
    make("label", {}, make("span", { textContent: "Metric, workload, configuration" }), input),
    list,
    none,
  );
  button.closest(".desk-tools").after(box);
  let values = [],
    at = 0,
    timer,
    listed, // the words that the list is of
    asked = 0;

  async function find() {
    const turn = ++asked;
    const words = input.value;
    clearTimeout(timer);
    const [status, answer] = await of.ask(about, words);
    if (turn !== asked || status !== 200) return;
    listed = words;
    values = answer;
    at = 0;
    list.replaceChildren(
      ...values.map((one, n) => {
        const [shows, more] = of.row(one);
        const words = make("b", { textContent: shows });
        const row = make("li", { role: "option", id: `${id}-${n}` }, words, ` ${more}`);
        row.addEventListener("click", () => take(n));
        return row;
      }),
    );
    list.hidden = !values.length;
    none.textContent = values.length
      ? ""
      : "Nothing here has these words. Try the metric alone, such as latency.";
    mark();
  }

  function mark() {
    for (const [n, row] of [...list.children].entries()) row.setAttribute("aria-selected", String(n === at));
    input.setAttribute("aria-activedescendant", values.length ? `${id}-${at}` : "");
    list.children[at]?.scrollIntoView({ block: "nearest" });
  }

  function take(n) {
    const one = values[n];
    if (!one) return;
    show(false);
    chosen(one);
  }

  function show(open) {
    box.hidden = !open;
    button.ariaExpanded = String(open);
    if (!open) return left();
    input.focus();
    find();
  }

  button.addEventListener("click", () => show(box.hidden));
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(find, QUIET);
  });
  input.addEventListener("keydown", event => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      at = Math.min(Math.max(at + step, 0), values.length - 1);
      mark();
    } else if (event.key === "Enter") {
      // Nobody chooses from a list of other words, which comes a moment later.
      if (listed === input.value) take(at);
      else find();
    } else if (event.key === "Escape") show(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
