// What is pasted at the desk: lists of Word, and values that go with their words.
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { execCommand: () => false, querySelector: () => null };
globalThis.location = { pathname: "/e/small/" };
const { carries, pastes, putValue, rewrite } = await import("../../templates/desk/area.js");

/** A field for words, as far as scripts ask for it; what is heard by kind. */
function fieldOf(words, at = [words.length, words.length]) {
  const heard = {};
  const input = { addEventListener: (kind, listener) => Object.assign(heard, { [kind]: listener }) };
  const field = {
    ...{ input, words, at },
    write(from, to, put) {
      this.words = this.words.slice(0, from) + put + this.words.slice(to);
    },
  };
  return { field, heard };
}

/** What a field holds once something was pasted at its end, and what was said. */
function paste(words, { before = "", about = "speed", tokens = {} } = {}) {
  const { field, heard } = fieldOf(before);
  const said = [];
  pastes(field, about, tokens, line => said.push(line));
  let own = true;
  const preventDefault = () => {
    own = false;
  };
  heard.paste({ clipboardData: { getData: () => words }, preventDefault });
  return { value: own ? before + words : field.words, said, tokens };
}

/** Copies all words of a field of a study; what is kept of it is asked for later. */
function copy(words, about, tokens) {
  const kept = {};
  globalThis.localStorage = {
    getItem: name => kept[name] ?? null,
    setItem: (name, value) => Object.assign(kept, { [name]: value }),
    removeItem: name => delete kept[name],
  };
  const { field, heard } = fieldOf(words, [0, words.length]);
  carries(field, about, tokens);
  heard.copy();
}

const nothingCopied = () => copy("", "speed", {});

test("bullets of Word become a list with its levels, set apart by empty lines", () => {
  nothingCopied();
  const words = "Two things:\r\n·\tOne\r\no   Within\r\n–\tDeeper\r\n·\tTwo\r\nEnd.";
  const { value, said } = paste(words);
  assert.equal(value, "Two things:\n\n- One\n  - Within\n    - Deeper\n- Two\n\nEnd.");
  assert.equal(said.length, 1);
});

test("a list that is pasted behind words stands below them", () => {
  nothingCopied();
  assert.equal(paste("·\tOne\n·\tTwo", { before: "Words." }).value, "Words.\n\n- One\n- Two");
  assert.equal(paste("·\tOne", { before: "Words.\n\n" }).value, "Words.\n\n- One");
});

test("numbers of a list stay, and what is below them stands further in", () => {
  nothingCopied();
  assert.equal(paste("1.\tOne\n·\tWithin\n2)\tTwo").value, "1. One\n   - Within\n2. Two");
});

test("words that only begin like an item are no list", () => {
  nothingCopied();
  for (const words of ["o what a day", "- One\n- Two", "2. Two", "– so it is", "·"]) {
    const { value, said } = paste(words);
    assert.equal(value, words);
    assert.deepEqual(said, []);
  }
});

test("more than a text may have is not pasted", () => {
  nothingCopied();
  const { value, said } = paste("word ".repeat(400_000), { before: "Words." });
  assert.equal(value, "Words.");
  assert.match(said[0], /^Not pasted: 2,000,000 characters/);
});

const WORDS = "is {37%}";
const COPIED = { "{37%}": "delta(1)", "{4%}": "delta(9)" };

test("a value that was copied is known where its words are pasted, and no other", () => {
  copy(WORDS, "speed", COPIED);
  const { value, tokens } = paste(WORDS);
  assert.equal(value, WORDS);
  assert.deepEqual(tokens, { "{37%}": "delta(1)" });
});

test("a value that prints as another one does here gets a token of its own", () => {
  copy(WORDS, "speed", COPIED);
  const { value, tokens } = paste(WORDS, { tokens: { "{37%}": "delta(2)" } });
  assert.equal(value, "is {37%, 2}");
  assert.deepEqual(tokens, { "{37%}": "delta(2)", "{37%, 2}": "delta(1)" });
});

test("values stay where the words are others, or of another study", () => {
  copy(WORDS, "speed", COPIED);
  for (const [words, about] of [
    ["was {37%}", "speed"],
    [WORDS, "cost"],
  ]) {
    const { value, tokens } = paste(words, { about });
    assert.equal(value, words);
    assert.deepEqual(tokens, {});
  }
});

test("a value that is there for its words already is not put there again", () => {
  const { field } = fieldOf("It is 37%.");
  const tokens = {};
  const value = { shows: "37%", expression: "delta(1)", typed: "37%" };
  for (const _ of [1, 2]) putValue(field, field.words, tokens, value);
  assert.equal(field.words, "It is {37%}.");
});

test("only what changed is written", () => {
  const { field } = fieldOf("It falls by 37%.");
  const written = [];
  const write = (...given) => written.push(given);
  rewrite({ ...field, write }, "It falls by 37%.", "It rises by 37%.");
  rewrite({ ...field, write }, "aa", "aaa");
  rewrite({ ...field, write }, "aa", "aa");
  assert.deepEqual(written, [
    [3, 7, "rise"],
    [2, 2, "a"],
  ]);
});
