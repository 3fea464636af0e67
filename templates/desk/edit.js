// Edits a part of a text where it stands: its Markdown opens below it.
import { get, make, may, post, problem, tell } from "./ask.js";
import { boxes, meanwhile } from "./found.js";
import { drop, keepWords, keptOf, recount } from "./kept.js";
import { pastes } from "./paste.js";
import { suggestions } from "./suggest.js";
import { panel } from "./talk.js";
import { finder } from "./values.js";
import { begins, below, hostOf, markOf, placeOf } from "./words.js";
import { carried, carries, putValue, rewrite } from "./write.js";

const QUIET = 400; // ms without a key until the checks are asked
const SLOW = 3000; // ms until who saves hears that nobody answered yet
const LONG = 20000; // characters from which on an area scrolls
let open = null,
  asked = 0;

// Behind each part a button, for the keyboard; a click on its words does the same.
export function marked() {
  for (const mark of document.querySelectorAll("span.part:not([data-ready])")) {
    mark.dataset.ready = "";
    const { text, number } = placeOf(mark),
      part = { text, number };
    const host = hostOf(mark);
    if (!host) continue;
    host.classList.add("desk-part");
    const button = make("button", { type: "button", className: "desk-edit", textContent: "Edit" });
    button.ariaLabel = `Edit: ${begins(host)}`;
    button.addEventListener("click", event => {
      event.stopPropagation();
      start(part);
    });
    mark.append(button);
    host.addEventListener("click", event => {
      const busy = event.target.closest("a, button, textarea, .desk-editor, summary");
      if (busy || String(getSelection())) return;
      if (event.target.closest(".desk-part") === host) start(part);
    });
  }
  if (open && !open.form.isConnected) place();
  recount(open);
}

function place() {
  const host = hostOf(markOf(open.part));
  const at = document.activeElement === document.body;
  if (host) below(host, open.form);
  else document.querySelector("main").append(open.form);
  if (at) open.area.focus({ preventScroll: true });
}

export async function start(part) {
  if (open) {
    if (open.part.text === part.text && open.part.number === part.number) return open.area.focus();
    if (!close()) return open.area.focus();
  }
  const own = ++asked;
  const mine = keptOf(part);
  const { text, number } = part;
  const [status, said] = await get("part", { text, number, hash: mine?.part.hash ?? "" });
  if (own !== asked || open) return;
  const now = status === 200 ? said : null;
  if (now && (!mine || mine.part.hash === now.hash || mine.words === now.words)) {
    build(now, mine);
    if (mine && now.number !== number) drop(part);
  } else if (mine) {
    build(mine.part, mine);
    if (now || status === 404) choose(now);
    else show([], problem(status, said));
  } else tell(problem(status, said));
}

// "mine" are words for it that nobody saved, where there are any.
function build(part, mine) {
  const area = make("textarea", { value: mine?.words ?? part.words, spellcheck: true, dir: "auto" });
  const label = make(
    "label",
    {},
    make("span", { textContent: part.text.split("/").slice(-2).join("/") }),
    area,
  );
  const found = make("div", { className: "desk-found", role: "status" });
  const save = make("button", { type: "submit", textContent: "Save", className: "desk-main" });
  const other = make("button", { type: "button", textContent: "Suggest" });
  const leave = make("button", { type: "button", textContent: "Cancel" });
  const more = make("button", {
    type: "button",
    className: "desk-insert",
    textContent: "Insert a value",
    ariaExpanded: "false",
  });
  const tools = make(
    "div",
    { className: "desk-tools" },
    ...(may("edit") ? [save] : []),
    ...(may("suggest") ? [other] : []),
    more,
    leave,
  );
  const values = make("details", { className: "desk-values" });
  const form = make(
    "form",
    { className: "desk-editor" },
    label,
    found,
    tools,
    values,
    panel(part, { host: hostOf(markOf(part)) }),
  );
  open = { part, area, form, found, values, save, tokens: {}, before: part.words };
  know(part.tokens);
  know(Object.entries(mine?.tokens ?? {}).map(([token, expression]) => ({ token, expression })));
  form.addEventListener("submit", event => {
    event.preventDefault();
    store();
  });
  const store = () => (may("edit") ? send() : send("suggest", other));
  other.addEventListener("click", () => send("suggest", other));
  leave.addEventListener("click", () => close(true));
  finder(
    more,
    part.about,
    (shows, expression) => {
      insert(shows, expression);
      changed();
    },
    () => area.focus(),
  );
  area.addEventListener("input", changed);
  carries(area, part.about, open.tokens);
  pastes(area, tell, words => carried(words, part.about, open.tokens));
  form.addEventListener("keydown", event => {
    if (event.key === "Escape") close();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      store();
    }
  });
  const { text, number } = part;
  sessionStorage.setItem(`desk-open:${location.pathname}`, JSON.stringify({ text, number }));
  place();
  recount(open);
  fit();
  area.focus();
  if (mine) area.setSelectionRange(mine.at, mine.at);
  form.scrollIntoView({ block: "nearest", behavior: "instant" });
  if (mine) changed();
}

