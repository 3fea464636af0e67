// What is pasted at the desk: lists of Word, and values that go with their words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { asMarkdown } from "../../templates/desk/paste.js";
import { carried } from "../../templates/desk/write.js";

test("bullets of Word become a list with its levels, set apart by empty lines", () => {
  const words = "Two things:\n·\tOne\no   Within\n–\tDeeper\n·\tTwo\nEnd.";
  assert.equal(asMarkdown(words), "Two things:\n\n- One\n  - Within\n    - Deeper\n- Two\n\nEnd.");
});

test("numbers of a list stay, and what is below them stands further in", () => {
  assert.equal(asMarkdown("1.\tOne\n·\tWithin\n2)\tTwo"), "1. One\n   - Within\n2. Two");
});

test("words that only begin like an item are no list", () => {
  for (const words of ["o what a day", "- One\n- Two", "2. Two", "– so it is", "·"])
    assert.equal(asMarkdown(words), words);
});

function copied(said) {
  const kept = { "desk-carried": JSON.stringify(said) };
  globalThis.localStorage = { getItem: name => kept[name] ?? null };
}

test("a value that was copied is known where its words are pasted", () => {
  copied({ words: "is {37%}", about: "speed", own: { "{37%}": "delta(1)" } });
  const tokens = {};
  assert.equal(carried("is {37%}", "speed", tokens), "is {37%}");
  assert.deepEqual(tokens, { "{37%}": "delta(1)" });
});

test("a value that prints as another one does here gets a token of its own", () => {
  copied({ words: "is {37%}", about: "speed", own: { "{37%}": "delta(1)" } });
  const tokens = { "{37%}": "delta(2)" };
  assert.equal(carried("is {37%}", "speed", tokens), "is {37%, 2}");
  assert.equal(tokens["{37%, 2}"], "delta(1)");
  assert.equal(tokens["{37%}"], "delta(2)");
});

test("values stay where the words are others, or of another study", () => {
  copied({ words: "is {37%}", about: "speed", own: { "{37%}": "delta(1)" } });
  for (const [words, about] of [
    ["was {37%}", "speed"],
    ["is {37%}", "cost"],
  ]) {
    const tokens = {};
    assert.equal(carried(words, about, tokens), words);
    assert.deepEqual(tokens, {});
  }
});
