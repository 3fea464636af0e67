// Keys that lead from one part, study or open point to the next, links past what stands
// before them, and the list of all keys. Who does not want single letters puts them off.
import { button, make } from "./ask.js";

const OFF = "desk-keys-off";
const PARTS = "main .desk-edit";
const STUDIES = "main h2[id]";
const OPEN = "main :is(.desk-count, .desk-suggestion, .found.error, .found.held)";
const KEYS = [
  ["j", "k", "part", PARTS],
  ["s", "a", "chapter or study", STUDIES],
  ["o", "i", "open point: a comment, a suggestion, an error", OPEN],
];
const EDITOR = [
  ["Ctrl+Enter", "saves, or suggests for who may not save"],
  ["Escape", "leaves an editor"],
  ["Ctrl+Z", "takes back what was written"],
];
const TYPED = "input, textarea, select, dialog, [contenteditable=true]";

/** Which of the places comes next, or before with "back", from where one is; the first
 * or the last again behind the end. "order" is less than 0 for a place before it. */
export function nextOf(places, order, back = false) {
  const [before, behind] = [places.filter(one => order(one) < 0), places.filter(one => order(one) > 0)];
  return back ? (before.at(-1) ?? places.at(-1)) : (behind[0] ?? places[0]);
}

// From where the focus is, or else from what is at the top of the window.
function orderFrom(at) {
  if (at.closest("main"))
    return one => {
      if (one === at || one.contains(at)) return 0;
      return at.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING ? 1 : -1;
    };
  return one => one.getBoundingClientRect().top - 90;
}

function lead(to) {
  if (!to.matches("button, a")) to.tabIndex = -1;
  to.focus({ preventScroll: true });
  to.scrollIntoView({ block: "center", behavior: "instant" });
}

function jump(selector, back) {
  const places = [...document.querySelectorAll(selector)].filter(one => one.getClientRects().length);
  const to = nextOf(places, orderFrom(document.activeElement), back);
  if (to) lead(to);
  else document.querySelector(".desk-status").textContent = "There is none.";
}

function listOfKeys() {
  const rows = KEYS.map(([on, back, of]) => [`${on}, ${back}`, `the next ${of}, the one before`]);
  const list = make("dl", {});
  for (const [keys, does] of [...rows, ["Tab, Enter", "Edit: opens the part"], ...EDITOR, ["?", "this list"]])
    list.append(make("dt", {}, make("kbd", { textContent: keys })), make("dd", { textContent: does }));
  const off = make("input", { type: "checkbox", checked: !localStorage.getItem(OFF) });
  off.addEventListener("change", () => localStorage.setItem(OFF, off.checked ? "" : "yes"));
  const dialog = make("dialog", { className: "desk-keys" });
  const close = button("Close", () => dialog.close());
  const heading = make("h2", { textContent: "Keys", id: "desk-keys" });
  dialog.setAttribute("aria-labelledby", "desk-keys");
  dialog.append(heading, list, make("label", {}, off, " Single letters lead"), close);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Listens for keys; the button for the bar that lists them. */
export function keys() {
  document.addEventListener("keydown", event => {
    const { key, target, ctrlKey, altKey, metaKey } = event;
    if (ctrlKey || altKey || metaKey || /** @type {Element} */ (target).closest?.(TYPED)) return;
    if (key === "?") listOfKeys();
    else if (!localStorage.getItem(OFF)) {
      const row = KEYS.find(one => one.indexOf(key) === 0 || one.indexOf(key) === 1);
      if (!row) return;
      jump(row[3], key === row[1]);
    } else return;
    event.preventDefault();
  });
  const links = [
    ["Skip to the first observation", `main .part[data-text$="observations.md"] .desk-edit`],
    ["Skip to the first open point", OPEN],
  ].map(([words, selector]) => {
    const link = make("a", { className: "skip", href: "#text", textContent: words });
    link.addEventListener("click", event => {
      const to = document.querySelector(selector);
      if (!to) return;
      event.preventDefault();
      lead(to);
    });
    return link;
  });
  document.querySelector("a.skip")?.after(...links);
  return button("Keys", listOfKeys, { className: "desk-keys-button", title: "Keys (?)" });
}
