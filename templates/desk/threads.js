// Threads: comments and suggestions at their places, and a panel of those of one place.
import { button, get, make, may, post, problem, storedArea, tell } from "./ask.js";
import {
  below,
  choices,
  hostOf,
  markIn,
  markOf,
  placeOf,
  rangeOf,
  seenNow,
  selected,
  steadily,
} from "./words.js";

const OPEN = `desk-remark:${location.pathname}`;
const MARKS = { gone: "del", new: "ins", same: "span" };
const DONE = { open: "Replied.", resolved: "Resolved." };
const threads = new Map(); // comments, by their places
const key = place => (place.text ? `${place.text}#${place.number}` : place.figure || place.value);
let asked = 0;
let last = null; // words that were selected
let box = null, // the threads of a place that is no part's, or that was clicked
  pointed = null; // the value that the pointer or a click was on last
document.addEventListener("selectionchange", () => {
  last = selected() || last;
});

const counted = many => (many === 1 ? "1 comment" : `${many} comments`);
const openOnes = place => (threads.get(key(place)) || []).filter(one => one.state === "open");
const failed = (status, answer) =>
  make("p", { className: "found error", role: "alert", textContent: problem(status, answer) });

// Asks for all threads, and puts them beside their places. Who asked before the last one
// waits for that answer, which is newer.
let latest = null;
export const count = () => {
  latest = refresh();
  return latest;
};

async function refresh() {
  const turn = ++asked;
  const [status, answer] = await get("threads", {});
  if (turn !== asked) return latest;
  if (status !== 200) return;
  const comments = answer.threads.filter(one => !one.suggests);
  threads.clear();
  for (const one of comments) threads.set(key(one), [...(threads.get(key(one)) || []), one]);
  const link = document.querySelector(".desk-comments");
  link.textContent = answer.open ? `Comments (${answer.open})` : "Comments";
  steadily(() => {
    for (const mark of document.querySelectorAll("span.part")) beside(mark);
    suggestions(answer.threads.filter(one => one.suggests));
    again();
    for (const talk of document.querySelectorAll(".desk-talk")) talk.update();
  });
  for (const value of document.querySelectorAll("a.value"))
    value.classList.toggle("desk-commented", openOnes({ value: value.dataset.keys }).length > 0);
  highlight(comments);
}

function beside(mark) {
  const place = placeOf(mark);
  const many = openOnes(place).length;
  const old = mark.querySelector(".desk-count");
  if (many && old) old.textContent = counted(many);
  else old?.remove();
  if (!many || old) return;
  const show = event => {
    event.stopPropagation();
    remark(placeOf(mark));
  };
  mark.append(button(counted(many), show, { className: "desk-count" }));
}

function highlight(comments) {
  if (!("highlights" in CSS)) return;
  const ranges = comments
    .filter(one => one.state === "open" && one.quote && one.text)
    .map(one => [hostOf(markOf(one)), one.quote])
    .map(([host, quote]) => host && rangeOf(host, quote))
    .filter(Boolean);
  CSS.highlights.set("desk-quoted", new Highlight(...ranges));
}

// Suggestions as tracked changes; what stands there already stays, with the button that
// somebody is at.
function suggestions(all) {
  const old = new Map(
    [...document.querySelectorAll(".desk-suggestion")].map(one => [one.dataset.thread, one]),
  );
  for (const one of all) {
    const host = one.number === null ? null : hostOf(markOf(one));
    if (host && !old.delete(JSON.stringify(one))) below(host, suggestion(one));
  }
  for (const gone of old.values()) gone.remove();
}

// The words that go and come, and what an author may do with them.
function suggestion(one) {
  const by = one.remarks[0].by;
  const words = one.pieces.flatMap(([kind, words]) => [make(MARKS[kind], { textContent: words }), " "]);
  const section = make(
    "section",
    { className: "desk-suggestion", ariaLabel: `Suggestion by ${by}` },
    make("p", { className: "desk-by", textContent: `${by} suggests` }),
    make("p", {}, ...words),
  );
  section.dataset.thread = JSON.stringify(one);
  const why = make("input", { maxLength: 1000 });
  const sent = storedArea(why, `why:${one.id}`);
  const settle = async (verb, accept, done) => {
    for (const each of tools.querySelectorAll("button")) each.disabled = true;
    const said = { about: one.about, id: one.id, accept, why: why.value };
    const [status, answer] = await post(verb, said);
    if (status === 200) {
      const within = section.contains(document.activeElement) || document.activeElement === document.body;
      section.remove();
      sent();
      if (within) markOf(one)?.querySelector(".desk-edit")?.focus({ preventScroll: true });
      return tell(done, answer.commit);
    }
    for (const each of tools.querySelectorAll("button")) each.disabled = false;
    if (!section.isConnected) return tell(problem(status, answer));
    section.append(failed(status, answer));
  };
  const decline = () => settle("decide", false, "Declined.");
  const withdraw = () => settle("withdraw", false, "Withdrawn.");
  const tools = make("div", { className: "desk-tools" });
  if (may("decide"))
    tools.append(
      button("Accept", () => settle("decide", true, `Accepted: ${by}’s words are saved.`)),
      button("Decline", decline),
    );
  if (one.mine) tools.append(button("Withdraw", withdraw));
  if (tools.children.length) {
    why.addEventListener("keydown", event => {
      if (event.key === "Enter") (may("decide") ? decline : withdraw)();
    });
    tools.append(make("label", { className: "desk-why" }, "Reason ", why));
    section.append(tools);
  }
  return section;
}

