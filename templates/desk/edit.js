// Edits a part where it stands: the words of a part or a title open below it.
import { carries, pastes, putValue, rewrite } from "./area.js";
import {
  button,
  dropGone,
  dropUnsaved,
  get,
  goneOf,
  make,
  may,
  post,
  problem,
  storeGone,
  storeUnsaved,
  tell,
  unsaved,
  unsavedOf,
} from "./ask.js";
import { caretAt, chipsOf, shown, shownBy } from "./chips.js";
import { claimsPanel, weighed } from "./claims.js";
import { chipField, choosePlain, loadEditor, plainField, plainly } from "./field.js";
import { count, panel } from "./threads.js";
import { finder } from "./values.js";
import { begins, below, clicked, hostOf, markOf, placeOf, referred, reword } from "./words.js";

const QUIET = 400; // ms without a key until the checks are asked
const SLOW = 3000; // ms until who saves hears that nobody answered yet
const LONG = 20000; // characters from which on an area scrolls
const OPEN = `desk-open:${location.pathname}`; // what a page that is loaded again goes on with
const CAPTIONS = { title: "Title", subtitle: "Subtitle", question: "Question", caption: "Caption" };
const LABELS = { error: "Error: ", held: "Stops a final edition: ", warning: "Look at this: ", own: "" };
const NOT_SAVED = `This is not saved: ${may("edit") ? "Save" : "Suggest"} keeps it, Cancel puts it aside.`;
const KEPT =
  "Your words are kept as your draft, and in no text. Mend and save them, suggest them, or cancel to discard them.";
const SAVED = "Saved: it is on the page.";
const TABLE = /^[ \t]*\|/m;
const CELLS = "A table: each line is a row, and │ stands between its cells.";
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
      start(placeOf(mark), clicked(host, event));
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
  if (at) open.field.focus({ preventScroll: true });
}

// "around" are the words of the page before and after a click.
async function start({ text, number }, around) {
  if (open) {
    if (open.part.text === text && open.part.number === number) return open.field.focus();
    if (!close()) return open.field.focus();
  }
  const turn = ++asked;
  let mine = unsavedOf({ text, number });
  const asking = get("part", { text, number, hash: mine?.part.hash ?? "" });
  const [[status, answer], cm] = await Promise.all([asking, loadEditor()]);
  if (turn !== asked || open) return;
  const now = status === 200 ? answer : null;
  const draft = mine ? null : now?.draft; // of an earlier day, or of another browser
  if (draft) {
    const then = draft.hash === now.hash ? {} : { hash: draft.hash, words: draft.base };
    mine = { part: { ...now, ...then }, words: draft.words, tokens: draft.tokens, at: draft.words.length };
  }
  if (now && (!mine || mine.part.hash === now.hash || mine.words === now.words)) {
    build(now, mine, cm, around);
    if (mine && now.number !== number) dropUnsaved({ text, number });
  } else if (mine) {
    build(mine.part, mine, cm);
    if (now || status === 404) choose(now);
    else show([], problem(status, answer));
  } else tell(problem(status, answer));
}

