// The claims of a part, sentence by sentence: seen with what the data say, added, changed
// and taken away. Nobody types one.
import { button, get, make } from "./ask.js";
import { claimed, claimsOf, reclaimed, sentencesOf } from "./chips.js";
import { finder } from "./values.js";

const SIZE = /( by (?:at least|at most|more than|less than|about) )(\d+(?:\.\d+)?)%/;
const STATES = { holds: "good", fragile: "held", fails: "error" };
const SPLIT = "Part of this sentence is bold, a link or claimed already: take that away first.";

const found = sentence => ({
  name: "Claims that hold",
  ask: (about, words) =>
    get("holding", { about, words, sentence }).then(([status, answer]) => [status, answer.claims]),
  row: one => [one.claim, `${one.verdict}: ${one.data}`],
});
const study = attributes => /study="([^"]*)"/.exec(attributes)?.[1] ?? "";

/** What the data say of claims, as rows; "mend" puts what may be done to one beside it. */
export async function weighed(about, claims, mend = (_tools, _claim, _nth) => {}) {
  if (!claims.length) return [];
  const [status, answer] = await get("holding", { about, claims: claims.join(";") });
  const known = status === 200 ? answer.claims : [];
  return claims.map((claim, nth) => {
    const one = known[nth];
    const says = one ? `${one.verdict ?? "is not understood"}. The data say ${one.data}` : "";
    const asks = one?.demanded ? `; it demands ${one.demanded}.` : "";
    const tools = make("div", { className: "desk-tools" });
    const data = make("p", {
      className: `desk-weighed ${STATES[one?.state] ?? ""}`,
      textContent: says + asks,
    });
    const row = make("li", {}, make("b", { textContent: claim }), data, tools);
    mend(tools, claim, nth);
    return row;
  });
}

/**
 * Opens and closes below a button. "declared" are claims of the whole text, "field" gives the words and their chips, "write" takes
 * other words, and "left" where the focus goes then.
 */
export function claimsPanel(opener, { about, declared, field, write, left }) {
  const list = make("ol", {});
  const note = make("p", { role: "status" });
  const box = make("section", { className: "desk-claims", hidden: true, ariaLabel: "Claims" }, note, list);
  opener.closest(".desk-tools").after(box);
  let turn = 0;

  const change = words => {
    note.textContent = words === null ? SPLIT : "";
    if (words === null) return;
    const at = document.activeElement;
    write(words);
    if (list.contains(at)) /** @type {HTMLElement} */ (at).focus();
  };

  // Claims of one mark, each with a number to set, others to choose and a way out.
  function rows(sentence, chip, words, chips) {
    const attributes = words.slice(chip.from, chip.to);
    const all = claimsOf(attributes);
    const instead = (nth, ...others) =>
      change(reclaimed(words, chips, chip, all.toSpliced(nth, 1, ...others)));
    const at = study(attributes) || about;
    return weighed(at, all, (tools, claim, nth) => {
      const size = SIZE.exec(claim);
      const other = button("Change", null, { ariaLabel: `Change: ${claim}`, ariaExpanded: "false" });
      if (size) {
        const number = make("input", { type: "number", min: "0", max: "1000", step: "any", value: size[2] });
        number.ariaLabel = `Percent that it demands: ${claim}`;
        number.addEventListener("change", () => {
          if (number.value && number.checkValidity()) instead(nth, claim.replace(SIZE, `$1${number.value}%`));
        });
        tools.append(make("label", { className: "desk-size" }, `${size[1].trim().slice(3)} `, number, " %"));
      }
      tools.append(
        other,
        button("Remove", () => instead(nth), { ariaLabel: `Remove: ${claim}` }),
      );
      const chosen = one => instead(nth, one.claim);
      finder(other, at, chosen, () => other.focus(), found(sentence.words));
    });
  }

  const rowsOf = async (at, claims) => make("ul", {}, ...(await weighed(at, claims)));

  async function fill() {
    const mine = ++turn;
    const { words, chips } = field();
    const items = await Promise.all(
      sentencesOf(words, chips).map(async sentence => {
        const marks = await Promise.all(sentence.claims.map(chip => rows(sentence, chip, words, chips)));
        const add = button("Add a claim", null, {
          ariaLabel: `Add a claim to: ${sentence.words}`,
          ariaExpanded: "false",
        });
        const item = make(
          "li",
          {},
          make("p", { className: "desk-sentence", textContent: sentence.words }),
          make("ul", {}, ...marks.flat()),
          make("div", { className: "desk-tools" }, add),
        );
        const at = sentence.claims[0];
        const where = (at && study(words.slice(at.from, at.to))) || about;
        const chosen = one => {
          const outside = one.study === about ? "" : one.study;
          change(claimed(words, chips, sentence, one.claim, outside));
        };
        finder(add, where, chosen, () => add.focus(), found(sentence.words));
        return item;
      }),
    );
    if (declared.length) {
      const words = "Declared for the whole text, at the head of its file:";
      const head = make("p", { className: "desk-sentence", textContent: words });
      items.push(make("li", { className: "desk-declared-claims" }, head, await rowsOf(about, declared)));
    }
    if (mine !== turn) return;
    // Who was at a button of it is there again.
    const focus = list.contains(document.activeElement) && document.activeElement;
    const nth = [...list.children].findIndex(one => one.contains(focus || null));
    list.replaceChildren(...items);
    const same = [...list.querySelectorAll("button, input")].find(one => one.ariaLabel === focus.ariaLabel);
    if (focus) (same ?? list.children[Math.max(nth, 0)]?.querySelector("button"))?.focus();
  }

  function show(open) {
    box.hidden = !open;
    opener.ariaExpanded = String(open);
    if (!open) return left();
    note.textContent = "";
    return fill();
  }
  opener.addEventListener("click", () => show(box.hidden));
  return {
    open: () => show(true),
    // The words are others now.
    renew() {
      if (!box.hidden && !document.activeElement?.closest(".desk-finder")) fill();
    },
  };
}
