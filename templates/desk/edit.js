// Edits a part where it stands: the words of a part or a title open below it.
import { carries, pastes, putValue, rewrite } from "./area.js";
import {
  button,
  dropUnsaved,
  get,
  make,
  may,
  post,
  problem,
  storeUnsaved,
  tell,
  unsaved,
  unsavedOf,
} from "./ask.js";
import { count, panel } from "./threads.js";
import { finder } from "./values.js";
import { begins, below, hostOf, markOf, placeOf, reword } from "./words.js";

const QUIET = 400; // ms without a key until the checks are asked
const SLOW = 3000; // ms until who saves hears that nobody answered yet
const LONG = 20000; // characters from which on an area scrolls
const OPEN = `desk-open:${location.pathname}`; // what a page that is loaded again goes on with
const CAPTIONS = { title: "Title", subtitle: "Subtitle", question: "Question", caption: "Caption" };
const LABELS = { error: "Error: ", held: "Stops a final edition: ", warning: "Look at this: ", own: "" };
const NOT_SAVED = `This is not saved: ${may("edit") ? "Save" : "Suggest"} keeps it, Cancel drops it.`;
let open = null,
  asked = 0;

// Leads to words that nobody saved, as of a browser that was closed; not while one edits.
export const rest = button("", () => start(unsaved()[0]), { className: "desk-rest" });

function recount() {
  const many = unsaved().length;
  rest.hidden = !many || Boolean(open);
  rest.textContent = `${many} not saved`;
}

// Titles, questions and captions have marks as parts of texts do.
export async function markDeclared() {
  const [status, answer] = await get("declared", {});
  if (status !== 200) return;
  for (const { text, number, hash, at } of answer.words) {
    const host = document.querySelector(at);
    if (!host) continue;
    let mark = [...host.querySelectorAll(".part")].find(one => one.dataset.text === text);
    if (!mark && host.querySelector(".part")) continue;
    mark ??= make("span", { className: "part" });
    if (!mark.isConnected) host.append(mark);
    Object.assign(mark.dataset, { text, number, hash });
  }
  marked();
}

// Behind each part a button, for the keyboard; a click on its words does the same.
export function marked() {
  for (const mark of document.querySelectorAll("span.part:not([data-ready])")) {
    mark.dataset.ready = "";
    const host = hostOf(mark);
    if (!host) continue;
    host.classList.add("desk-part");
    const begin = event => {
      event.stopPropagation();
      start(placeOf(mark));
    };
    mark.append(button("Edit", begin, { className: "desk-edit", ariaLabel: `Edit: ${begins(host)}` }));
    host.addEventListener("click", event => {
      const busy = event.target.closest("a, button, textarea, .desk-editor, summary");
      if (busy || String(getSelection())) return;
      if (event.target.closest(".desk-part") === host) begin(event);
    });
  }
  if (open && !open.form.isConnected) place();
  recount();
}

function place() {
  const host = hostOf(markOf(open.part));
  const at = document.activeElement === document.body;
  if (host) below(host, open.form);
  else document.querySelector("main").append(open.form);
  if (at) open.area.focus({ preventScroll: true });
}

async function start({ text, number }) {
  if (open) {
    if (open.part.text === text && open.part.number === number) return open.area.focus();
    if (!close()) return open.area.focus();
  }
  const turn = ++asked;
  const mine = unsavedOf({ text, number });
  const [status, answer] = await get("part", { text, number, hash: mine?.part.hash ?? "" });
  if (turn !== asked || open) return;
  const now = status === 200 ? answer : null;
  if (now && (!mine || mine.part.hash === now.hash || mine.words === now.words)) {
    build(now, mine);
    if (mine && now.number !== number) dropUnsaved({ text, number });
  } else if (mine) {
    build(mine.part, mine);
    if (now || status === 404) choose(now);
    else show([], problem(status, answer));
  } else tell(problem(status, answer));
}

