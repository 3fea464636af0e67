import { write } from "./write.js";

// Lists as Word copies them, signs and tabs, become lists of Markdown.
const SIGNS = "·•●○◦▪■□§➢‣⁃";
// "o", dashes and numbers are words as well: behind those stands a tab or some blanks.
const ITEM = new RegExp(
  `^[ \\t\\u00a0]*(?:([${SIGNS}])[ \\t\\u00a0]+|(o|[-–—]|\\d{1,3}[.)])(?:[ \\u00a0]*\\t|[ \\u00a0]{2,}))[ \\t\\u00a0]*(?=\\S)`,
);

// Each sign is a level below those that came before it in the list.
function levelOf(kind, open) {
  const known = open.indexOf(kind);
  if (known >= 0) open.length = known + 1;
  else open.push(kind);
  return open.slice(0, -1).reduce((wide, one) => wide + (one === "1" ? 3 : 2), 0);
}

// The words with their lists in Markdown; the same words where they have none.
export function asMarkdown(words) {
  const all = words.split("\n");
  if (!all.some(line => ITEM.test(line))) return words;
  const found = [];
  let open = [];
  for (const line of all) {
    const item = line.match(ITEM);
    if (!item) {
      if (open.length && line.trim()) found.push("");
      if (line.trim()) open = [];
      found.push(line);
      continue;
    }
    if (!open.length && found.length && found.at(-1).trim()) found.push("");
    const sign = item[1] || item[2],
      number = sign.match(/^\d+/);
    const indent = " ".repeat(levelOf(number ? "1" : sign, open));
    found.push(`${indent}${number ? `${number[0]}. ` : "- "}${line.slice(item[0].length)}`);
  }
  return found.join("\n");
}

// Word ends lines within a paragraph by signs of their own.
const lines = words => words.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n");
const LONGEST = 1 << 20; // a text has no more bytes, and a browser shows more in minutes

// What is pasted into an area, with a way back by the browser's own undo; "known" hears of
// the words, and says how their values are called here.
export function pastes(area, tell, known) {
  area.addEventListener("paste", event => {
    const words = event.clipboardData?.getData("text/plain") ?? "";
    if (area.value.length + words.length > LONGEST) {
      event.preventDefault();
      const many = words.length.toLocaleString("en");
      return tell(`Not pasted: ${many} characters are more than a text may have.`);
    }
    const plain = known(lines(words)),
      made = asMarkdown(plain);
    if (made === words) return;
    event.preventDefault();
    const before = area.value.slice(0, area.selectionStart);
    const lead =
      made === plain || !before || before.endsWith("\n\n") || !ITEM.test(plain)
        ? ""
        : before.endsWith("\n")
          ? "\n"
          : "\n\n";
    write(area, area.selectionStart, area.selectionEnd, lead + made);
    if (made !== plain) tell("The pasted bullets are a list of Markdown now.");
  });
}
