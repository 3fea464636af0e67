// What the field at the desk shows in place of Markdown, and what keys take away.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  alsoGone,
  caretAt,
  chipsOf,
  claimed,
  claimsOf,
  lineAfter,
  reclaimed,
  sentencesOf,
  shown,
} from "../../templates/desk/chips.js";

const TOKENS = { "{−37%}": "delta(1)", "{−37%, 2}": "delta(2)" };
const seen = text => shown(text, chipsOf(text, TOKENS).chips).seen;
const kinds = text => chipsOf(text, TOKENS).chips.map(one => [one.kind, one.shows]);

test("no Markdown is seen of a bullet with values, claims, references and line ends", () => {
  const text =
    '- **Streams *need* it.** Latency\n  [falls by {−37%}, as\n  seen]{claim="latency falls for RR1(1kB); x"} ' +
    "(@fig-speed), {−37%, 2}; `code` and [a link](https://a.example/b_(c)) [@key, p. 3].[^1]";
  assert.equal(
    seen(text),
    "• Streams need it. Latency falls by −37%, as seen2 claims (@fig-speed), −37%; code and a link [@key, p. 3].note",
  );
});

test("each value, claim and reference is one chip with a name", () => {
  const { chips } = chipsOf('[It is {−37%}]{claim="a falls for b"}, {{ mean("x") }} @sec-one.', TOKENS);
  const named = chips.filter(one => one.name).map(one => [one.kind, one.name]);
  assert.deepEqual(named, [
    ["value", "{−37%}"],
    ["claim", "a falls for b"],
    ["value", '{{ mean("x") }}'],
    ["reference", "@sec-one"],
  ]);
});

test("lines of lists, quotes, boxes and headings show what they are", () => {
  const text = "::: {.callout-important}\n## Read this {#sec-a}\n\n> Quoted\n\n- One\n  two\n  1. Three\n:::";
  assert.deepEqual(
    kinds(text).filter(([kind]) => kind !== "hidden"),
    [
      ["box", "Box: important"],
      ["bullet", "▏"],
      ["bullet", "• "],
      ["break", " "],
      ["bullet", "\u20031. "],
      ["box", "End of the box"],
    ],
  );
});

test("a table shows its cells, with values in them, its rules and its caption", () => {
  const text = "| a | `x|y` |\n|:--|--:|\n| {−37%} | 2 |\n\n: What *it* is {#tbl-a}";
  assert.equal(seen(text), "│ a │ x|y │ ――― │ −37% │ 2 │ Caption: What it is ");
  assert.deepEqual(
    kinds(text).filter(([kind]) => kind === "value"),
    [["value", "−37%"]],
  );
  assert.equal(seen("+---+\n| b |\n+===+"), "――― │ b │ ―――");
  assert.equal(seen("Term\n: what it is"), "Term – what it is");
});

test("code is seen as it is, below what it is", () => {
  assert.equal(seen("```{.sh}\n**x** {−37%}\n- y\n```\nz"), "Code sh **x** {−37%} - y End of the code z");
});

test("what only looks like Markdown stays as it is", () => {
  for (const text of ["2 * 3 * 4", "a_b_c [x] {y}", "a | b", ":x"]) assert.equal(seen(text), text);
});

test("an escaped sign is seen as itself, and a claim's words may hold brackets", () => {
  assert.equal(seen("5 \\* 3 \\[x\\]"), "5 * 3 [x]");
  assert.equal(seen('[f(x) [a] rises]{claim="c"}.'), "f(x) [a] risesclaim.");
});

test("both ends of a pair go together, and so do they when all within is gone", () => {
  const text = 'A [b c]{claim="d"} e.';
  const { chips } = chipsOf(text);
  const cut = gone => {
    const all = [...gone, ...alsoGone(chips, gone)].sort((a, b) => b[0] - a[0]);
    return all.reduce((left, [from, to]) => left.slice(0, from) + left.slice(to), text);
  };
  assert.equal(cut([[text.indexOf("]"), text.indexOf(" e.")]]), "A b c e.");
  assert.equal(cut([[3, 6]]), "A  e.");
  assert.equal(cut([[3, 4]]), 'A [ c]{claim="d"} e.');
  assert.equal(cut([[0, text.length]]), "");
});

