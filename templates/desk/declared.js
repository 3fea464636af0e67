// Titles, questions and captions: words of declarations, edited where the page has them.
import { get, keep, make, may, post, problem } from "./ask.js";
import { suggestions } from "./suggest.js";
import { panel } from "./talk.js";
import { below, hostOf } from "./words.js";

const CAPTIONS = { title: "Title", subtitle: "Subtitle", question: "Question", caption: "Caption" };
const MEANWHILE = "Somebody changed these words meanwhile. Copy yours and load the page again.";

export async function declared(tell) {
  if (!may("comment")) return;
  const [status, said] = await get("declared", {});
  if (status !== 200) return;
  for (const one of said.words) {
    const host = document.querySelector(one.at);
    if (!host || host.querySelector(".desk-edit")) continue;
    const button = make("button", { type: "button", className: "desk-edit", textContent: "Edit" });
    const begin = () => open?.one === one ? open.area.focus() : edit(one, host, button, tell);
    button.addEventListener("click", event => { event.stopPropagation(); begin(); });
    const mark = make("span", { className: "part" }, button);
    Object.assign(mark.dataset, { text: one.file, number: one.number, ready: "" });
    host.append(mark);
    host.classList.add("desk-part");
    host.addEventListener("click", event => {
      if (!event.target.closest("a, button") && !String(getSelection())) begin();
    });
  }
}

let open = null;

function edit(one, host, button, tell) {
  open?.close();
  const kept = `desk:${location.pathname}:${one.file}#${one.entry}`;
  const area = make("input", { value: localStorage.getItem(kept) ?? one.words, spellcheck: true });
  const name = CAPTIONS[one.entry.split(".").at(-1)];
  const found = make("div", { role: "status" });
  const save = make("button", { type: "submit", textContent: "Save", className: "desk-main" });
  const other = make("button", { type: "button", textContent: "Suggest" });
  const leave = make("button", { type: "button", textContent: "Cancel" });
  const place = { text: one.file, number: one.number };
  const form = make("form", { className: "desk-editor desk-declared" },
    make("label", {}, make("span", { textContent: `${name}, in ${one.file}` }), area), found,
    make("div", { className: "desk-tools" }, ...may("edit") ? [save] : [], ...may("suggest") ? [other] : [], leave),
    panel(place, { host: hostOf(button) }));
  const close = () => {
    open = null;
    form.remove();
    button.focus({ preventScroll: true });
  };
  open = { one, area, close };
  const forget = () => { localStorage.removeItem(kept); close(); };
  area.addEventListener("input", () => keep(kept, area.value));
  leave.addEventListener("click", forget);
  form.addEventListener("keydown", event => { if (event.key === "Escape") close(); });
  form.addEventListener("submit", event => {
    event.preventDefault();
    send(...may("edit") ? ["declare", save] : ["propose", other]);
  });
  other.addEventListener("click", () => send("propose", other));

  async function send(what, by) {
    by.disabled = true;
    document.documentElement.dataset.busy = "";
    const { file, entry, words: was } = one;
    const [status, said] = await post(what, { file, entry, was, words: area.value });
    by.disabled = false;
    delete document.documentElement.dataset.busy;
    if (status !== 200) {
      const words = status === 409 ? MEANWHILE : problem(status, said);
      return found.replaceChildren(make("p", { className: "found error", textContent: words }));
    }
    forget();
    if (what === "propose") {
      tell("Suggested.");
      return suggestions(tell);
    }
    one.words = area.value;
    const drawn = one.entry.startsWith("figures") ? " The picture follows with the next build." : "";
    tell(said.commit ? `Saved as ${said.commit.slice(0, 8)}.${drawn}` : "Saved.");
  }

  below(host, form);
  area.focus();
}
