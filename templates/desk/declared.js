// Titles, questions and captions: words of declarations, edited where the page has them.
import { get, make, may, post, problem } from "./ask.js";
import { drop, keepWords, keptOf, recount } from "./kept.js";
import { suggestions } from "./suggest.js";
import { panel } from "./talk.js";
import { begins, below, hostOf, reword } from "./words.js";

const CAPTIONS = { title: "Title", subtitle: "Subtitle", question: "Question", caption: "Caption" };
const OPEN = `desk-declared:${location.pathname}`; // what a page that is loaded again goes on with
const meanwhile = now => `Somebody changed these words meanwhile. They read now: ${now}`;

export async function declared(tell) {
  if (!may("comment")) return;
  const [status, said] = await get("declared", {});
  if (status !== 200) return;
  for (const one of said.words) {
    const host = document.querySelector(one.at);
    if (!host || host.querySelector(".desk-edit")) continue;
    const button = make("button", { type: "button", className: "desk-edit", textContent: "Edit" });
    button.ariaLabel = `Edit: ${begins(host)}`;
    const begin = () => {
      if (open && !same(open.one, one)) open.close();
      if (open) open.area.focus();
      else edit(one, host, button, tell);
    };
    opens.set(`${one.file}#${one.entry}`, begin);
    button.addEventListener("click", event => {
      event.stopPropagation();
      begin();
    });
    const mark = make("span", { className: "part" }, button);
    Object.assign(mark.dataset, { text: one.file, number: one.number, ready: "" });
    host.append(mark);
    if (open && same(open.one, one) && !open.form.isConnected) below(host, open.form);
    if (!open && sessionStorage.getItem(OPEN) === `${one.file}#${one.entry}`) begin();
    host.classList.add("desk-part");
    host.addEventListener("click", event => {
      if (!event.target.closest("a, button") && !String(getSelection())) begin();
    });
  }
}

// Goes on with words that a closed browser left, also where their place is gone.
export function resumeDeclared({ text, number }, tell) {
  const begin = opens.get(`${text}#${number}`);
  if (begin) return begin();
  const words = keptOf({ text, number })?.part.was ?? "";
  edit({ file: text, entry: number, words, number: -1 }, null, null, tell);
}

let open = null;
const opens = new Map(); // what opens an entry
const same = (one, other) => one.file === other.file && one.entry === other.entry;

function edit(one, host, button, tell) {
  const kept = { text: one.file, number: one.entry };
  const mine = keptOf(kept);
  const area = make("input", { value: mine?.words ?? one.words, spellcheck: true });
  const name = CAPTIONS[one.entry.split(".").at(-1)] || "Words";
  const found = make("div", { role: "status" });
  const save = make("button", { type: "submit", textContent: "Save", className: "desk-main" });
  const other = make("button", { type: "button", textContent: "Suggest" });
  const leave = make("button", { type: "button", textContent: "Cancel" });
  const at = `.part[data-text="${CSS.escape(one.file)}"][data-number="${one.number}"] .desk-edit`;
  const place = { text: one.file, number: one.number };
  const form = make(
    "form",
    { className: "desk-editor desk-declared" },
    make("label", {}, make("span", { textContent: `${name}, in ${one.file}` }), area),
    found,
    make(
      "div",
      { className: "desk-tools" },
      ...(may("edit") ? [save] : []),
      ...(may("suggest") ? [other] : []),
      leave,
    ),
    host ? panel(place, { host: hostOf(button) }) : "",
  );
  const end = () => {
    open = null;
    sessionStorage.removeItem(OPEN);
    form.remove();
    document.querySelector(at)?.focus({ preventScroll: true });
    recount(open);
  };
  // Words that nobody saved are not put away without a word.
  const close = () => {
    if (area.value === one.words) return forget();
    told(`This is not saved: ${may("edit") ? "Save" : "Suggest"} keeps it, Cancel drops it.`);
  };
  open = { one, area, form, close };
  sessionStorage.setItem(OPEN, `${one.file}#${one.entry}`);
  const forget = () => {
    drop(kept);
    end();
  };
  const told = words => found.replaceChildren(make("p", { className: "found error", textContent: words }));
  area.addEventListener("input", () => {
    if (area.value === one.words) drop(kept);
    else keepWords({ ...kept, was: one.words }, { words: area.value });
  });
  leave.addEventListener("click", forget);
  form.addEventListener("keydown", event => {
    if (event.key === "Escape") close();
  });
  form.addEventListener("submit", event => {
    event.preventDefault();
    send(...(may("edit") ? ["declare", save] : ["propose", other]));
  });
  other.addEventListener("click", () => send("propose", other));

  async function send(what, by) {
    by.disabled = area.readOnly = true;
    const { file, entry, words: was } = one;
    const words = area.value;
    // They stand on the page at once; what else tells them, and all checks, take seconds.
    const back = host && what === "declare" ? reword(host, was, words) : () => {};
    const [status, said] = await post(what, { file, entry, was, words });
    by.disabled = area.readOnly = false;
    if (status !== 200) back();
    if (status === 409) return again();
    if (status !== 200) return told(problem(status, said));
    forget();
    if (what === "propose") {
      tell("Suggested.");
      return suggestions(tell);
    }
    one.words = area.value;
    const drawn = one.entry.startsWith("figures") ? " The picture follows with the next build." : "";
    tell(said.commit ? `Saved as ${said.commit.slice(0, 8)}.${drawn}` : "Saved.");
  }

  // What stands there now was changed by another: who saves again has seen it.
  async function again() {
    const [status, said] = await get("declared", {});
    const now = status === 200 && said.words.find(other => same(one, other));
    if (!now) return told("These words are gone. Copy what you need of yours.");
    one.words = now.words;
    told(`${meanwhile(now.words)}\nSave puts yours in their place.`);
  }

  if (host) below(host, form);
  else document.querySelector("main").append(form);
  recount(open);
  area.focus();
  if (mine && mine.part.was !== one.words && mine.words !== one.words) told(meanwhile(one.words));
}
