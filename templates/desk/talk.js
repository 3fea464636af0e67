// Threads of comments: counts beside their places, and a panel of those of one place.
import { get, keptArea, make, may, post, problem } from "./ask.js";
import { choices, hostOf, markOf, placeOf, rangeOf, seenNow, selected, steadily } from "./words.js";

const threads = new Map();
const SAID = "desk-said"; // of the words that somebody speaks of
const key = place => (place.text ? `${place.text}#${place.number}` : place.figure || place.value);
const at = ({ text = "", number = -1, hash = "", value = "", figure = "" }) => ({
  text,
  number,
  hash,
  value,
  figure,
});
let last = null; // words that were selected
let show = _place => {}; // opens the threads of a place
document.addEventListener("selectionchange", () => {
  last = selected() || last;
});

export const counted = many => (many === 1 ? "1 comment" : `${many} comments`);
export const openOnes = place => (threads.get(key(place)) || []).filter(one => one.state === "open");

// What a click on a count does.
export const shows = opens => {
  show = opens;
};

// Asks for all threads, counts them in the bar and beside their places.
export async function count() {
  const [status, said] = await get("threads", {});
  if (status !== 200) return;
  threads.clear();
  for (const one of said.threads) threads.set(key(one), [...(threads.get(key(one)) || []), one]);
  const link = document.querySelector(".desk-comments");
  link.textContent = said.open ? `Comments (${said.open})` : "Comments";
  steadily(() => {
    for (const mark of document.querySelectorAll("span.part")) beside(mark);
    document.dispatchEvent(new Event("counted"));
  });
  for (const value of document.querySelectorAll("a.value"))
    value.classList.toggle("desk-told", openOnes({ value: value.dataset.keys }).length > 0);
  highlight(said.threads);
}

document.addEventListener("counted", () => {
  for (const box of document.querySelectorAll(".desk-talk")) box.hears();
});

function beside(mark) {
  const place = placeOf(mark);
  const own = openOnes(place).length;
  const old = mark.querySelector(".desk-count");
  if (own && old) old.textContent = counted(own);
  else old?.remove();
  if (!own || old) return;
  const button = make("button", { type: "button", className: "desk-count", textContent: counted(own) });
  button.addEventListener("click", event => {
    event.stopPropagation();
    show(place);
  });
  mark.append(button);
}

function highlight(all) {
  if (!("highlights" in CSS)) return;
  const ranges = all
    .filter(one => one.state === "open" && one.quote && one.text)
    .map(one => [hostOf(markOf(one)), one.quote])
    .map(([host, quote]) => host && rangeOf(host, quote))
    .filter(Boolean);
  CSS.highlights.set(SAID, new Highlight(...ranges));
}

// The threads of a place, with a form for one more; "quote" are the words it is about.
export function panel(place, { quote = "", host = null, ready = false, done = _name => {} } = {}) {
  const box = make("div", { className: "desk-talk" });
  fill(box, place, { quote, host, ready, done });
  return box;
}

// What others say while a panel is open comes into it; what one writes there stays.
function hear(box, place, thread) {
  const shown = new Map([...box.querySelectorAll("section")].map(one => [one.dataset.thread, one]));
  for (const one of openOnes(place)) {
    const own = shown.get(one.id);
    shown.delete(one.id);
    if (!own) box.insertBefore(thread(one), box.querySelector(":scope > .desk-ask"));
    else
      own.querySelectorAll("p.desk-words").forEach((old, n, all) => {
        if (n === all.length - 1) old.after(...one.said.slice(all.length).map(spokenWords));
      });
  }
  for (const gone of shown.values()) if (!gone.contains(document.activeElement)) gone.remove();
}

const spokenWords = said =>
  make("p", { className: "desk-words" }, make("b", { textContent: said.by }), ` ${said.words}`);

function fill(box, place, given) {
  const about = spoken(given);
  const begin = may("comment")
    ? [ask("Comment", words => ({ words, ...at(place), ...about.said() }), given.ready, about.parts)]
    : [];
  box.replaceChildren(...openOnes(place).map(one => thread(one)), ...begin);
  box.hears = () => hear(box, place, thread);

  function thread(one) {
    const words = one.said.map(spokenWords);
    const now = one.now && one.now !== one.quote ? ` It prints ${one.now} now.` : "";
    const quote = one.quote ? [make("blockquote", { textContent: one.quote + now })] : [];
    const named = { about: one.about, thread: one.id };
    const answers = may("comment")
      ? [
          ask("Reply", words => ({ ...named, words, state: "open" }), false, [], one.id),
          button("Resolve", () => ({ ...named, words: "Resolved.", state: "resolved" })),
        ]
      : [];
    const made = make("section", {}, ...quote, ...words, ...answers);
    made.dataset.thread = one.id;
    return made;
  }

  // Words that nobody sent are kept until they are.
  function ask(name, said, open, more, id = "") {
    const area = make("textarea", { rows: 2, ariaLabel: name, maxLength: 10000 });
    const sent = keptArea(area, `${key(place)}:${id}`);
    const send = button(name, () => area.value.trim() && said(area.value.trim()), sent);
    area.addEventListener("keydown", event => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      event.stopPropagation();
      send.click();
    });
    return make(
      "details",
      { className: "desk-ask", open: open || Boolean(area.value) },
      make("summary", { textContent: name }),
      ...more,
      area,
      send,
    );
  }

  function button(name, said, sent = () => {}) {
    const made = make("button", { type: "button", textContent: name });
    made.addEventListener("click", async () => {
      const what = said();
      if (!what) return;
      made.disabled = true;
      const [status, answer] = await post("comment", what);
      made.disabled = false;
      made.parentElement.querySelector(".found.error")?.remove();
      if (status === 409) seenNow(place);
      if (status !== 200)
        return made.after(
          make("p", { className: "found error", role: "alert", textContent: problem(status, answer) }),
        );
      sent();
      last = null;
      await count();
      fill(box, place, { ...given, quote: "", ready: false });
      if (document.activeElement === document.body)
        box.querySelector("summary, button")?.focus({ preventScroll: true });
      given.done(name);
    });
    return made;
  }
}

// What a comment is about within its place: words that are given, or one's choice.
function spoken({ quote, host }) {
  if (quote) return { parts: [make("blockquote", { textContent: quote })], said: () => ({ quote }) };
  if (!host) return { parts: [], said: () => ({}) };
  const all = choices(host);
  if (last && host.contains(last.first)) all.unshift({ quote: last.quote });
  const select = make(
    "select",
    {},
    make("option", { textContent: "All of it" }),
    ...all.map(one =>
      make("option", { textContent: one.quote.length > 70 ? `${one.quote.slice(0, 69)}…` : one.quote }),
    ),
  );
  if (last && host.contains(last.first)) select.selectedIndex = 1;
  const parts = all.length ? [make("label", {}, make("span", { textContent: "About" }), select)] : [];
  return { parts, said: () => all[select.selectedIndex - 1] || {} };
}
