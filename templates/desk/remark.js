// Comments where there is nothing to edit, or to no purpose: on words that are selected,
// on figures, on single values.
import { make, may } from "./ask.js";
import { counted, openOnes, panel } from "./talk.js";
import { below, hostOf, markIn, markOf, placeOf, selected } from "./words.js";

const KEPT = `desk-remark:${location.pathname}`;
let open = null,
  pointed = null;

// Opens the threads of a place below an element, with a form for one more.
export function remark(place, quote = "") {
  leave();
  const host = at(place);
  if (!host) return;
  const leaves = make("button", { type: "button", textContent: "Close" });
  const box = make(
    "section",
    { className: "desk-editor desk-remark", ariaLabel: "Comments" },
    panel(place, {
      quote,
      host: place.text && !quote ? host : null,
      ready: !openOnes(place).length || Boolean(quote),
      done: name => name === "Comment" && leave(),
    }),
    make("div", { className: "desk-tools" }, leaves),
  );
  leaves.addEventListener("click", leave);
  box.addEventListener("keydown", event => {
    if (event.key === "Escape") leave();
  });
  open = { place, quote, box, from: document.activeElement };
  sessionStorage.setItem(KEPT, JSON.stringify({ place, quote }));
  put();
  ([...box.querySelectorAll(".desk-ask[open] textarea")].at(-1) || leaves).focus();
}

function at(place) {
  if (place.text) return hostOf(markOf(place));
  if (place.figure) return document.getElementById(place.figure)?.closest("main *");
  return [...document.querySelectorAll("a.value")].find(one => one.dataset.keys === place.value);
}

function put() {
  const host = at(open.place);
  if (!host) return document.querySelector("main").append(open.box);
  if (open.place.text) return below(host, open.box);
  const whole = host.closest(".figure-card") || host.closest("figure, .table-scroll, table, p, li, dd");
  (whole || host).after(open.box);
}

function leave() {
  if (!open) return;
  const { box, from } = open;
  open = null;
  sessionStorage.removeItem(KEPT);
  box.remove();
  if (from?.isConnected) from.focus({ preventScroll: true });
}

// After changes of the page, and after it was loaded anew.
export function again() {
  if (!may("comment")) return;
  figures();
  if (open && !open.box.isConnected) put();
}

export function resumeRemark() {
  const kept = sessionStorage.getItem(KEPT);
  if (!kept) return;
  const { place, quote } = JSON.parse(kept);
  remark(place, quote);
}

// Each figure has a button among its links.
function figures() {
  for (const figure of document.querySelectorAll("main figure[id]")) {
    const links = figure.closest(".figure-card")?.querySelector(".figure-links p");
    const place = { figure: figure.id };
    let button = (figure.closest(".figure-card") || figure).querySelector(".desk-figure");
    if (!button) {
      const name = figure.querySelector("figcaption .label")?.textContent || "this picture";
      button = make("button", { type: "button", className: "desk-figure" });
      button.dataset.name = name;
      button.addEventListener("click", () => remark(place));
      if (links) links.append(" · ", button);
      else figure.append(button);
    }
    const own = openOnes(place).length;
    button.textContent = own ? counted(own) : "Comment";
    button.ariaLabel = `${button.textContent} on ${button.dataset.name}`;
  }
}
document.addEventListener("counted", again);

// What a value's card is of: the one that the pointer or a click was on last.
for (const kind of ["pointerover", "click"])
  document.addEventListener(
    kind,
    event => {
      pointed = event.target.closest?.("a.value") || pointed;
    },
    true,
  );

function valuePlace(link, quote) {
  const mark = markIn(link);
  const value = link.dataset.keys;
  const part = mark ? placeOf(mark) : {};
  return [{ ...part, value }, quote];
}

function onCard(card) {
  if (!pointed || card.querySelector(".desk-remark-value") || !card.querySelector(".card-fact, dl")) return;
  const link = pointed;
  const button = make("button", { type: "button", className: "desk-remark-value", textContent: "Comment" });
  button.addEventListener("click", () => {
    card.hidePopover();
    remark(
      ...valuePlace(
        link,
        link.textContent.replace(link.querySelector(".origin")?.textContent ?? "", "").trim(),
      ),
    );
  });
  card.append(button);
}

// Selected words get a button beside them.
const floating = make("button", {
  type: "button",
  className: "desk-float",
  textContent: "Comment",
  hidden: true,
});
floating.addEventListener("mousedown", event => event.preventDefault());
floating.addEventListener("click", () => {
  const { place, quote } = floating;
  floating.hidden = true;
  getSelection().removeAllRanges();
  remark(place, quote);
});

function follow() {
  const found = selected();
  const place = found && spokenOf(found.first);
  floating.hidden = !place;
  if (!place) return;
  Object.assign(floating, { place, quote: place.figure ? "" : found.quote });
  const box = [...found.range.getClientRects()].at(-1) || found.range.getBoundingClientRect();
  floating.style.top = `${box.bottom + scrollY + 6}px`;
  floating.style.left = `${Math.max(8, Math.min(box.right + scrollX - 40, innerWidth - 110))}px`;
}

function spokenOf(element) {
  const mark = markIn(element);
  if (mark) return placeOf(mark);
  const figure = element.closest("figure[id]");
  if (figure) return { figure: figure.id };
  const value = element.closest("a.value") || element.closest("td")?.querySelector("a.value");
  return value ? { value: value.dataset.keys } : null;
}

export function remarks() {
  if (!may("comment")) return;
  document.body.append(floating);
  let timer;
  document.addEventListener("selectionchange", () => {
    clearTimeout(timer);
    timer = setTimeout(follow, 150);
  });
  if (document.readyState === "complete") watch();
  else addEventListener("load", watch); // the page makes its card when it is there
}

function watch() {
  const card = document.querySelector(".note-card:not(.cite-card)");
  if (card) new MutationObserver(() => onCard(card)).observe(card, { childList: true });
}
