// Whether words are seen: their size, their colour on their ground, what lies on them, and
// what style sheets write before and behind them. The body of a probe of tests/report/browser.py.
const still = "*, ::before, ::after { pointer-events: auto !important; transition: none !important }";
document.head.append(Object.assign(document.createElement("style"), { textContent: still }));
for (const folded of document.querySelectorAll("details")) folded.open = true;

const chain = element => element ? [element, ...chain(element.parentElement)] : [];
const parse = colour => (colour.match(/[\d.]+/g) || []).map(Number);
const over = (top, below) =>
  below.map((part, at) => (top[3] ?? 1) * top[at] + (1 - (top[3] ?? 1)) * part);
const ground = element => chain(element).reverse().reduce(
  (below, one) => over(parse(getComputedStyle(one).backgroundColor), below), [255, 255, 255]);

function contrast(...colours) {
  const [low, high] = colours.map(colour => colour.map(part => part / 255)
    .map(part => part <= .04 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4)
    .reduce((sum, part, at) => sum + part * [.2126, .7152, .0722][at], 0)).sort((a, b) => a - b);
  return (high + .05) / (low + .05);
}

// What stands before or behind an element that it does not say; marks and heads of cells may.
function added(element, side) {
  const { content, position } = getComputedStyle(element, side);
  if (["none", "normal", JSON.stringify(element.dataset.head)].includes(content)) return "";
  return /[\p{L}\p{N}]/u.test(content) || position === "absolute" ? content : "";
}

// On a phone, Table 1 has the metric of a study that matters most.
const LEFT_OUT = ".summary :is(td:not(:has(.leading)), tr:has(th > .unseen))";

function wrong(element) {
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const style = getComputedStyle(element), all = chain(element);
  if (!element.checkVisibility({ visibilityProperty: true }))
    return innerWidth <= 640 && element.closest(LEFT_OUT) ? "" : "hidden";
  const box = [...element.getClientRects()].find(line => line.width > 4 && line.height > 6);
  if (!box || parseFloat(style.fontSize) < 8) return "too small";
  if (all.reduce((rest, one) => rest * getComputedStyle(one).opacity, 1) < .6) return "faint";
  const below = ground(element);
  for (const colour of [style.color, style.webkitTextFillColor])
    if (contrast(over(parse(colour), below), below) < 3) return `no contrast: ${colour}`;
  const on = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  if (!element.contains(on)) return `behind ${on ? on.outerHTML.slice(0, 60) : "nothing"}`;
  if (style.direction !== "ltr" || style.unicodeBidi.endsWith("override")) return "turned round";
  const struck = one => getComputedStyle(one).textDecorationLine.includes("line-through");
  if (all.some(struck)) return "struck out";
  for (const one of [...all, ...element.querySelectorAll("*")])
    for (const side of ["::before", "::after"])
      if (added(one, side)) return `${side} of ${one.tagName}: ${added(one, side)}`;
  return "";
}

function words(element) {
  const copy = element.cloneNode(true);
  for (const mark of copy.querySelectorAll(".origin")) mark.remove();
  return copy.textContent.replace(/\s+/g, " ").trim();
}

const told = selector => [...document.querySelectorAll(selector)].map(element => [
  words(element), element.dataset.keys || "", wrong(element),
  element.closest("table, .key-value") ? "table" : "prose",
]);
return {
  values: told(".value, .average"), banners: told(".ribbon, p.banner"), titles: told("h1"),
  reviews: told(".reviewed"),
};
