// Titles, questions and captions: words of declarations, edited where the page has them.
import { get, make, post, problem } from "./ask.js";

const CAPTIONS = { title: "Title", subtitle: "Subtitle", question: "Question", caption: "Caption" };

export async function declared(tell) {
  const [status, said] = await get("declared", {});
  if (status !== 200) return;
  for (const one of said.words) {
    const host = document.querySelector(one.at);
    if (!host || host.querySelector(".desk-edit")) continue;
    const button = make("button", { type: "button", className: "desk-edit", textContent: "Edit" });
    const begin = () => host.nextElementSibling?.matches(".desk-declared") || edit(one, host, button, tell);
    button.addEventListener("click", event => { event.stopPropagation(); begin(); });
    host.append(button);
    host.classList.add("desk-part");
    host.addEventListener("click", event => {
      if (!event.target.closest("a, button") && !String(getSelection())) begin();
    });
  }
}

function edit(one, host, button, tell) {
  const area = make("input", { value: one.words, spellcheck: true });
  const name = CAPTIONS[one.entry.split(".").at(-1)];
  const found = make("div", { role: "status" });
  const save = make("button", { type: "submit", textContent: "Save", className: "desk-main" });
  const leave = make("button", { type: "button", textContent: "Cancel" });
  const form = make("form", { className: "desk-editor desk-declared" },
    make("label", {}, make("span", { textContent: `${name}, in ${one.file}` }), area), found,
    make("div", { className: "desk-tools" }, save, leave));
  const close = () => { form.remove(); button.focus({ preventScroll: true }); };
  leave.addEventListener("click", close);
  form.addEventListener("keydown", event => { if (event.key === "Escape") close(); });
  form.addEventListener("submit", async event => {
    event.preventDefault();
    save.disabled = true;
    document.documentElement.dataset.busy = "";
    const { file, entry, words: was } = one;
    const [status, said] = await post("declare", { file, entry, was, words: area.value });
    save.disabled = false;
    delete document.documentElement.dataset.busy;
    if (status === 200) {
      close();
      const drawn = one.entry.startsWith("figures") ? " The picture follows with the next build." : "";
      return tell(said.commit ? `Saved as ${said.commit.slice(0, 8)}.${drawn}` : "Saved.");
    }
    const words = status === 409
      ? "Somebody changed these words meanwhile. Copy yours and load the page again." : problem(status, said);
    found.replaceChildren(make("p", { className: "found error", textContent: words }));
  });
  (host.closest("caption") ? host.closest("table") : host).after(form);
  area.focus();
}