// "mine" are words for it that nobody saved, where there are any.
function build(part, mine) {
  const { text, number, entry, about } = part;
  const area = make(entry ? "input" : "textarea", {
    value: mine?.words ?? part.words,
    spellcheck: true,
    dir: entry ? "" : "auto",
  });
  const caption = CAPTIONS[entry?.split(".").at(-1)] || "Words";
  const name = entry ? `${caption}, in ${text}` : text.split("/").slice(-2).join("/");
  const findings = make("div", { className: "desk-findings", role: "status" });
  const save = make("button", { type: "submit", textContent: "Save", className: "desk-main" });
  const other = button("Suggest", () => send("suggest", other));
  const more = button("Insert a value", null, { className: "desk-insert", ariaExpanded: "false" });
  const values = make("details", { className: "desk-values" });
  const form = make(
    "form",
    { className: entry ? "desk-editor desk-declared" : "desk-editor" },
    make("label", {}, make("span", { textContent: name }), area),
    findings,
    make(
      "div",
      { className: "desk-tools" },
      ...(may("edit") ? [save] : []),
      ...(may("suggest") ? [other] : []),
      ...(entry ? [] : [more]),
      button("Cancel", () => close(true)),
    ),
    values,
    panel(part, { host: hostOf(markOf(part)) }),
  );
  open = { part, area, form, findings, values, save, tokens: {}, before: part.words };
  know(part.tokens);
  know(Object.entries(mine?.tokens ?? {}).map(([token, expression]) => ({ token, expression })));
  const keep = () => (may("edit") ? send() : send("suggest", other));
  form.addEventListener("submit", event => {
    event.preventDefault();
    keep();
  });
  area.addEventListener("input", changed);
  if (!entry) {
    const chosen = (shows, expression) => {
      insert(shows, expression);
      changed();
    };
    finder(more, about, chosen, () => area.focus());
    carries(area, about, open.tokens);
    pastes(area, about, open.tokens, tell);
  }
  form.addEventListener("keydown", event => {
    if (event.key === "Escape") close();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      keep();
    }
  });
  sessionStorage.setItem(OPEN, JSON.stringify({ text, number }));
  place();
  recount();
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
  if (open.part.entry) return;
  const long = open.area.value.length > LONG;
  open.area.style.height = long ? "60vh" : "auto";
  if (!long) open.area.style.height = `${open.area.scrollHeight + 2}px`;
}

