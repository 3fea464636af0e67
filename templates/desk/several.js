// Several reviews at once: each is asked for by itself, with its own gates; what is
// refused is listed with a link to its row, and what is asked again stays selected.
import { make, post, problem } from "./ask.js";

const LEFT = "desk-several"; // what was done before the page was loaded again
const MEANWHILE = "it changed while you read: look at what changed";
/** @type {HTMLFormElement} */
const form = document.querySelector("form.several");
/** @type {(within: Element, selector: string) => HTMLInputElement} */
const input = (within, selector) => within.querySelector(selector);
const rows = [...document.querySelectorAll("li[data-stamp]")];
const pick = row => input(row, ".pick input");
const picked = () => rows.filter(row => pick(row).checked);
const waits = row => row.querySelector("button.approve");
const sure = new Set(); // rows that were asked again

if (form) {
  const all = input(form, ".all input");
  const area = form.querySelector("textarea");
  const approve = form.querySelector("button.several-approve");
  const back = form.querySelector("button.several-back");
  const told = form.querySelector("[role=status]");

  const count = () => {
    const chosen = picked();
    const open = chosen.filter(waits);
    const again = open.length && open.every(row => sure.has(row.id));
    if (approve)
      Object.assign(approve, {
        disabled: !open.length,
        textContent: `Approve ${open.length} selected${again ? " all the same" : ""}`,
      });
    if (back)
      Object.assign(back, { disabled: !chosen.length, textContent: `Send back ${chosen.length} selected` });
    const every = rows.filter(waits);
    if (all) all.checked = every.length > 0 && every.every(row => pick(row).checked);
  };

  const each = async (chosen, verb, bodyOf, done) => {
    const refused = [];
    for (const one of [approve, back]) one?.setAttribute("disabled", "");
    for (const [nth, row] of chosen.entries()) {
      told.textContent = `${nth + 1} of ${chosen.length} …`;
      const [code, answer] = await post(verb, bodyOf(row));
      if (code === 200) continue;
      const why = answer.asks?.join("; ") ?? (code === 409 ? MEANWHILE : problem(code, answer));
      refused.push({ id: row.id, title: row.dataset.title, why, asks: Boolean(answer.asks) });
    }
    const words = `${done}: ${chosen.length - refused.length} of ${chosen.length}.`;
    sessionStorage.setItem(LEFT, JSON.stringify([location.pathname, words, refused]));
    if (!refused.length && area) area.value = "";
    location.reload();
  };

  for (const row of rows) pick(row).addEventListener("change", count);
  all?.addEventListener("change", () => {
    for (const row of rows) if (waits(row)) pick(row).checked = all.checked;
    count();
  });
  approve?.addEventListener("click", () => {
    const bodyOf = ({ id, dataset }) => ({ id: dataset.id, stamp: dataset.stamp, sure: sure.has(id) });
    each(picked().filter(waits), "approve", bodyOf, "Approved");
  });
  form.addEventListener("submit", event => {
    event.preventDefault();
    const words = area.value.trim();
    each(picked(), "comment", row => ({ about: row.dataset.about, words }), "Sent back");
  });

  const [path, words, refused = []] = JSON.parse(sessionStorage.getItem(LEFT) || "[]");
  sessionStorage.removeItem(LEFT);
  if (path === location.pathname) {
    for (const { id, asks } of refused) if (asks) sure.add(id);
    for (const row of rows) pick(row).checked = sure.has(row.id);
    form
      .querySelector("ul")
      .replaceChildren(
        ...refused.map(({ id, title, why }) =>
          make("li", {}, make("a", { href: `#${id}`, textContent: title }), `: ${why}`),
        ),
      );
    form.scrollIntoView({ block: "nearest" });
    setTimeout(() => {
      told.textContent = words;
    }); // said aloud when it comes into the page
  }
  count();
}