function know(tokens) {
  for (const one of tokens) open.tokens[one.token] = one.expression;
  const rows = Object.entries(open.tokens).map(([token, expression]) =>
    make("li", {}, make("b", { textContent: token }), " is ", make("code", { textContent: expression })),
  );
  open.values.hidden = !rows.length;
  open.values.replaceChildren(make("summary", { textContent: "Values" }), make("ul", {}, ...rows));
}

function fit() {
  const long = open.area.value.length > LONG;
  open.area.style.height = long ? "60vh" : "auto";
  if (!long) open.area.style.height = `${open.area.scrollHeight + 2}px`;
}

const said = () => ({
  text: open.part.text,
  number: open.part.number,
  hash: open.part.hash,
  words: open.area.value,
  tokens: open.tokens,
});

function changed() {
  fit();
  note();
  clearTimeout(open.timer);
  open.timer = setTimeout(look, QUIET);
}

function note() {
  const { part, area, tokens, before } = open;
  if (area.value === before) drop(part);
  else keepWords(part, { words: area.value, tokens, at: area.selectionStart });
}
addEventListener("pagehide", () => open && note()); // another tab may have dropped it

async function look() {
  const own = open;
  own?.asking?.abort();
  if (!own) return;
  own.asking = new AbortController();
  try {
    const [status, answer] = await post("look", said(), own.asking.signal);
    if (open !== own) return;
    if (status === 200)
      show(answer.found, open.area.value.trim() ? "" : "Nothing is left: saving this takes the part away.");
    else if (status === 409) tell("Somebody saved this meanwhile. Saving shows you both texts.");
    else show([], problem(status, answer));
  } catch {
    /* a later look took its place */
  }
}

const show = (found, words = "") => open.found.replaceChildren(...boxes(found, words, mend));

function mend(fix) {
  if (fix.kind === "claim")
    rewrite(
      open.area,
      open.area.value.replace(fix.typed, () => `[${fix.typed}]{claim="${fix.write}"}`),
    );
  else if (fix.kind === "plain") rewrite(open.area, open.area.value.replaceAll(fix.typed, fix.write));
  else insert(fix.shows, fix.write, fix.typed);
  open.area.focus();
  changed();
}

function insert(shows, expression, typed) {
  putValue(open.area, open.tokens, shows, expression, typed);
  know([]);
}

async function send(what = "save", button = open.save) {
  const own = open;
  if (button.disabled) return;
  clearTimeout(own.timer);
  own.asking?.abort();
  button.disabled = own.area.readOnly = true;
  const waits = setTimeout(
    () => open === own && show([], "The desk has not answered yet. Your text is kept here."),
    SLOW,
  );
  const [status, answer] = await post(what, said());
  clearTimeout(waits);
  button.disabled = own.area.readOnly = false;
  if (open !== own) return;
  // The same words there: an earlier answer was lost on its way.
  if (status === 200 || (status === 409 && what === "save" && answer.now?.words === own.area.value)) {
    close(true);
    if (what === "suggest") {
      tell("Suggested.");
      return suggestions(tell);
    }
    return tell(answer.commit ? `Saved as ${answer.commit.slice(0, 8)}.` : "Saved.");
  }
  if (status === 409) return choose(answer.now);
  if (answer.issues?.length) show(answer.issues.map(one => ({ severity: "error", ...one })));
  else show([], problem(status, answer));
  see();
}

function choose(now) {
  const adopt = theirs => {
    drop(open.part);
    open.part = now;
    if (theirs) {
      for (const one of now.tokens) open.tokens[one.token] = one.expression;
      rewrite(open.area, now.words);
    }
    know(now.tokens.filter(one => !(one.token in open.tokens)));
    open.before = now.words;
    show([]);
    changed();
    open.area.focus();
  };
  open.found.replaceChildren(meanwhile(now, adopt));
  see();
}

// What is said is not below the edge of the window.
const see = () => open.found.scrollIntoView({ block: "nearest", behavior: "instant" });

// Whether the editor is closed: words that nobody saved are kept, and asked for.
function close(forget = false) {
  if (!open) return true;
  if (!forget && open.area.value !== open.before) {
    show([], `This is not saved: ${may("edit") ? "Save" : "Suggest"} keeps it, Cancel drops it.`);
    see();
    return false;
  }
  clearTimeout(open.timer);
  open.asking?.abort();
  drop(open.part);
  sessionStorage.removeItem(`desk-open:${location.pathname}`);
  const { part, form } = open;
  form.remove();
  open = null;
  recount(open);
  markOf(part)?.querySelector(".desk-edit")?.focus({ preventScroll: true });
  return true;
}

// The page was loaded again, and a part is open still.
export function resume() {
  const [words, when] = JSON.parse(sessionStorage.getItem("desk-said") || "[]");
  if (Date.now() - when < 15000) document.querySelector(".desk-said").textContent = words;
  const part = sessionStorage.getItem(`desk-open:${location.pathname}`);
  if (part) start(JSON.parse(part));
}
