// The bar of the desk at the foot of a draft, and what it opens.
import { make, may, tell } from "./ask.js";
import { declared, resumeDeclared } from "./declared.js";
import { marked, resume, start } from "./edit.js";
import { keptParts, rest } from "./kept.js";
import { again, remark, remarks, resumeRemark } from "./remark.js";
import { suggestions } from "./suggest.js";
import { count, shows } from "./talk.js";

const who = document.querySelector("meta[name=desk-person]").content;
document.body.append(
  make(
    "nav",
    { className: "desk-bar", ariaLabel: "Desk" },
    make("a", { href: "/", textContent: "All drafts" }),
    make("a", { href: "review", textContent: "Review" }),
    make("a", { href: "comments", textContent: "Comments", className: "desk-comments" }),
    make("a", { href: "history", textContent: "History" }),
    rest,
    make("span", { className: "desk-said", role: "status" }),
    make("span", { className: "desk-who", textContent: who }),
  ),
);
if (may("comment")) {
  marked();
  resume();
}
rest.addEventListener("click", () => {
  const [part] = keptParts();
  if (typeof part.number === "number") start(part);
  else resumeDeclared(part, tell);
});
shows(remark);
remarks();
async function look() {
  if (may("comment")) marked();
  await declared(tell);
  again();
  await Promise.all([count(), suggestions(tell)]);
}
document.addEventListener("changed", look);
// What others say arrives as it is said; words that one writes meanwhile stay in place.
let heard;
document.addEventListener("remarked", () => {
  clearTimeout(heard);
  heard = setTimeout(() => {
    count();
    suggestions(tell);
  }, 100);
});
look().then(() => may("comment") && resumeRemark());