// "mine" are words for it that nobody saved, where there are any.
function build(part, mine, cm, around) {
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
  const plain = button("Plain text", () => swap(), { className: "desk-plain" });
  const claims = button("Claims", null, { className: "desk-claim-button", ariaExpanded: "false" });
  const card = make("div", { className: "desk-card", role: "status", hidden: true });
  const values = make("details", { className: "desk-values" });
  const back = button("Bring back your words", bringBack, { className: "desk-back" });
  const form = make(
    "form",
    { className: entry ? "desk-editor desk-declared" : "desk-editor" },
    make("label", {}, make("span", { textContent: name }), area),
    ...(part.draft?.at
      ? [
          make("p", {
            className: "found own",
            textContent: `Your draft of ${part.draft.at.slice(0, 10)}, in no text yet: ${part.draft.why.at(-1)}`,
          }),
        ]
      : []),
    ...(TABLE.test(part.words) ? [make("p", { className: "desk-hint", textContent: CELLS })] : []),
    card,
    findings,
    make(
      "div",
      { className: "desk-tools" },
      ...(may("edit") ? [save] : []),
      ...(may("suggest") ? [other] : []),
      ...(entry ? [] : [more, claims]),
      ...(entry || !cm ? [] : [plain]),
      button("Cancel", cancel),
      back,
    ),
    values,
    panel(part, { host: hostOf(markOf(part)) }),
  );
  open = { part, area, form, findings, values, save, card, plain, more, cm, tokens: {}, before: part.words };
  open.known = new Map(); // what a token is of, and prints
  open.field = plainField(area);
  know(part.tokens);
  know(Object.entries(mine?.tokens ?? {}).map(([token, expression]) => ({ token, expression })));
  const keep = () => (may("edit") ? send() : send("suggest", other));
  form.addEventListener("submit", event => {
    event.preventDefault();
    keep();
  });
  area.addEventListener("input", changed);
  if (!entry) {
    const chosen = value => {
      insert(value);
      changed();
    };
    finder(more, about, chosen, () => open.field.focus());
    open.claims = claimsPanel(claims, {
      about,
      declared: part.declared,
      field: () => ({ words: area.value, chips: chipsOf(area.value, open.tokens, showing).chips }),
      write(words) {
        rewrite(open.field, area.value, words);
        changed();
      },
      left: () => open.field.focus(),
    });
    listen();
    if (cm && !plainly()) chips();
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
  offerBack();
  fit();
  open.field.focus();
  if (mine) open.field.select(mine.at);
  else if (around) {
    const { chips } = chipsOf(area.value, open.tokens, showing);
    open.field.select(caretAt(area.value, chips, ...around));
  }
  form.scrollIntoView({ block: "nearest", behavior: "instant" });
  if (mine) changed();
  meet(part.others);
}

// Who else has the part open; said where they come.
let met = "";
function meet(others = []) {
  const words = others.length ? `${others.join(" and ")} has this open as well.` : "";
  if (words && words !== met) tell(words);
  met = words;
}

// Copies and pastes of the field that is there.
function listen() {
  carries(open.field, open.part.about, open.tokens);
  pastes(open.field, open.part.about, open.tokens, tell);
}

function chips() {
  const name = `Words, in ${open.part.text}. Values and references are in one piece.`;
  const { cm, area, tokens } = open;
  open.field = chipField(cm, area, { name, tokens, about: named, showing, chosen: present });
  listen();
}

// From chips to the plain text and back; the choice holds for what is opened later.
function swap() {
  const place = open.field.at;
  const plain = open.field.dom !== open.area;
  choosePlain(plain);
  open.plain.ariaPressed = String(plain);
  open.field.end();
  open.field = plainField(open.area);
  if (!plain) chips();
  present(null);
  fit();
  open.field.select(...place);
  open.field.focus();
}

// What a reference or an expression without a short print shows.
const showing = words =>
  open.known.get(words)?.printed || referred(words) || shownBy(words.replace(/^\[?-?@|\]$/g, ""));

// The name of a chip, as it is heard: "value −34%, latency, RR20(100B)".
function named({ kind, shows, name }) {
  const about = open.known.get(name)?.about;
  if (kind === "value") return about ? `value ${shows}, ${about}` : `value ${shows}`;
  if (kind === "reference") return `reference ${shows}`;
  return kind === "claim" ? `claim: ${name}` : name;
}

// What stands behind the chip that one stands at, with what may be done to it.
function present(chip, clicked) {
  const { card } = open;
  card.hidden = !chip;
  if (!chip) return card.replaceChildren();
  const remove = button("Take it out", () => take(chip));
  const other = button("Another value", () => {
    open.field.select(chip.from, chip.to);
    open.more.click();
  });
  const { about, keys } = open.known.get(chip.name) ?? {};
  const expression = open.tokens[chip.name] ?? chip.name.replace(/^\{\{\s*|\s*\}\}$/g, "");
  const parts = {
    value: () => [
      make("p", {}, make("b", { textContent: chip.shows }), about ? ` ${about}` : ""),
      make("p", {}, "Printed by ", make("code", { textContent: expression })),
      make("div", { className: "desk-tools" }, ...leading(chip, keys), other, remove),
    ],
    claim: () => {
      const rows = make("ul", {}, make("li", { textContent: chip.name }));
      const study = /study="([^"]*)"/.exec(open.area.value.slice(chip.from, chip.to))?.[1];
      const claims = chip.name.split("; ");
      weighed(study || open.part.about, claims).then(said => rows.replaceChildren(...said));
      const change = button("Change", () => open.claims.open());
      return [rows, make("div", { className: "desk-tools" }, change, remove)];
    },
    reference: () => [
      make("p", {}, make("b", { textContent: chip.shows }), ` ${chip.name}`),
      make("div", { className: "desk-tools" }, remove),
    ],
  }[chip.kind];
  card.replaceChildren(...parts());
  if (clicked) card.scrollIntoView({ block: "nearest", behavior: "instant" });
}