// The threads of a place, with a form for one more; "quote" are the words it is about.
export function panel(place, { quote = "", host = null, ready = false, done = () => {} } = {}) {
  const talk = make("div", { className: "desk-talk" });
  fill(talk, place, { quote, host, ready, done });
  return talk;
}

const remarkOf = one =>
  make("p", { className: "desk-words" }, make("b", { textContent: one.by }), ` ${one.words}`);

function fill(talk, place, given) {
  const { text = "", number = -1, hash = "", value = "", figure = "" } = place;
  const about = topic(given);
  const begin = words => ({ words, text, number, hash, value, figure, ...about.chosen() });
  const form = may("comment") ? [ask("Comment", begin, given.ready, about.parts)] : [];
  talk.replaceChildren(...openOnes(place).map(thread), ...form);
  // What others say while it is open comes into it; what one writes there stays.
  talk.update = () => {
    const shown = new Map([...talk.querySelectorAll("section")].map(one => [one.dataset.thread, one]));
    for (const one of openOnes(place)) {
      const section = shown.get(one.id);
      shown.delete(one.id);
      const known = section ? [...section.querySelectorAll("p.desk-words")] : [];
      if (section) known.at(-1).after(...one.remarks.slice(known.length).map(remarkOf));
      else talk.insertBefore(thread(one), talk.querySelector(":scope > .desk-ask"));
    }
    for (const gone of shown.values()) if (!gone.contains(document.activeElement)) gone.remove();
  };

  function thread(one) {
    const now = one.now && one.now !== one.quote ? ` It prints ${one.now} now.` : "";
    const quote = one.quote ? [make("blockquote", { textContent: one.quote + now })] : [];
    const answer = (words, state) => ({ about: one.about, thread: one.id, words, state });
    const section = make("section", {}, ...quote, ...one.remarks.map(remarkOf));
    section.dataset.thread = one.id;
    if (may("comment"))
      section.append(
        ask("Reply", words => answer(words, "open"), false, [], one.id),
        sends("Resolve", () => answer(DONE.resolved, "resolved")),
      );
    return section;
  }

  // Words that nobody sent are kept until they are.
  function ask(name, bodyOf, isOpen, more, id = "") {
    const area = make("textarea", { rows: 2, ariaLabel: name, maxLength: 10000 });
    const sent = storedArea(area, `${key(place)}:${id}`);
    const body = () => area.value.trim() && bodyOf(area.value.trim());
    const send = sends(name, body, sent, id ? () => {} : given.done);
    area.addEventListener("keydown", event => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      event.stopPropagation();
      send.click();
    });
    const summary = make("summary", { textContent: name });
    const opened = isOpen || Boolean(area.value);
    return make("details", { className: "desk-ask", open: opened }, summary, ...more, area, send);
  }

  function sends(name, bodyOf, sent = () => {}, done = () => {}) {
    const made = button(name, async () => {
      const body = bodyOf();
      if (!body) return;
      made.disabled = true;
      const [status, answer] = await post("comment", body);
      made.disabled = false;
      made.parentElement.querySelector(".found.error")?.remove();
      if (status === 409) seenNow(place);
      if (status !== 200) return made.after(failed(status, answer));
      sent();
      last = null;
      await count();
      fill(talk, place, { ...given, quote: "", ready: false });
      if (document.activeElement === document.body)
        talk.querySelector("summary, button")?.focus({ preventScroll: true });
      done();
    });
    return made;
  }
}

// What a comment is about within its place: words that are given, or one's choice.
function topic({ quote, host }) {
  if (quote) return { parts: [make("blockquote", { textContent: quote })], chosen: () => ({ quote }) };
  const all = host ? choices(host) : [];
  const marked = host && last && host.contains(last.first);
  if (marked) all.unshift({ quote: last.quote });
  if (!all.length) return { parts: [], chosen: () => ({}) };
  const shown = words => (words.length > 70 ? `${words.slice(0, 69)}…` : words);
  const options = ["All of it", ...all.map(one => shown(one.quote))];
  const select = make("select", {}, ...options.map(textContent => make("option", { textContent })));
  if (marked) select.selectedIndex = 1;
  const parts = [make("label", {}, make("span", { textContent: "About" }), select)];
  return { parts, chosen: () => all[select.selectedIndex - 1] || {} };
}