test("a click on the page is found in the words, also between values that look the same", () => {
  const text = '- **One** is {−37%} and\n  two is {−37%, 2}, "so".';
  const { chips } = chipsOf(text, TOKENS);
  const at = (before, after) => text.slice(0, caretAt(text, chips, before, after));
  assert.equal(at("One is −37% a", "nd two is −37%, “so”."), "- **One** is {−37%} a");
  assert.equal(at("One is −37% and two i", "s −37%, “so”."), "- **One** is {−37%} and\n  two i");
  assert.equal(at("One is −37% and two is −37%, “s", "o”."), text.slice(0, -3));
  assert.equal(at("", "One is −37%"), "- **");
});

test("Enter goes on with what there is: a list, its numbers, a paragraph", () => {
  assert.equal(lineAfter("- One", 5), "\n- ");
  assert.equal(lineAfter("- One\n  goes on", 15), "\n- ");
  assert.equal(lineAfter("  2) Two", 8), "\n  3) ");
  assert.equal(lineAfter("Words", 5), "\n\n");
  assert.equal(lineAfter("- One\n\nWords", 12), "\n\n");
  assert.equal(lineAfter("| a |", 5), "\n");
});

test("the claims of a sentence are told apart", () => {
  assert.deepEqual(claimsOf('{claim="a falls for b;\n c rises for d" study="e"}'), [
    "a falls for b",
    "c rises for d",
  ]);
});

const all = text => [chipsOf(text, TOKENS).chips, sentencesOf(text, chipsOf(text, TOKENS).chips)];

test("each sentence has its own claims, and its words without marks", () => {
  const text = '- **[One {−37%}.]{claim="a; b"}** Two\n  [is]{claim="c"} so.';
  const [, found] = all(text);
  const seen = found.map(one => [one.words, one.claims.map(({ name }) => name)]);
  assert.deepEqual(seen, [
    ["One −37%.", ["a; b"]],
    ["Two is so.", ["c"]],
  ]);
});

test("a claim is added once, to its sentence alone, and never across the end of a pair", () => {
  const text = "- **Head.** It is {−37%}. *Half* of it.";
  const add = (nth, words, claim, study) => {
    const [chips, found] = all(words);
    return claimed(words, chips, found[nth], claim, study);
  };
  assert.equal(add(0, text, "a"), '- **[Head.]{claim="a"}** It is {−37%}. *Half* of it.');
  assert.equal(add(1, text, "a", "s"), '- **Head.** [It is {−37%}.]{claim="a" study="s"} *Half* of it.');
  assert.equal(add(2, text, "a"), '- **Head.** It is {−37%}. [*Half* of it.]{claim="a"}');
  const once = add(1, text, "a");
  assert.equal(add(1, once, "a"), once);
  assert.equal(add(1, once, "b"), once.replace('"a"', '"a; b"'));
  assert.equal(add(1, "*One. Two* three.", "a"), null);
});

test("claims are changed and taken away, and the last one leaves the words", () => {
  const text = 'It [falls]{claim="a; b" study="s"}.';
  const [chips, [sentence]] = all(text);
  const [chip] = sentence.claims;
  assert.equal(reclaimed(text, chips, chip, ["c"]), 'It [falls]{claim="c" study="s"}.');
  assert.equal(reclaimed(text, chips, chip, []), "It falls.");
});

test("no words hold the field for long, whatever they are", () => {
  const time = text => {
    const begin = performance.now();
    chipsOf(text, TOKENS);
    return performance.now() - begin;
  };
  for (const piece of [
    "[",
    "[@",
    "*a ",
    "`",
    "` ",
    "{.",
    "](",
    "]{",
    '{"',
    "{{",
    "\\",
    "- a\n",
    "> ",
    "<http:",
    "_a",
    "![a](b",
  ]) {
    const text = piece.repeat(20_000 / piece.length);
    time(text);
    assert.ok(time(text) < 3000, piece);
  }
});
