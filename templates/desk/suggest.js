// Suggestions as tracked changes at their places, with one click to accept or decline.
import { get, make, may, post, problem } from "./ask.js";
import { below, hostOf, markOf, steadily } from "./words.js";

const MARKS = { gone: "del", new: "ins", same: "span" };

let asked = 0;

export async function suggestions(tell) {
  const own = ++asked;
  const [status, said] = await get("suggested", {});
  if (status !== 200 || own !== asked) return;
  steadily(() => show(said.suggestions, tell));
}

// What stands there already stays, with the button that somebody is at.
function show(all, tell) {
  const old = new Map([...document.querySelectorAll(".desk-suggestion")].map(box => [box.dataset.told, box]));
  for (const one of all) {
    const host = one.number === null ? null : hostOf(markOf(one));
    if (host && !old.delete(JSON.stringify(one))) below(host, shown(one, tell));
  }
  for (const box of old.values()) box.remove();
}

// The words that go and come, and what an author may do with them.
function shown(one, tell) {
  const words = one.pieces.flatMap(([kind, words]) => [make(MARKS[kind], { textContent: words }), " "]);
  const box = make(
    "section",
    { className: "desk-suggestion", ariaLabel: `Suggestion by ${one.by}` },
    make("p", { className: "desk-by", textContent: `${one.by} suggests` }),
    make("p", {}, ...words),
  );
  box.dataset.told = JSON.stringify(one);
  const tools = make("div", { className: "desk-tools" });
  for (const [name, accept] of [
    ["Accept", true],
    ["Decline", false],
  ]) {
    const button = make("button", { type: "button", textContent: name });
    button.addEventListener("click", async () => {
      for (const each of tools.children) each.disabled = true;
      const [status, said] = await post("decide", { about: one.about, id: one.id, accept });
      if (status === 200) {
        const within = box.contains(document.activeElement) || document.activeElement === document.body;
        box.remove();
        if (within) markOf(one)?.querySelector(".desk-edit")?.focus({ preventScroll: true });
        return tell(accept ? `Accepted: ${one.by}’s words are saved.` : "Declined.");
      }
      for (const each of tools.children) each.disabled = false;
      if (!box.isConnected) return tell(problem(status, said));
      box.append(make("p", { className: "found error", role: "alert", textContent: problem(status, said) }));
    });
    tools.append(button);
  }
  if (may("decide")) box.append(tools);
  return box;
}
