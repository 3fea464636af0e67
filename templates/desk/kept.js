// Words that nobody saved outlive their page, with the part that they were written for.
import { keep, make } from "./ask.js";

const PLACE = `desk:${location.pathname}:`;
const name = ({ text, number }) => `${PLACE}${text}#${number}`;
const known = new Map(); // what this page read or wrote last, by name

// The part as it was, its words and values, and where the cursor stood; or null.
export function keptOf(part) {
  const found = localStorage.getItem(name(part));
  known.set(name(part), found);
  try {
    return JSON.parse(found);
  } catch {
    return null;
  }
}

export function keepWords(part, words) {
  const written = JSON.stringify({ part, ...words });
  known.set(name(part), written);
  keep(name(part), written);
}

// What another tab wrote meanwhile stays: it has words of its own there.
export function drop(part) {
  if (localStorage.getItem(name(part)) === known.get(name(part))) localStorage.removeItem(name(part));
}

// Parts of texts, by their numbers, and declared words, by the names of their entries.
export const keptParts = () =>
  Object.keys(localStorage)
    .map(found => found.startsWith(PLACE) && found.slice(PLACE.length).match(/^(.*)#([^#]+)$/))
    .filter(Boolean)
    .map(([, text, number]) => ({ text, number: /^\d+$/.test(number) ? Number(number) : number }));

// Leads to such words, as of a browser that was closed; not while a part is open.
export const rest = make("button", { type: "button", className: "desk-rest" });

export function recount(open) {
  const many = keptParts().length;
  rest.hidden = !many || Boolean(open);
  rest.textContent = `${many} not saved`;
}