function take({ from, to, name }) {
  const { field, area, tokens } = open;
  const pairs = chipsOf(area.value, tokens, showing).chips;
  const chip = pairs.find(one => one.from === from && one.to === to && one.name === name);
  const other = chip?.pair === undefined ? null : pairs[chip.pair];
  if (!chip) return;
  // Of a claim its words stay.
  const words = other
    ? area.value.slice(0, other.from) + area.value.slice(other.to, from) + area.value.slice(to)
    : area.value.slice(0, from) + area.value.slice(to);
  rewrite(field, area.value, words);
  field.select(Math.min(other ? from - (other.to - other.from) : from, words.length));
  field.focus();
  changed();
}

// A link that opens the card that the page has of a value.
function leading(chip, keys) {
  if (!keys?.length) return [];
  const link = make("a", {
    className: "value",
    href: `facts.html#${keys[0]}`,
    textContent: `Card of ${chip.shows}`,
  });
  link.dataset.keys = keys.join(" ");
  return [link];
}

function know(tokens) {
  for (const one of tokens) {
    open.tokens[one.token] = one.expression;
    if (one.printed) open.known.set(one.token, one);
  }
  const rows = Object.entries(open.tokens).map(([token, expression]) =>
    make("li", {}, make("b", { textContent: token }), " is ", make("code", { textContent: expression })),
  );
  open.values.hidden = !rows.length;
  open.values.replaceChildren(make("summary", { textContent: "Values" }), make("ul", {}, ...rows));
}

function fit() {
  if (open.part.entry || open.area.hidden) return;
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
  base: open.before,
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
  else storeUnsaved(part, { words: area.value, tokens, at: open.field.at[0] });
}
addEventListener("pagehide", () => open && note()); // another tab may have dropped it

