// The pages of reviews and of threads: approves, sends back, replies, resolves, decides.
import { post, problem, storedArea, undoing } from "./ask.js";
import "./several.js";

const AGAIN = "desk-again";
const status = document.getElementById("status");

// The page was loaded again by what was done: it says so, and has the focus at its row.
const [path, words, id, commit] = JSON.parse(sessionStorage.getItem(AGAIN) || "[]");
sessionStorage.removeItem(AGAIN);
if (path === location.pathname) {
  const row = document.getElementById(id) || status;
  row.tabIndex = -1;
  row.focus({ preventScroll: row !== status });
  setTimeout(() => {
    status.replaceChildren(words, ...undoing(commit, reloaded(row)));
  }); // said aloud when it comes into the page
}

function reloaded(row) {
  return (words, commit = "") => {
    const told = [location.pathname, words, row.id, commit];
    sessionStorage.setItem(AGAIN, JSON.stringify(told));
    location.reload();
  };
}

async function ask(action, body, row, done, sent = () => {}, again = _asks => {}) {
  const [code, answer] = await post(action, body);
  if (code === 200) {
    sent();
    reloaded(row)(done, answer.commit);
    return true;
  }
  const meanwhile = "It changed while you read: load this page again and look at what changed.";
  status.className = "found error";
  status.textContent = action === "approve" && code === 409 ? meanwhile : problem(code, answer);
  if (answer.asks) again(answer.asks);
  status.scrollIntoView({ block: "nearest" });
  return false;
}

for (const button of document.querySelectorAll("button.approve"))
  button.addEventListener("click", async () => {
    const row = button.closest("li");
    const { id, stamp, title } = row.dataset;
    const sure = "sure" in button.dataset;
    button.disabled = true;
    button.disabled = await ask(
      "approve",
      { id, stamp, sure },
      row,
      `Approved: ${title}.`,
      () => {},
      asks => {
        button.dataset.sure = "";
        button.firstChild.textContent = "Approve all the same";
        status.textContent = `${asks.join("; ")}. Not approved yet.`;
      },
    );
  });

// What is sent back begins a thread, all else goes into the row's.
for (const form of document.querySelectorAll("form.reply, .back form")) {
  const area = form.querySelector("textarea"),
    row = form.closest("li");
  const { about, thread = "" } = row.dataset;
  const sent = storedArea(area, thread || about);
  if (area.value) area.closest("details").open = true;
  form.addEventListener("submit", async event => {
    event.preventDefault();
    const { state, done } = (event.submitter ?? form.querySelector("button")).dataset;
    const words = area.value.trim() || (thread ? done : area.value);
    ask("comment", { about, thread, words, state }, row, done, sent);
  });
}

for (const form of document.querySelectorAll("form.decide"))
  form.addEventListener("submit", event => {
    event.preventDefault();
    const row = form.closest("li");
    const { about, thread: id } = row.dataset;
    const { accept, done, verb = "decide" } = event.submitter.dataset;
    const why = form.querySelector("input")?.value ?? "";
    ask(verb, { about, id, accept: Boolean(accept), why }, row, done);
  });

for (const button of document.querySelectorAll("button.undo"))
  button.addEventListener("click", () => {
    const row = button.closest("li");
    const restore = "restore" in button.dataset;
    const { approval = "" } = button.dataset;
    const { commit = "" } = row.dataset;
    const done = restore ? "Restored." : approval ? "Withdrawn." : "Undone.";
    ask("undo", { commit, restore, approval }, row, done);
  });

for (const button of document.querySelectorAll("button.release"))
  button.addEventListener("click", async () => {
    const row = button.closest("li, p");
    const { do: what, build = "" } = button.dataset;
    button.disabled = true;
    button.disabled = await ask("release", { do: what, build }, row, "Begun.");
  });

// As long as something is made, the page asks how far it is.
if (document.querySelector(".release.running")) setTimeout(() => location.reload(), 3000);
