// Threads of comments: counts beside the parts of a page, and a panel below an editor.
import { get, make, post, problem } from "./ask.js";

const threads = new Map();
const key = part => `${part.text}#${part.number}`;
let quoted = "";
document.addEventListener("selectionchange", () => {
  const words = String(getSelection()).trim();
  const at = getSelection().anchorNode?.parentElement;
  if (words && at?.closest("main") && !at.closest(".desk-editor")) quoted = words;
});

// Asks for all threads, and counts them in the bar and beside their parts.
export async function count() {
  const [status, said] = await get("threads", {});
  if (status !== 200) return;
  threads.clear();
  for (const one of said.threads)
    threads.set(key(one), [...(threads.get(key(one)) || []), one]);
  const link = document.querySelector(".desk-comments");
  link.textContent = said.open ? `Comments (${said.open})` : "Comments";
  for (const mark of document.querySelectorAll("span.part")) {
    const own = (threads.get(`${mark.dataset.text}#${mark.dataset.number}`) || [])
      .filter(one => one.state === "open");
    mark.querySelector(".desk-count")?.remove();
    if (own.length) mark.append(make("b", { className: "desk-count",
      textContent: own.length === 1 ? "1 comment" : `${own.length} comments` }));
  }
}

// The threads of a part, with a place for one more.
export function panel(part, about) {
  const box = make("div", { className: "desk-talk" });
  fill(box, part, about);
  return box;
}

function fill(box, part, about) {
  const own = (threads.get(key(part)) || []).filter(one => one.state === "open");
  const quote = part.source?.includes(quoted) ? quoted : "";
  const begin = ask("Comment", words => ({ about, words, text: part.text, number: part.number, quote }));
  box.replaceChildren(...own.map(one => thread(one)), begin);

  function thread(one) {
    const words = one.said.map(said => make("p", {}, make("b", { textContent: said.by }), ` ${said.words}`));
    const quote = one.quote ? [make("blockquote", { textContent: one.quote })] : [];
    const named = { about: one.about, thread: one.id };
    return make("section", {}, ...quote, ...words,
      ask("Reply", words => ({ ...named, words, state: "open" })),
      button("Resolve", () => ({ ...named, words: "Resolved.", state: "resolved" })));
  }

  function ask(name, said) {
    const area = make("textarea", { rows: 2, ariaLabel: name });
    const send = button(name, () => area.value.trim() && said(area.value.trim()));
    return make("details", { className: "desk-ask" }, make("summary", { textContent: name }), area, send);
  }

  function button(name, said) {
    const made = make("button", { type: "button", textContent: name });
    made.addEventListener("click", async () => {
      const what = said();
      if (!what) return;
      made.disabled = true;
      const [status, answer] = await post("comment", what);
      made.disabled = false;
      if (status !== 200) return made.after(make("p", { className: "found error", textContent: problem(status, answer) }));
      quoted = "";
      await count();
      fill(box, part, about);
    });
    return made;
  }
}
