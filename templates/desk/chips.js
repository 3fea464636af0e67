// What the words of a part show in place of Markdown, and where a click on the page stands
// in them. Nothing here asks the page.

// Beginnings of lines: a list, a heading, a quote, a box, what keeps its lines as they are.
const ITEM = /^(\s*)(?:[-*+]|(\d{1,9}[.)]))[ \t]+/;
const HEADING = /^#{1,6}[ \t]+/;
const QUOTE = /^[ \t]*>[ \t]?/;
const BOX = /^:{3,}[ \t]*(.*)$/;
const VERBATIM = /^[ \t]*(?:\||\+[-=+]{3}|```|~~~|<!--)/;
const FENCE = /^[ \t]*(?:```|~~~)/;
const RULE = /^[ \t]*[|+](?=[^\n]{0,9}[-=])[-=:|+ \t]*$/; // between rows of a table
const TABLE = /^[ \t]*[|+]/;
const CAPTION = /^[ \t]*:[ \t]+/;
const BEGINS = [ITEM, HEADING, QUOTE, BOX, VERBATIM, /^\s*$/];
const SIGN = /[!-/:-@[-`{-~]/;
const at = (pattern, text, from) => {
  pattern.lastIndex = from;
  return pattern.exec(text);
};
// Each looks so many letters far at most, as any words may come.
const ATTRIBUTES = /\{(?:[^{}"]|"[^"]{0,2000}"){0,2000}\}/y;
const CITED = /\[[^\]@]{0,40}@[^\]]{1,400}\]/y;
const REFERRED = /-?@[A-Za-z_][\w:.-]*\w/y;
const CALLED = /\{\{[^{}]{0,1000}\}\}/y;
const TICKS = /`+/y;
const NOTE = /\[\^[^\]\s]+\]:?/y;
const TARGET = /\([^()\s]*(?:\([^()\s]*\)[^()\s]*)?\)/y;
const ADDRESS = /<https?:[^<>\s]{1,500}>/y;
const words = text => text.replace(/\s+/g, " ").trim();
/** What a token prints: the same value may be there by two expressions. */
export const shownBy = token => token.replace(/^\{\{?\s*|\s*\}?\}$/g, "").replace(/, \d+$/, "");
/** The claims that the attributes of a sentence have. */
export const claimsOf = attributes =>
  (/claim="([^"]*)"/.exec(attributes)?.[1] ?? "").split(";").map(words).filter(Boolean);

/**
 * Chips stand for some of the words and cannot be broken; those with `pair` are the two
 * ends of something and go together. Marks only look otherwise.
 * `tokens` are the expressions by their tokens, `showing` tells what a reference or an
 * expression shows.
 */
