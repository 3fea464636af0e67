// What the ranking of the pages gives: indexes and questions on standard input, as JSON.
import { readFileSync } from "node:fs";
import { run } from "../templates/script.mjs";

const read = name => JSON.parse(readFileSync(new URL(`../../templates/${name}`, import.meta.url), "utf8"));
const { indexes, questions } = JSON.parse(readFileSync(0, "utf8"));
const globals = { ALIKE: read("alike.json"), ASK: read("ask.json") };
const { reportAnswers } = run(["ask.js"], globals, ["reportAnswers"]);
const ranking = reportAnswers.over(indexes);
const told = questions.map(question => {
  const { rows, unknown, lacking, read, answered } = ranking.ask(question);
  const first = rows.slice(0, 20).map(one => [one.edition, one.score, ...one.row]);
  return { answered, unknown, lacking, read, rows: first };
});
process.stdout.write(JSON.stringify(told));
