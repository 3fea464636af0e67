// Asks the desk.

const PATIENCE = 60000; // ms until a desk that does not answer is given up

async function send(path, body, signal) {
  const ends = AbortSignal.timeout(PATIENCE);
  return fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: signal && AbortSignal.any ? AbortSignal.any([signal, ends]) : (signal ?? ends),
    redirect: "manual", // to where one signs in: the session has ended
  });
}

// As long as something is sent, the page is not loaded anew: its answer would be lost.
let waiting = 0;
function busy(more) {
  waiting += more;
  if (waiting) document.documentElement.dataset.busy = "";
  else delete document.documentElement.dataset.busy;
}

// The status and the answer; a status of 0 means that nobody answers. What has a signal
// may be given up.
export async function post(path, body, signal) {
  if (!signal) busy(1);
  try {
    const answer = await send(path, body, signal);
    if (answer.type === "opaqueredirect") return [401, {}];
    return [answer.status, await answer.json().catch(() => ({}))];
  } catch (error) {
    if (error.name === "AbortError") throw error;
    return [0, {}];
  } finally {
    if (!signal) busy(-1);
  }
}

export async function get(path, query) {
  try {
    const answer = await fetch(`${path}?${new URLSearchParams(query)}`, { redirect: "manual" });
    if (answer.type === "opaqueredirect") return [401, {}];
    const json = await answer.json().catch(() => null);
    return answer.ok && !json ? [401, {}] : [answer.status, json ?? {}]; // a page to sign in
  } catch {
    return [0, {}];
  }
}

// What to tell a person of an answer that is none.
export function problem(status, answer) {
  if (answer.issues?.length)
    return answer.issues.map(one => [one.what, one.mend].filter(Boolean).join("\n")).join("\n");
  return (
    {
      0: "The desk does not answer. Your text is kept here.",
      401: "Your session has ended. Sign in again in another tab, then repeat this. Your text is kept here.",
      403: "You may not do this here, or your session has ended: look in another tab. Your text is kept here.",
      404: "This is not there any more. Copy what you need of your text, which is kept here.",
      409: "Somebody changed these words meanwhile. Look at them, then send this again.",
      413: "This is too long: a part has a few thousand characters. It is not saved.",
      429: "Too much at once: wait a minute. Your text is kept here.",
    }[status] || "The desk cannot read this."
  );
}

export function make(tag, properties = {}, ...inside) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...inside);
  return made;
}

export const button = (words, act, properties = {}) => {
  const made = make("button", { type: "button", textContent: words, ...properties });
  if (act) made.addEventListener("click", act);
  return made;
};

// What whoever sits here may do, as the page says it.
const allowed = document.querySelector("meta[name=desk-may]")?.content.split(" ") || [];
export const may = action => allowed.includes(action);

// Words for the bar, with a button that undoes the commit which they are of; where the
// page is loaded anew by what was saved, once more there.
const NEWS = "desk-news";
export function tell(words, commit = "") {
  sessionStorage.setItem(NEWS, JSON.stringify([words, Date.now(), commit]));
  put(words, commit);
}
const put = (words, commit) =>
  document.querySelector(".desk-status").replaceChildren(words, ...undoing(commit, tell));

export function tellAgain() {
  const [words, when, commit] = JSON.parse(sessionStorage.getItem(NEWS) || "[]");
  if (Date.now() - when < 15000) put(words, commit);
}

/** A button that undoes a commit, and hands on what to tell of that; none without one. */
export function undoing(commit, done) {
  if (!commit) return [];
  const undo = async () => {
    made.disabled = true;
    const [status, answer] = await post("undo", { commit });
    done(status === 200 ? "Undone." : problem(status, answer), status === 200 ? answer.commit : "");
  };
  const made = button("Undo", undo, { className: "desk-undo" });
  return [" ", made];
}

// Words that nobody saved outlive the page, if a browser has room for them.
export function store(name, words) {
  try {
    localStorage.setItem(name, words);
  } catch {
    localStorage.removeItem(name);
  }
}

// What is written in an area that has a name on this page: it is there again when the
// page is, until the returned function says that it was sent.
export function storedArea(area, place) {
  const name = `desk-say:${location.pathname}:${place}`;
  area.value = localStorage.getItem(name) ?? "";
  area.addEventListener("input", () => store(name, area.value));
  return () => localStorage.removeItem(name);
}

// Words of parts that nobody saved, with the part that they were written for.
const UNSAVED = `desk:${location.pathname}:`;
const nameOf = ({ text, number }) => `${UNSAVED}${text}#${number}`;
const known = new Map(); // what this page read or wrote last, by name

// The part as it was, its words and values, and where the cursor stood; or null.
export function unsavedOf(part) {
  const words = localStorage.getItem(nameOf(part));
  known.set(nameOf(part), words);
  try {
    return JSON.parse(words);
  } catch {
    return null;
  }
}

export function storeUnsaved(part, words) {
  const written = JSON.stringify({ part, ...words });
  known.set(nameOf(part), written);
  store(nameOf(part), written);
}

// What another tab wrote meanwhile stays: it has words of its own there.
export function dropUnsaved(part) {
  const name = nameOf(part);
  if (localStorage.getItem(name) === known.get(name)) localStorage.removeItem(name);
}

// Words of a part that were cancelled, or gave way to another's; null where none are kept.
const GONE = `desk-gone:${location.pathname}:`;
const goneName = ({ text, number }) => `${GONE}${text}#${number}`;
export const storeGone = (part, words) => store(goneName(part), JSON.stringify(words));
export const dropGone = part => localStorage.removeItem(goneName(part));
export const goneOf = part => JSON.parse(localStorage.getItem(goneName(part)) ?? "null");

export const unsaved = () =>
  Object.keys(localStorage)
    .map(name => name.startsWith(UNSAVED) && name.slice(UNSAVED.length).match(/^(.*)#(\d+)$/))
    .filter(Boolean)
    .map(([, text, number]) => ({ text, number: Number(number) }));
