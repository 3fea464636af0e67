// Which words a search looks for, and where it finds them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { run } from "./script.mjs";

const term = (short, long) => ({ textContent: short, nextElementSibling: { textContent: long } });
const document = { querySelectorAll: () => [term("OSH", "OSA-Express (an adapter)")] };
const ALIKE = [["latency", "response time"]];
const { reportWords } = run(["words.js"], { document, ALIKE }, ["reportWords"]);
const forms = text => Array.from(reportWords.of(text), word => Array.from(word));

test("small words are left out, unless there are no others", () => {
  assert.deepEqual(
    forms("what is the rate").map(word => word[0]),
    ["rate"],
  );
  assert.deepEqual(
    forms("what is").map(word => word[0]),
    ["what", "is"],
  );
});

test("a word stands for its stem, what readers say for it, and what it is short for", () => {
  assert.deepEqual(forms("latency"), [["latency", "response time"]]);
  assert.deepEqual(forms("streams"), [["streams", "stream"]]);
  assert.deepEqual(forms("osh"), [["osh", "osa-express"]]);
});

test("short forms begin words, long ones stand anywhere", () => {
  assert.equal(reportWords.has("an error of crr10", ["rr"]), false);
  assert.equal(reportWords.has("an error of rr10", ["rr"]), true);
  assert.equal(reportWords.has("the throughput", ["through"]), true);
});

test("a word begins another one after a sign, and not within it", () => {
  assert.equal(reportWords.begins("cpu cost", ["cost"]), true);
  assert.equal(reportWords.begins("the forecosts", ["cost"]), false);
});