// Opens the threads of a place below an element, with a form for one more.
function remark(place, quote = "") {
  leave();
  const host = elementOf(place);
  if (!host) return;
  const close = button("Close", leave);
  const section = make(
    "section",
    { className: "desk-editor desk-remark", ariaLabel: "Comments" },
    panel(place, {
      quote,
      host: place.text && !quote ? host : null,
      ready: !openOnes(place).length || Boolean(quote),
      done: leave,
    }),
    make("div", { className: "desk-tools" }, close),
  );
  section.addEventListener("keydown", event => {
    if (event.key === "Escape") leave();
  });
  box = { place, section, from: document.activeElement };
  sessionStorage.setItem(OPEN, JSON.stringify({ place, quote }));
  put();
  ([...section.querySelectorAll(".desk-ask[open] textarea")].at(-1) || close).focus();
}

function elementOf(place) {
  if (place.text) return hostOf(markOf(place));
  if (place.figure) return document.getElementById(place.figure)?.closest("main *");
  return [...document.querySelectorAll("a.value")].find(one => one.dataset.keys === place.value);
}

function put() {
  const { place, section } = box;
  const host = elementOf(place);
  if (!host) return document.querySelector("main").append(section);
  if (place.text) return below(host, section);
  const whole = host.closest(".figure-card") || host.closest("figure, .table-scroll, table, p, li, dd");
  (whole || host).after(section);
}

function leave() {
  if (!box) return;
  const { section, from } = box;
  box = null;
  sessionStorage.removeItem(OPEN);
  section.remove();
  if (from?.isConnected) from.focus({ preventScroll: true });
}

// After changes of the page each figure has a button among its links, and what is open
// stands at its place.
export function again() {
  if (!may("comment")) return;
  for (const figure of document.querySelectorAll("main figure[id]")) {
    const card = figure.closest(".figure-card");
    const place = { figure: figure.id };
    let comment = (card || figure).querySelector(".desk-figure");
    if (!comment) {
      comment = button("", () => remark(place), { className: "desk-figure" });
      comment.dataset.name = figure.querySelector("figcaption .label")?.textContent || "this picture";
      const links = card?.querySelector(".figure-links p");
      if (links) links.append(" · ", comment);
      else figure.append(comment);
    }
    const many = openOnes(place).length;
    const words = many ? counted(many) : "Comment";
    Object.assign(comment, { textContent: words, ariaLabel: `${words} on ${comment.dataset.name}` });
  }
  if (box && !box.section.isConnected) put();
}

// The page was loaded again, and threads are open still, unless one opened others.
const left = sessionStorage.getItem(OPEN);
export function resumeRemark() {
  if (!left || box || !may("comment")) return;
  const { place, quote } = JSON.parse(left);
  remark(place, quote);
}

// The card of a value leads to comments on that value.
function onCard(card) {
  if (!pointed || card.querySelector(".desk-remark-value") || !card.querySelector(".card-fact, dl")) return;
  const link = pointed;
  const comment = () => {
    card.hidePopover();
    const mark = markIn(link);
    const place = { ...(mark ? placeOf(mark) : {}), value: link.dataset.keys };
    remark(place, link.textContent.trim());
  };
  card.append(button("Comment", comment, { className: "desk-remark-value" }));
}

// Selected words get a button beside them.
const floating = button(
  "Comment",
  () => {
    const { place, quote } = floating;
    floating.hidden = true;
    getSelection().removeAllRanges();
    remark(place, quote);
  },
  { className: "desk-float", hidden: true },
);
floating.addEventListener("mousedown", event => event.preventDefault());

function follow() {
  const words = selected();
  const place = words && spokenOf(words.first);
  floating.hidden = !place;
  if (!place) return;
  Object.assign(floating, { place, quote: place.figure ? "" : words.quote });
  const at = [...words.range.getClientRects()].at(-1) || words.range.getBoundingClientRect();
  floating.style.top = `${at.bottom + scrollY + 6}px`;
  floating.style.left = `${Math.max(8, Math.min(at.right + scrollX - 40, innerWidth - 110))}px`;
}

function spokenOf(element) {
  const mark = markIn(element);
  if (mark) return placeOf(mark);
  const figure = element.closest("figure[id]");
  if (figure) return { figure: figure.id };
  const value = element.closest("a.value") || element.closest("td")?.querySelector("a.value");
  return value ? { value: value.dataset.keys } : null;
}

export function remarks() {
  if (!may("comment")) return;
  document.body.append(floating);
  let timer;
  document.addEventListener("selectionchange", () => {
    clearTimeout(timer);
    timer = setTimeout(follow, 150);
  });
  const point = event => {
    pointed = event.target.closest?.("a.value") || pointed;
  };
  for (const kind of ["pointerover", "click"]) document.addEventListener(kind, point, true);
  const watch = () => {
    const card = document.querySelector(".note-card:not(.cite-card)");
    if (card) new MutationObserver(() => onCard(card)).observe(card, { childList: true });
  };
  if (document.readyState === "complete") watch();
  else addEventListener("load", watch); // the page makes its card when it is there
}
