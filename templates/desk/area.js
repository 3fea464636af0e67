// What is written into a field past the keys: values, lists, pastes. Its undo takes it back.
import { store } from "./ask.js";

// Writes what changed alone, so that the caret and what is undone stay small.
export function rewrite(field, before, after) {
  const least = Math.min(before.length, after.length);
  let from = 0,
    back = 0;
  while (from < least && before[from] === after[from]) from++;
  while (back < least - from && before.at(-1 - back) === after.at(-1 - back)) back++;
  if (before !== after) field.write(from, before.length - back, after.slice(from, after.length - back));
}

// A token that stands for an expression: the one that shows it, or the first that is free.
function tokenFor(shows, expression, tokens) {
  let token = `{${shows}}`;
  for (let n = 2; tokens[token] && tokens[token] !== expression; n++) token = `{${shows}, ${n}}`;
  return token;
}

// Puts a value in the place of words that are typed, or where the caret is; its token.
export function putValue(field, text, tokens, { shows, expression, typed = "" }) {
  const token = tokenFor(shows, expression, tokens);
  tokens[token] = expression;
  const words = Object.keys(tokens).reduce(
    (left, known) => left.replaceAll(known, " ".repeat(known.length)),
    text,
  );
  const at = typed ? words.indexOf(typed) : -1;
  if (at >= 0) field.write(at, at + typed.length, token);
  else if (!typed) field.write(...field.at, token); // else it is put there already
  return token;
}

const CARRIED = "desk-carried";
const TOKEN = /\{[^{}\n]+\}/g;

// Values that are copied go with their words into another part of the same study.
export function carries(field, about, tokens) {
  for (const kind of ["copy", "cut"])
    field.input.addEventListener(
      kind,
      () => {
        const words = field.words.slice(...field.at);
        const values = (words.match(TOKEN) || [])
          .filter(token => tokens[token])
          .map(token => [token, tokens[token]]);
        const copied = values.length ? { words, about, values: Object.fromEntries(values) } : {};
        store(CARRIED, JSON.stringify(copied));
      },
      true,
    );
}

// What is pasted, with each value that came along known in "tokens".
function carried(words, about, tokens) {
  const copied = JSON.parse(localStorage.getItem(CARRIED) || "{}");
  if (copied.words !== words || copied.about !== about || !copied.values) return words;
  return words.replace(TOKEN, token => {
    const expression = copied.values[token];
    if (!expression) return token;
    const here = tokenFor(token.slice(1, -1).replace(/, \d+$/, ""), expression, tokens);
    tokens[here] = expression;
    return here;
  });
}

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
function asMarkdown(words) {
  const all = words.split("\n");
  if (!all.some(line => ITEM.test(line))) return words;
  const lines = [];
  let open = [];
  for (const line of all) {
    const item = line.match(ITEM);
    if (!item) {
      if (open.length && line.trim()) lines.push("");
      if (line.trim()) open = [];
      lines.push(line);
      continue;
    }
    if (!open.length && lines.length && lines.at(-1).trim()) lines.push("");
    const sign = item[1] || item[2],
      number = sign.match(/^\d+/);
    const indent = " ".repeat(levelOf(number ? "1" : sign, open));
    lines.push(`${indent}${number ? `${number[0]}. ` : "- "}${line.slice(item[0].length)}`);
  }
  return lines.join("\n");
}

// Word ends lines within a paragraph by signs of their own.
const ended = words => words.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n");
const LONGEST = 1 << 20; // a text has no more bytes, and a browser shows more in minutes

// What is pasted into a field, with a way back by its own undo.
export function pastes(field, about, tokens, tell) {
  const paste = event => {
    const words = event.clipboardData?.getData("text/plain") ?? "";
    if (field.words.length + words.length > LONGEST) {
      event.preventDefault();
      const many = words.length.toLocaleString("en");
      return tell(`Not pasted: ${many} characters are more than a text may have.`);
    }
    const plain = carried(ended(words), about, tokens),
      made = asMarkdown(plain);
    if (made === words) return;
    event.preventDefault();
    const [from, to] = field.at;
    const before = field.words.slice(0, from);
    const apart = made === plain || !before || before.endsWith("\n\n") || !ITEM.test(plain);
    const lead = apart ? "" : before.endsWith("\n") ? "\n" : "\n\n";
    field.write(from, to, lead + made);
    if (made !== plain) tell("The pasted bullets are a list of Markdown now.");
  };
  field.input.addEventListener("paste", paste, true);
}