async function look() {
  const editor = open;
  editor?.claims?.renew();
  editor?.asking?.abort();
  if (!editor) return;
  editor.asking = new AbortController();
  try {
    const [status, answer] = await post("look", edit(), editor.asking.signal);
    if (open !== editor) return;
    if (status === 200) {
      const nothing = "Nothing is left: saving this takes the part away.";
      meet(answer.others);
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
  const { area, field } = open;
  const claimed = `[${fix.typed}]{claim="`;
  // Once stated it is not stated again, also before the checks have seen it.
  const stated = words =>
    words.includes(claimed) ? words : words.replace(fix.typed, () => `${claimed}${fix.write}"}`);
  if (fix.kind === "claim") rewrite(field, area.value, stated(area.value));
  else if (fix.kind === "plain") rewrite(field, area.value, area.value.replaceAll(fix.typed, fix.write));
  else insert({ shows: fix.shows, expression: fix.write, typed: fix.typed });
  field.focus();
  changed();
}

function insert({ shows, expression, about = "", typed = "" }) {
  const { field, area, tokens } = open;
  const token = putValue(field, area.value, tokens, { shows, expression, typed });
  know([{ token, expression, printed: shows, about }]);
  field.redraw();
}

async function send(action = "save", by = open.save) {
  const editor = open,
    { part, area } = editor;
  if (by.disabled) return;
  clearTimeout(editor.timer);
  editor.asking?.abort();
  by.disabled = true;
  editor.field.freeze(true);
  const waits = setTimeout(
    () => open === editor && show([], "The desk has not answered yet. Your text is kept here."),
    SLOW,
  );
  // A title stands on the page at once; what else shows it, and all checks, take seconds.
  const host = part.entry && action === "save" && hostOf(markOf(part));
  const back = host ? reword(host, part.words, area.value) : () => {};
  const [status, answer] = await post(action, edit());
  clearTimeout(waits);
  by.disabled = false;
  editor.field.freeze(false);
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
    dropGone(part);
    return tell(`${answer.commit ? SAVED : "Saved."}${later}`, answer.commit);
  }
  if (status === 409) return choose(answer.now, answer.merged);
  if (answer.draft) part.draft = true;
  const kept = answer.draft ? [{ severity: "own", what: KEPT }] : [];
  if (answer.issues?.length) show([...answer.issues.map(one => ({ severity: "error", ...one })), ...kept]);
  else show([], problem(status, answer));
  see();
}

// Two people edited the same part: both texts, and both as one. "now" is null where it
// is gone, "merged" where they cannot be one.
async function choose(now, merged) {
  const editor = open;
  if (now && merged === undefined) merged = (await post("look", edit()))[1].merged;
  if (open !== editor) return;
  const adopt = (words, tokens) => {
    storeGone(open.part, { words: open.area.value, tokens: { ...open.tokens } });
    dropUnsaved(open.part);
    open.part = now;
    know(now.tokens);
    know(Object.entries(tokens).map(([token, expression]) => ({ token, expression })));
    open.before = now.words;
    rewrite(open.field, open.area.value, words);
    open.field.redraw();
    show([]);
    offerBack();
    changed();
    open.field.focus();
  };
  const clashes = merged?.clashes ?? [];
  // Another's words as the page shows them.
  const tokens = { ...editor.tokens, ...merged?.tokens };
  for (const one of now?.tokens ?? []) tokens[one.token] = one.expression;
  const read = words => shown(words, chipsOf(words, tokens, showing).chips).seen;
  const box = make(
    "p",
    { className: "found held" },
    now
      ? "Somebody saved this part meanwhile. It reads now:"
      : "Somebody took this part away. Your words stay here: copy what you need of them.",
    make("span", { className: "desk-theirs", textContent: now ? read(now.words) : "" }),
  );
  if (clashes.length)
    box.append("You both changed the same sentence. With both texts yours stands, and not theirs:");
  for (const { theirs } of clashes)
    box.append(make("span", { className: "desk-theirs", textContent: read(theirs) || "(taken away)" }));
  const both = merged ?? { words: editor.area.value, tokens: {} };
  if (now)
    box.append(
      button(merged ? "Go on with both texts" : "Go on with my text", () => adopt(both.words, both.tokens), {
        className: "desk-fix",
      }),
      button("Take this one", () => adopt(now.words, {}), { className: "desk-fix" }),
    );
  open.findings.replaceChildren(box);
  see();
}

// What was cancelled, or gave way to another's words, can be brought back.
function cancel() {
  const { part, area, tokens, before } = open;
  const gone = area.value !== before;
  if (gone) storeGone(part, { words: area.value, tokens });
  if (part.draft) post("discard", edit());
  close(true);
  if (gone) tell("Cancelled. Your words are kept: open the part again to bring them back.");
}

function offerBack() {
  const gone = goneOf(open.part);
  open.form.querySelector(".desk-back").hidden = !gone || gone.words === open.area.value;
}

function bringBack() {
  const { words, tokens } = goneOf(open.part);
  if (open.area.value === open.before) dropGone(open.part);
  else storeGone(open.part, { words: open.area.value, tokens: { ...open.tokens } });
  know(Object.entries(tokens).map(([token, expression]) => ({ token, expression })));
  rewrite(open.field, open.area.value, words);
  open.field.redraw();
  offerBack();
  changed();
  open.field.focus();
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
  const { part, form, field } = open;
  dropUnsaved(part);
  sessionStorage.removeItem(OPEN);
  open = null;
  field.end();
  form.remove();
  recount();
  const mark = markOf(part);
  mark?.querySelector(".desk-edit")?.focus({ preventScroll: true });
  hostOf(mark)?.scrollIntoView({ block: "nearest", behavior: "instant" }); // a long editor is gone
  return true;
}

// The page was loaded again, and a part is open still, unless one opened another.
const left = sessionStorage.getItem(OPEN);
export function resume() {
  const query = new URLSearchParams(location.search);
  const [text, number] = [query.get("open"), Number(query.get("number"))];
  if (text) history.replaceState(null, "", location.pathname);
  if (open) return;
  if (text) start({ text, number });
  else if (left) start(JSON.parse(left));
}
