// Asks the desk. An old pass, as after the server was started again, is renewed once.
let token = "";

async function renew() {
  const answer = await fetch("/token", { redirect: "manual" });
  token = answer.ok ? (await answer.json()).token : "";
}

const PATIENCE = 60000; // ms until a desk that does not answer is given up

async function send(path, said, signal) {
  const own = AbortSignal.timeout(PATIENCE);
  return fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Desk-Token": token },
    body: JSON.stringify(said),
    signal: signal && AbortSignal.any ? AbortSignal.any([signal, own]) : (signal ?? own),
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

// The status and what is said; a status of 0 means that nobody answers. What has a signal
// may be given up.
export async function post(path, said, signal) {
  if (!signal) busy(1);
  try {
    if (!token) await renew();
    let answer = await send(path, said, signal);
    if (answer.status === 403) {
      await renew();
      answer = await send(path, said, signal);
    }
    if (answer.type === "opaqueredirect") return [401, {}];
    return [answer.status, await answer.json().catch(() => ({}))];
  } catch (error) {
    if (error.name === "AbortError") throw error;
    return [0, {}];
  } finally {
    if (!signal) busy(-1);
  }
}

export async function get(path, named) {
  try {
    const answer = await fetch(`${path}?${new URLSearchParams(named)}`, { redirect: "manual" });
    if (answer.type === "opaqueredirect") return [401, {}];
    const said = await answer.json().catch(() => null);
    return answer.ok && !said ? [401, {}] : [answer.status, said ?? {}]; // a page to sign in
  } catch {
    return [0, {}];
  }
}

// What to tell a person of an answer that is none.
export function problem(status, said) {
  if (said.issues?.length)
    return said.issues.map(one => [one.what, one.mend].filter(Boolean).join("\n")).join("\n");
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

export function make(tag, named = {}, ...inside) {
  const made = Object.assign(document.createElement(tag), named);
  made.append(...inside);
  return made;
}

// What whoever sits here may do, as the page says it.
const allowed = document.querySelector("meta[name=desk-may]")?.content.split(" ") || [];
export const may = action => allowed.includes(action);

// Loads the page again, which then says "words" and has the focus at an element.
const AGAIN = "desk-again";
export function reload(words, id) {
  sessionStorage.setItem(AGAIN, JSON.stringify([location.pathname, words, id]));
  location.reload();
}

export function arrived(said) {
  const [path, words, id] = JSON.parse(sessionStorage.getItem(AGAIN) || "[]");
  sessionStorage.removeItem(AGAIN);
  if (path !== location.pathname) return;
  const own = document.getElementById(id) || said;
  own.tabIndex = -1;
  own.focus({ preventScroll: own !== said });
  setTimeout(() => {
    said.textContent = words;
  }); // said aloud when it comes into the page
}

// What is written in an area that has a name on this page: it is there again when the
// page is, until the returned function says that it was sent.
export function keptArea(area, named) {
  const name = `desk-say:${location.pathname}:${named}`;
  area.value = localStorage.getItem(name) ?? "";
  area.addEventListener("input", () => keep(name, area.value));
  return () => localStorage.removeItem(name);
}

// Words that nobody saved outlive the page, if a browser has room for them.
export function keep(name, words) {
  try {
    localStorage.setItem(name, words);
  } catch {
    localStorage.removeItem(name);
  }
}

// Words for the bar; where the page is loaded anew by what was saved, once more there.
export function tell(words) {
  sessionStorage.setItem("desk-said", JSON.stringify([words, Date.now()]));
  document.querySelector(".desk-said").textContent = words;
}
