// The bar of the desk at the foot of a draft, and what it opens.
import { make, may, tellAgain } from "./ask.js";
import { markDeclared, marked, rest, resume } from "./edit.js";
import { keys } from "./keys.js";
import { again, count, remarks, resumeRemark } from "./threads.js";

const who = document.querySelector("meta[name=desk-person]").content;
document.body.append(
  make(
    "nav",
    { className: "desk-bar", ariaLabel: "Desk" },
    make("a", { href: "/", textContent: "All drafts" }),
    make("a", { href: "review", textContent: "Review" }),
    make("a", { href: "comments", textContent: "Comments", className: "desk-comments" }),
    make("a", { href: "history", textContent: "History" }),
    keys(),
    rest,
    make("span", { className: "desk-status", role: "status" }),
    make("span", { className: "desk-who", textContent: who }),
  ),
);
tellAgain();
remarks();
async function look() {
  if (may("comment")) {
    marked();
    await markDeclared();
  }
  again();
  await count();
}
document.addEventListener("changed", look);
// What others say arrives as it is said; words that one writes meanwhile stay in place.
let timer;
document.addEventListener("remarked", () => {
  clearTimeout(timer);
  timer = setTimeout(count, 100);
});
look().then(() => {
  resumeRemark();
  if (may("comment")) resume();
});
