// What stands below words that are edited: what checks say, and what another wrote.
import { make } from "./ask.js";

const LABELS = { error: "Error: ", held: "Stops a final edition: ", warning: "Look at this: ", own: "" };

// Boxes for findings, below one for words that tell of all; "mend" is called with a fix.
export function boxes(found, words, mend) {
  const all = found.map(one => {
    const box = make("p", { className: `found ${one.severity}` }, `${LABELS[one.severity]}${one.what}`);
    const plain = one.fixes?.length && one.fixes.every(fix => fix.kind === "print");
    if (one.mend && !plain) box.append(make("span", { className: "desk-mend", textContent: one.mend }));
    for (const fix of one.fixes || []) box.append(button(fix, mend, one.fixes));
    return box;
  });
  if (words) all.unshift(make("p", { className: "found error", textContent: words }));
  return all;
}

// Where several print the same, the button tells what each is of.
function button(fix, mend, all) {
  const same = all.filter(one => one.shows === fix.shows).length > 1;
  const words =
    {
      claim: `State as a claim: ${fix.write}`,
      plain: fix.write ? `Write ${fix.write} for it` : "Take it away",
    }[fix.kind] || `Print ${fix.shows} from its fact${same ? `: ${fix.write}` : ""}`;
  const made = make("button", {
    type: "button",
    textContent: words,
    className: "desk-fix",
    title: fix.write,
  });
  made.addEventListener("click", () => mend(fix));
  return made;
}

// Two people edited the same part: both texts, and who saves last chooses. "now" is null
// where the part is gone; "adopt" hears whether the other's text is taken.
export function meanwhile(now, adopt) {
  const box = make(
    "p",
    { className: "found held" },
    now
      ? "Somebody saved this part meanwhile. It reads now:"
      : "Somebody took this part away. Copy what you need of your words: Cancel drops them.",
    make("span", { className: "desk-theirs", textContent: now ? now.words : "" }),
  );
  if (now)
    for (const [words, theirs] of [
      ["Go on with my text", false],
      ["Take this one", true],
    ]) {
      const made = make("button", { type: "button", className: "desk-fix", textContent: words });
      made.addEventListener("click", () => adopt(theirs));
      box.append(made);
    }
  return box;
}