const edit = () => ({
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
  if (!open.part.entry) open.timer = setTimeout(look, QUIET);
}

function note() {
  const { part, area, tokens, before } = open;
  if (area.value === before) dropUnsaved(part);
  else storeUnsaved(part, { words: area.value, tokens, at: area.selectionStart });
}
addEventListener("pagehide", () => open && note()); // another tab may have dropped it

async function look() {
  const editor = open;
  editor?.asking?.abort();
  if (!editor) return;
  editor.asking = new AbortController();
  try {
    const [status, answer] = await post("look", edit(), editor.asking.signal);
    if (open !== editor) return;
    if (status === 200) {
      const nothing = "Nothing is left: saving this takes the part away.";
      show(answer.findings, editor.area.value.trim() ? "" : nothing);
    } else if (status === 409) tell("Somebody saved this meanwhile. Saving shows you both texts.");
    else show([], problem(status, answer));
  } catch {
    /* a later look took its place */
  }
}

// Boxes for findings, below one for words that are of all.
function show(findings, words = "") {
  const all = findings.map(one => {
    const box = make("p", { className: `found ${one.severity}` }, `${LABELS[one.severity]}${one.what}`);
    const plain = one.fixes?.length && one.fixes.every(fix => fix.kind === "print");
    if (one.mend && !plain) box.append(make("span", { className: "desk-mend", textContent: one.mend }));
    for (const fix of one.fixes || []) box.append(fixing(fix, one.fixes));
    return box;
  });
  if (words) all.unshift(make("p", { className: "found error", textContent: words }));
  open.findings.replaceChildren(...all);
}

// Where several print the same, the button names what each is of.
function fixing(fix, all) {
  const same = all.filter(one => one.shows === fix.shows).length > 1;
  const words =
    {
      claim: `State as a claim: ${fix.write}`,
      plain: fix.write ? `Write ${fix.write} for it` : "Take it away",
    }[fix.kind] || `Print ${fix.shows} from its fact${same ? `: ${fix.write}` : ""}`;
  return button(words, () => mend(fix), { className: "desk-fix", title: fix.write });
}

function mend(fix) {
  const { area } = open;
  const claimed = `[${fix.typed}]{claim="`;
  // Once stated it is not stated again, also before the checks have seen it.
  const stated = words =>
    words.includes(claimed) ? words : words.replace(fix.typed, () => `${claimed}${fix.write}"}`);
  if (fix.kind === "claim") rewrite(area, stated(area.value));
  else if (fix.kind === "plain") rewrite(area, area.value.replaceAll(fix.typed, fix.write));
  else insert(fix.shows, fix.write, fix.typed);
  area.focus();
  changed();
}

function insert(shows, expression, typed) {
  putValue(open.area, open.tokens, shows, expression, typed);
  know([]);
}

async function send(action = "save", by = open.save) {
  const editor = open,
    { part, area } = editor;
  if (by.disabled) return;
  clearTimeout(editor.timer);
  editor.asking?.abort();
  by.disabled = area.readOnly = true;
  const waits = setTimeout(
    () => open === editor && show([], "The desk has not answered yet. Your text is kept here."),
    SLOW,
  );
  // A title stands on the page at once; what else shows it, and all checks, take seconds.
  const host = part.entry && action === "save" && hostOf(markOf(part));
  const back = host ? reword(host, part.words, area.value) : () => {};
  const [status, answer] = await post(action, edit());
  clearTimeout(waits);
  by.disabled = area.readOnly = false;
  if (status !== 200) back();
  if (open !== editor) return;
  // The same words there: an earlier answer was lost on its way.
  if (status === 200 || (status === 409 && action === "save" && answer.now?.words === area.value)) {
    close(true);
    if (action === "suggest") {
      tell("Suggested.");
      return count();
    }
    const later = part.entry?.startsWith("figures") ? " The picture follows with the next build." : "";
    return tell(answer.commit ? `Saved as ${answer.commit.slice(0, 8)}.${later}` : "Saved.");
  }
  if (status === 409) return choose(answer.now);
  if (answer.issues?.length) show(answer.issues.map(one => ({ severity: "error", ...one })));
  else show([], problem(status, answer));
  see();
}

// Two people edited the same part: both texts, and who saves last chooses. "now" is
// null where it is gone.
function choose(now) {
  const adopt = theirs => {
    dropUnsaved(open.part);
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
  const box = make(
    "p",
    { className: "found held" },
    now
      ? "Somebody saved this part meanwhile. It reads now:"
      : "Somebody took this part away. Copy what you need of your words: Cancel drops them.",
    make("span", { className: "desk-theirs", textContent: now ? now.words : "" }),
  );
  if (now)
    box.append(
      button("Go on with my text", () => adopt(false), { className: "desk-fix" }),
      button("Take this one", () => adopt(true), { className: "desk-fix" }),
    );
  open.findings.replaceChildren(box);
  see();
}

// What is told is not below the edge of the window.
const see = () => open.findings.scrollIntoView({ block: "nearest", behavior: "instant" });

// Whether the editor is closed: words that nobody saved are kept, and asked for.
function close(forget = false) {
  if (!open) return true;
  if (!forget && open.area.value !== open.before) {
    show([], NOT_SAVED);
    see();
    return false;
  }
  clearTimeout(open.timer);
  open.asking?.abort();
  const { part, form } = open;
  dropUnsaved(part);
  sessionStorage.removeItem(OPEN);
  form.remove();
  open = null;
  recount();
  markOf(part)?.querySelector(".desk-edit")?.focus({ preventScroll: true });
  return true;
}

// The page was loaded again, and a part is open still, unless one opened another.
const left = sessionStorage.getItem(OPEN);
export function resume() {
  if (left && !open) start(JSON.parse(left));
}
