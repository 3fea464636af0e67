// Which words a search looks for, and where it finds them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { run } from "./script.mjs";

const term = (short, long) => ({ textContent: short, nextElementSibling: { textContent: long } });
const document = { querySelectorAll: () => [term("OSH", "OSA-Express (an adapter)")] };
const ALIKE = [
  ["latency", "response time"],
  ["fast", "faster", "falls"],
];
const ASK = { asking: ["what", "is", "the", "how"] };
const { reportWords } = run(["words.js"], { document, ALIKE, ASK }, ["reportWords"]);
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

const entry = (folded, text, place = 1, kind = "Section") => ({
  folded,
  whole: `${folded} ${text}`,
  place,
  kind,
});
const best = (entries, text) => reportWords.answers(entries, reportWords.of(text))[0]?.folded;

test("a question is answered by the study that it is about, not by who writes its words", () => {
  const entries = [
    entry("1 executive summary", "osh is fast: latency falls"),
    entry("11.1 osh against osd", "the latency falls by 60%", 2),
    entry("11.2.1 observations", "the shared osh is faster at every payload", 1.6),
    entry("20 appendix", "how fast is osh", 0.4),
  ];
  assert.equal(best(entries, "how fast is osh"), "11.1 osh against osd");
});

test("who asks for a word gets its term, and what has most words comes before its parts", () => {
  const entries = [entry("osh", "a channel path", 1, "Term"), entry("11.1 osh against osd", "cost falls", 2)];
  assert.equal(best(entries, "osh"), "osh");
  assert.equal(best(entries, "osh cost"), "11.1 osh against osd");
});

test("what has less than half of the words answers nothing", () => {
  assert.equal(best([entry("osh", "")], "osh auditing handshakes"), undefined);
});
