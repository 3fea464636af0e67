// Words of the page as a reader sees them, and the elements that they stand in.

const HOSTS = "p, li, dt, dd, blockquote, h1, h2, h3, h4, h5, figcaption, caption";
// What is no word of the text: the desk's own, marks of origin, findings, notes.
const ADDED =
  ".desk-edit, .desk-count, .desk-editor, .desk-suggestion, .basis, .found, .rests, .footnote-ref, .anchor";
const LONGEST = 2000; // characters of a quote

const even = words => words.replace(/\s+/g, " ").trim();

const marks = (place, more) => document.querySelector(`.part[data-text="${CSS.escape(place.text)}"]${more}`);
const there = place => marks(place, `[data-number="${place.number}"]`);
// The mark of a part: of what it says, wherever that is now, or else of its number.
export function markOf(place) {
  const mark = there(place);
  if (!place.hash || mark?.dataset.hash === place.hash) return mark;
  return marks(place, `[data-hash="${place.hash}"]`) || mark;
}
// The place of a mark; and what another wrote there, as somebody saw it now.
export const placeOf = ({ dataset: { text, number, hash = "" } }) => ({ text, number: Number(number), hash });
export const seenNow = place => Object.assign(place, { hash: there(place)?.dataset.hash ?? "" });
export const hostOf = mark => mark?.closest(HOSTS);

// The part that an element stands in: its mark ends the words of the same host.
export function markIn(element) {
  for (let host = element?.closest(HOSTS); host; host = host.parentElement?.closest(HOSTS)) {
    const mark = [...host.querySelectorAll(".part")].find(one => hostOf(one) === host);
    if (mark) return mark;
  }
  return null;
}

const straight = words => words.replace(/[\u201c\u201d]/g, '"').replace(/[\u2018\u2019]/g, "'");

// Puts other words in the place of some of a host; returns what takes that back.
export function reword(host, words, other) {
  const texts = document.createTreeWalker(host, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode,
      before = node.data;
    const at = straight(before).indexOf(straight(words));
    if (at < 0 || node.parentElement.closest(ADDED)) continue;
    node.replaceData(at, words.length, other);
    return () => {
      node.data = before;
    };
  }
  return () => {};
}

// Puts a box below the words of a host, where no table or list is broken by it.
export function below(host, box) {
  if (host.matches("li, dd")) host.append(box);
  else if (host.matches("caption")) (host.closest(".table-scroll") || host.closest("table")).after(box);
  else if (host.matches("figcaption")) (host.closest(".figure-card") || host.closest("figure")).after(box);
  else host.after(box);
}

// Changes the page round what somebody is at, which stays where it is in the window.
export function steadily(change) {
  const at = document.activeElement;
  const before = at?.getBoundingClientRect().top;
  change();
  if (!at?.isConnected || at === document.body) return;
  const moved = at.getBoundingClientRect().top - before;
  if (moved) scrollBy({ top: moved, behavior: "instant" });
}

function reading(node) {
  const copy = node.cloneNode(true);
  for (const added of copy.querySelectorAll(ADDED)) added.remove();
  return even(copy.textContent).slice(0, LONGEST);
}

// The first words of a host, by which somebody who hears them knows it.
const FEW = 40; // characters
export function begins(host) {
  const walker = document.createTreeWalker(host, NodeFilter.SHOW_TEXT);
  let words = "";
  while (words.length <= FEW && walker.nextNode())
    if (!walker.currentNode.parentElement.closest(ADDED)) words += walker.currentNode.data;
  words = even(words);
  return words.length > FEW ? `${words.slice(0, FEW).replace(/ \S*$/, "")}…` : words;
}

// What one may speak of within a host: its sentences, and its values.
export function choices(host) {
  const words = reading(host);
  const cut = new Intl.Segmenter("en", { granularity: "sentence" });
  const sentences = [...cut.segment(words)].map(one => ({ quote: one.segment.trim() }));
  const values = [...host.querySelectorAll("a.value")].map(link => ({
    quote: reading(link),
    value: link.dataset.keys,
  }));
  return [...(sentences.length > 1 ? sentences : []), ...values].filter(one => one.quote);
}

// The words of a host before and after a click on it; null where it came from keys.
export function clicked(host, { clientX, clientY, detail }) {
  const place = detail ? document.caretPositionFromPoint?.(clientX, clientY) : null;
  const node = place ? place.offsetNode : null;
  if (!node || !host.contains(node)) return null;
  const range = document.createRange();
  range.selectNodeContents(host);
  const words = [0, 1].map(after => {
    const part = range.cloneRange();
    if (after) part.setStart(node, place.offset);
    else part.setEnd(node, place.offset);
    return part.cloneContents();
  });
  return words.map(part => {
    for (const added of part.querySelectorAll(ADDED)) added.remove();
    return part.textContent;
  });
}

// What a reference shows on the page; nothing where the page has none.
export function referred(words) {
  const ids = [...words.matchAll(/@([\w:.-]*\w)/g)].map(one => one[1]);
  const shows = ids.map(id => {
    const to = `a[href="#${CSS.escape(id)}"].reference, .citation a[href="#ref-${CSS.escape(id)}"], a[href="#${CSS.escape(id)}"]:not(nav a)`;
    return even(document.querySelector(`main :is(${to})`)?.textContent ?? "");
  });
  return shows.every(Boolean) ? shows.join(", ") : "";
}

// The words that are selected, as far as they are in one host, and their range.
export function selected() {
  const now = getSelection();
  if (!now.rangeCount || now.isCollapsed) return null;
  const range = now.getRangeAt(0).cloneRange();
  const first = range.startContainer.parentElement;
  const host = hostOf(first) || first;
  if (!first?.closest("main") || first.closest(".desk-editor, .desk-suggestion")) return null;
  if (!host.contains(range.endContainer)) range.setEnd(host, host.childNodes.length);
  const quote = reading(range.cloneContents());
  return quote ? { first, quote, range } : null;
}

// Where words stand in a host, as a range; null where they do not.
export function rangeOf(host, quote) {
  const walker = document.createTreeWalker(host, NodeFilter.SHOW_TEXT);
  const places = [];
  let words = "";
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.parentElement.closest(ADDED)) continue;
    for (let at = 0; at < node.length; at++) {
      const letter = node.data[at];
      const blank = /\s/.test(letter);
      if (blank && (!words || words.endsWith(" "))) continue;
      words += blank ? " " : letter;
      places.push([node, at]);
    }
  }
  const at = words.indexOf(quote);
  if (at < 0 || !quote) return null;
  const range = document.createRange();
  const [first, begin] = places[at];
  range.setStart(first, begin);
  const [last, end] = places[at + quote.length - 1];
  range.setEnd(last, Math.min(end + 1, last.length));
  return range;
}
