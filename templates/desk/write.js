// Writes into an area so that the browser's own undo takes it back.
export function write(area, from, to, words) {
  area.focus({ preventScroll: true });
  area.setSelectionRange(from, to);
  if (words ? document.execCommand("insertText", false, words) : document.execCommand("delete")) return;
  area.setRangeText(words, from, to, "end");
}

export const rewrite = (area, words) => area.value !== words && write(area, 0, area.value.length, words);

// A token that stands for an expression: the one that shows it, or the first that is free.
function tokenFor(shows, expression, tokens) {
  let token = `{${shows}}`;
  for (let n = 2; tokens[token] && tokens[token] !== expression; n++) token = `{${shows}, ${n}}`;
  return token;
}

// Puts a value in the place of words, or where the cursor is.
export function putValue(area, tokens, shows, expression, typed = "") {
  const token = tokenFor(shows, expression, tokens);
  tokens[token] = expression;
  const words = Object.keys(tokens).reduce(
    (text, known) => text.replaceAll(known, " ".repeat(known.length)),
    area.value,
  );
  const at = typed ? words.indexOf(typed) : -1;
  if (at >= 0) write(area, at, at + typed.length, token);
  else write(area, area.selectionStart, area.selectionEnd, token);
}

const CARRIED = "desk-carried";
const TOKEN = /\{[^{}\n]+\}/g;

// Values that are copied go with their words into another part of the same study.
export function carries(area, about, tokens) {
  for (const kind of ["copy", "cut"])
    area.addEventListener(kind, () => {
      const words = area.value.slice(area.selectionStart, area.selectionEnd);
      const own = (words.match(TOKEN) || [])
        .filter(token => tokens[token])
        .map(token => [token, tokens[token]]);
      const said = own.length ? { words, about, own: Object.fromEntries(own) } : {};
      try {
        localStorage.setItem(CARRIED, JSON.stringify(said));
      } catch {
        localStorage.removeItem(CARRIED);
      }
    });
}

// What is pasted, with each value that came along known in "tokens".
export function carried(words, about, tokens) {
  const said = JSON.parse(localStorage.getItem(CARRIED) || "{}");
  if (said.words !== words || said.about !== about) return words;
  return words.replace(TOKEN, token => {
    const expression = said.own[token];
    if (!expression) return token;
    const here = tokenFor(token.slice(1, -1).replace(/, \d+$/, ""), expression, tokens);
    tokens[here] = expression;
    return here;
  });
}