export function chipsOf(text, tokens = {}, showing = shownBy) {
  const chips = [];
  const marks = [];
  const known = Object.keys(tokens).sort((a, b) => b.length - a.length);
  const add = (from, to, kind, shows, name = "") => chips.push({ from, to, kind, shows, name }) - 1;
  const pair = (first, last, look) => {
    chips[first].pair = last;
    chips[last].pair = first;
    if (look) marks.push({ from: chips[first].to, to: chips[last].from, look });
  };

  function inline(from, to, cells = false) {
    const open = [];
    const piece = text.slice(0, to);
    for (let i = from; i < to; )
      if (cells && text[i] === "|") add(i, ++i, "cell", "│", "border of a cell");
      else i = step(open, i, i > from ? text[i - 1] : " ", piece);
  }

  // What stands at a place, if it is more than a letter; the place behind it.
  function step(open, i, before, piece) {
    const sign = text[i];
    const found = pattern => at(pattern, piece, i)?.[0];
    const whole = (kind, length, shows, name) => {
      add(i, i + length, kind, shows, name);
      return i + length;
    };
    if (sign === "\\" && SIGN.test(text[i + 1] ?? "")) return whole("sign", 2, text[i + 1]);
    if (sign === "`") {
      const run = found(TICKS);
      const end = piece.indexOf(run, i + run.length);
      if (end < 0) return i + run.length;
      pair(add(i, i + run.length, "hidden", ""), add(end, end + run.length, "hidden", ""), "code");
      return end + run.length;
    }
    if (sign === "{") {
      const token = known.find(one => text.startsWith(one, i)) ?? found(CALLED);
      const shows = token?.startsWith("{{") ? showing(token) : shownBy(token ?? "");
      if (token) return whole("value", token.length, shows, token);
      const attributes = /[\w\])*_ ]/.test(before) && /[.#]/.test(text[i + 1]) && found(ATTRIBUTES);
      if (attributes) return whole("hidden", attributes.length, "", words(attributes.slice(1, -1)));
    }
    const address = sign === "<" && found(ADDRESS);
    if (address) {
      const end = i + address.length;
      pair(add(i, i + 1, "hidden", ""), add(end - 1, end, "hidden", ""), "link");
      return end;
    }
    if (sign === "[") {
      const note = found(NOTE);
      if (note) return whole("note", note.length, "note", `note ${note.replace(/[[\]^:]/g, "")}`);
      const cited = found(CITED);
      if (cited) return whole("reference", cited.length, showing(cited), words(cited.slice(1, -1)));
      open.push({ sign, at: before === "!" ? i - 1 : i, to: i + 1 });
    }
    const referred = sign === "@" && !/\w/.test(before) && found(REFERRED);
    if (referred) return whole("reference", referred.length, showing(referred), referred);
    if (sign === "]") return bracket(open, i, piece);
    const within = /\w/.test(before) && /\w/.test(text[i + 1] ?? "");
    if (sign === "*" || (sign === "_" && !within)) return emphasis(open, i, before);
    return i + 1;
  }

  // A bracket ends what has attributes or an address behind it; others are words.
  function bracket(open, i, piece) {
    const nth = open.findLastIndex(one => one.sign === "[");
    if (nth < 0) return i + 1;
    const [first] = open.splice(nth);
    const attributes = at(ATTRIBUTES, piece, i + 1);
    const target = !attributes && at(TARGET, piece, i + 1);
    if (!attributes && !target) return i + 1;
    const end = i + 1 + (attributes || target)[0].length;
    if (target && text[first.at] === "!") {
      chips.splice(0, chips.length, ...chips.filter(one => one.from < first.at));
      add(first.at, end, "reference", "picture", words(text.slice(first.to, i)) || "picture");
      return end;
    }
    const claims = claimsOf(attributes?.[0] ?? "");
    const begin = add(first.at, first.to, "hidden", "");
    const last = claims.length
      ? add(i, end, "claim", claims.length > 1 ? `${claims.length} claims` : "claim", claims.join("; "))
      : add(i, end, "hidden", "", (target || attributes)[0].slice(1, -1));
    pair(begin, last, claims.length ? "claimed" : target ? "link" : "");
    return end;
  }

  function emphasis(open, i, before) {
    const sign = text[i];
    let many = 1;
    while (many < 3 && text[i + many] === sign) many++;
    const blank = /\s/;
    const after = text[i + many] ?? " ";
    const nth = open.findLastIndex(one => one.sign === sign && one.many === many);
    if (nth >= 0 && !blank.test(before)) {
      const [first] = open.splice(nth);
      const looks = ["", "slanted", "strong", "strong slanted"];
      const begin = add(first.at, first.to, "hidden", "");
      pair(begin, add(i, i + many, "hidden", ""), looks[many]);
    } else if (!blank.test(after) && (sign === "*" || !/\w/.test(before)))
      open.push({ sign, many, at: i, to: i + many });
    return i + many;
  }

  // Lines that go on are one; what begins one shows what it is.
  let begun = -1; // of the words that stand together
  let fenced = false;
  const flush = end => {
    if (begun >= 0 && begun < end) inline(begun, end);
    begun = -1;
  };
  // What stands before the words of a line, as one chip; where they begin.
  function lead(line, from) {
    const item = ITEM.exec(line);
    const quote = item ? null : QUOTE.exec(line);
    const [length] = [(item ?? quote)?.[0].length ?? 0];
    if (!length) return from;
    flush(from);
    const inner = item ? "\u2003".repeat(Math.ceil(item[1].length / 2)) : "";
    add(from, from + length, "bullet", item ? `${inner}${item[2] ?? "•"} ` : "▏", item ? "item" : "quote");
    return from + length;
  }
  function heading(line, from) {
    const start = from + HEADING.exec(line)[0].length;
    const attributes = /\s*\{[^{}]*\}\s*$/.exec(line);
    const stop = from + (attributes?.index ?? line.length);
    flush(from);
    add(from, start, "hidden", "", "heading");
    if (attributes) add(stop, from + line.length, "hidden", "");
    marks.push({ from: start, to: stop, look: "strong" });
    inline(start, stop);
  }
  // The end of a line that goes on is a blank, but for one that is meant.
  function joined(line, end, next) {
    const hard = /\\$| {2,}$/.exec(line)?.[0].length ?? 0;
    const indent = /^[ \t]*/.exec(next)[0].length;
    if (!hard) return add(end - /[ \t]*$/.exec(line)[0].length, end + 1 + indent, "break", " ");
    add(end - hard, end, "hidden", "");
    if (indent) add(end + 1, end + 1 + indent, "hidden", "");
  }
  const lines = text.split("\n");
  let from = 0;
  for (const [nth, line] of lines.entries()) {
    const end = from + line.length;
    const next = lines[nth + 1] ?? "";
    const box = fenced ? null : BOX.exec(line);
    const fence = FENCE.test(line);
    if (fenced || fence || box || HEADING.test(line)) flush(from);
    if (fence) {
      const language = line.replace(/[`~{}.\s]/g, "");
      add(from, end, "box", fenced ? "End of the code" : words(`Code ${language}`));
    } else if (fenced) {
      marks.push({ from, to: end, look: "code" });
    } else if (RULE.test(line)) {
      flush(from);
      add(from, end, "rule", "―――", "rule of a table");
    } else if (CAPTION.test(line)) {
      flush(from);
      begun = from + CAPTION.exec(line)[0].length;
      const near = [...lines.slice(Math.max(0, nth - 2), nth), ...lines.slice(nth + 1, nth + 3)];
      add(from, begun, "bullet", near.some(one => TABLE.test(one)) ? "Caption: " : "– ");
    } else if (box) {
      const kind = words(box[1].replace(/[{}.#]/g, " ").replace("callout-", ""));
      add(from, end, "box", kind ? `Box: ${kind}` : "End of the box");
    } else if (HEADING.test(line)) heading(line, from);
    else if (VERBATIM.test(line)) {
      flush(from);
      inline(from, end, true);
    } else {
      const start = lead(line, from);
      if (begun < 0 && line.trim()) begun = start;
      if (BEGINS.some(one => one.test(next))) flush(end);
      else if (line.trim()) joined(line, end, next);
    }
    if (fence) fenced = !fenced;
    from = end + 1;
  }
  flush(text.length);
  return { chips: sorted(chips), marks: marks.filter(one => one.from < one.to) };
}

// In their order, with pairs by their new numbers; none within another.
function sorted(chips) {
  const order = chips.map((chip, old) => ({ chip, old })).sort((a, b) => a.chip.from - b.chip.from);
  const kept = [];
  for (const one of order) if (one.chip.from >= (kept.at(-1)?.chip.to ?? 0)) kept.push(one);
  const now = new Map(kept.map(({ old }, nth) => [old, nth]));
  return kept.map(({ chip }) => {
    const { pair, ...other } = chip;
    return now.has(pair) ? { ...other, pair: now.get(pair) } : other;
  });
}

/** The words as they show, and for each letter of them its place in the text. */
export function shown(text, chips) {
  let seen = "";
  const places = [];
  const put = (piece, place) => {
    for (const letter of piece) {
      const blank = /\s/.test(letter);
      if (blank && (!seen || seen.endsWith(" "))) continue;
      seen += blank ? " " : letter;
      for (let n = blank ? 1 : letter.length; n--; ) places.push(place);
      if (place < 0) continue;
      place += letter.length;
    }
  };
  let from = 0;
  for (const chip of [...chips, { from: text.length, to: text.length, shows: "" }]) {
    put(text.slice(from, chip.from), from);
    for (const letter of chip.shows) {
      const many = places.length;
      put(letter, chip.from);
      places.fill(chip.from, many);
    }
    from = chip.to;
  }
  return { seen, places: [...places, text.length] };
}

const even = letters => letters.replace(/\s+/g, " ").replace(/[“”]/g, '"').replace(/[‘’]/g, "'");

/** The place in a text of a click on its page, by the words before and after it. */
export function caretAt(text, chips, before, after) {
  const { seen, places } = shown(text, chips);
  const all = even(seen);
  const [lead, trail] = [even(before).trimStart(), even(after)];
  for (const many of [60, 30, 15, 8, 4, 2]) {
    const pattern = lead.slice(-many) + trail.slice(0, many);
    const into = Math.min(many, lead.length);
    let best = -1;
    for (let i = all.indexOf(pattern); i >= 0 && pattern; i = all.indexOf(pattern, i + 1))
      if (best < 0 || Math.abs(i + into - lead.length) < Math.abs(best - lead.length)) best = i + into;
    if (best >= 0) return places[best];
  }
  return places[Math.min(lead.length, places.length - 1)];
}

/**
 * What else goes where `gone`, ranges of the text, are taken away by keys: the other end
 * of a pair, and both ends of one within which nothing is left.
 */
export function alsoGone(chips, gone) {
  const touched = chip => gone.some(([from, to]) => from < chip.to && to > chip.from);
  const covered = (from, to) =>
    gone
      .toSorted((a, b) => a[0] - b[0])
      .reduce((at, [begin, end]) => (begin <= at ? Math.max(at, end) : at), from) >= to;
  const all = [];
  for (const [nth, chip] of chips.entries()) {
    if (chip.pair === undefined || chip.pair < nth) continue;
    const other = chips[chip.pair];
    const inner = gone.some(([from, to]) => from < other.from && to > chip.to);
    const emptied = inner && covered(chip.to, other.from);
    for (const one of [chip, other])
      if (!covered(one.from, one.to) && (emptied || touched(chip) || touched(other)))
        all.push([one.from, one.to]);
  }
  return all;
}

/** What Enter writes: a new bullet behind one, a paragraph behind words. */
export function lineAfter(text, place) {
  const line = text.slice(text.lastIndexOf("\n", place - 1) + 1, place);
  const begin = text.lastIndexOf("\n\n", place - 1);
  const block = text.slice(begin < 0 ? 0 : begin + 2, place);
  if (VERBATIM.test(line) || BOX.test(line)) return "\n";
  const items = block.split("\n").filter(one => ITEM.test(one));
  if (!items.length) return QUOTE.test(line) ? "\n>\n> " : "\n\n";
  const [lead, inner, number] = ITEM.exec(items.at(-1));
  return number ? `\n${inner}${Number.parseInt(number, 10) + 1}${number.at(-1)} ` : `\n${lead}`;
}

/** The sentences as they show, each with where it stands and the chips of its claims. */
export function sentencesOf(text, chips) {
  const silent = chips.map(one =>
    ["claim", "bullet", "box", "note", "rule", "cell"].includes(one.kind)
      ? { ...one, shows: one.kind === "cell" ? " " : "" }
      : one,
  );
  const { seen, places } = shown(text, silent);
  const found = [];
  for (const { segment, index } of new Intl.Segmenter("en", { granularity: "sentence" }).segment(seen)) {
    const trimmed = segment.trim();
    if (!/\w/.test(trimmed)) continue;
    const begin = index + segment.indexOf(trimmed);
    const last = places[begin + trimmed.length - 1];
    const chip = chips.find(one => one.from === last && one.shows);
    found.push({ words: trimmed, from: places[begin], to: chip ? chip.to : last + 1, claims: [] });
  }
  for (const [nth, chip] of chips.entries()) {
    if (chip.kind !== "claim") continue;
    const inner = chips[chip.pair].to;
    const at = found.findLast(one => one.from <= inner) ?? found[0];
    at?.claims.push({ ...chip, nth });
  }
  return found;
}

/** The text where a claim's chip has other claims; without any it is words alone. */
export function reclaimed(text, chips, chip, claims) {
  const open = chips[chip.pair];
  const attributes = text.slice(chip.from, chip.to);
  const other = attributes.replace(/claim="[^"]*"/, () => `claim="${claims.join("; ")}"`);
  const inner = text.slice(open.to, chip.from);
  const whole = claims.length ? text.slice(open.from, chip.from) + other : inner;
  return text.slice(0, open.from) + whole + text.slice(chip.to);
}

/** The text with a claim of a sentence more; null where its words are half in a pair. */
export function claimed(text, chips, sentence, claim, study = "") {
  const [first] = sentence.claims;
  if (first) {
    const all = claimsOf(text.slice(first.from, first.to));
    return all.includes(claim) ? text : reclaimed(text, chips, first, [...all, claim]);
  }
  let { from, to } = sentence;
  const within = one => one.from >= from && one.to <= to;
  for (const [nth, chip] of chips.entries()) {
    const end = chips[chip.pair];
    if (!end || chip.pair < nth || within(chip) === within(end)) continue;
    if (within(end) && chip.to === from) from = chip.from;
    else if (within(chip) && end.from === to) to = end.to;
    else return null;
  }
  const more = study ? ` study="${study}"` : "";
  return `${text.slice(0, from)}[${text.slice(from, to)}]{claim="${claim}"${more}}${text.slice(to)}`;
}
