// Lists as Word copies them, signs and tabs, become lists of Markdown.
const SIGNS = "·•●○◦▪■□§➢‣⁃";
// "o", dashes and numbers are words as well: behind those stands a tab or some blanks.
const ITEM = new RegExp(`^[ \\t\\u00a0]*(?:([${SIGNS}])[ \\t\\u00a0]+|(o|[-–—]|\\d{1,3}[.)])(?:[ \\u00a0]*\\t|[ \\u00a0]{2,}))[ \\t\\u00a0]*(?=\\S)`);

// Each sign is a level below those that came before it in the list.
function levelOf(kind, open) {
  const known = open.indexOf(kind);
  if (known >= 0) open.length = known + 1;
  else open.push(kind);
  return open.slice(0, -1).reduce((wide, one) => wide + (one === "1" ? 3 : 2), 0);
}

// The words with their lists in Markdown; the same words where they have none.
export function asMarkdown(words) {
  const lines = words.replace(/\r\n?/g, "\n").split("\n");
  if (!lines.some(line => ITEM.test(line))) return words;
  const found = [];
  let open = [];
  for (const line of lines) {
    const item = line.match(ITEM);
    if (!item) {
      if (open.length && line.trim()) found.push("");
      if (line.trim()) open = [];
      found.push(line);
      continue;
    }
    if (!open.length && found.length && found.at(-1).trim()) found.push("");
    const sign = item[1] || item[2], number = sign.match(/^\d+/);
    const indent = " ".repeat(levelOf(number ? "1" : sign, open));
    found.push(`${indent}${number ? `${number[0]}. ` : "- "}${line.slice(item[0].length)}`);
  }
  return found.join("\n");
}

const LONGEST = 1 << 20; // a text has no more bytes, and a browser shows more in minutes

// What is pasted into an area, with a way back by the browser's own undo.
export function pastes(area, tell) {
  area.addEventListener("paste", event => {
    const words = event.clipboardData?.getData("text/plain") ?? "";
    if (area.value.length + words.length > LONGEST) {
      event.preventDefault();
      const many = words.length.toLocaleString("en");
      return tell(`Not pasted: ${many} characters are more than a text may have.`);
    }
    const made = asMarkdown(words);
    if (made === words) return;
    event.preventDefault();
    const before = area.value.slice(0, area.selectionStart);
    const lead = !before || before.endsWith("\n\n") || !ITEM.test(words) ? "" : before.endsWith("\n") ? "\n" : "\n\n";
    if (!document.execCommand("insertText", false, lead + made))
      area.setRangeText(lead + made, area.selectionStart, area.selectionEnd, "end");
    tell("The pasted bullets are a list of Markdown now.");
  });
}
