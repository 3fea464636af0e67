// Which changes the table shows, in which order, and what it saves of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { run } from "./script.mjs";

const HEADS = ["metric", "role", "verdict", "change_percent"];
const ROWS = [
  ["Latency", "", "improved", -37.2],
  ["CPU cost", "client", "regressed", 4],
  ["CPU cost", "server", "improved", -0.5],
  ["=cmd()", "", 'said "no", so', null],
];

/** The page with the table, as far as the script asks for it. */
function page(search = "") {
  const shown = { rows: [] };
  const listeners = {};
  const listens = () => {
    const own = {};
    return { own, addEventListener: (kind, heard) => Object.assign(own, { [kind]: heard }) };
  };
  const control = (filter, options) => ({
    ...listens(),
    dataset: filter ? { filter } : {},
    value: "",
    options: ["", ...options].map(value => ({ value })),
    matches: () => !filter,
  });
  const controls = [
    control("metric", ["Latency", "CPU cost, client", "CPU cost, server"]),
    control("verdict", ["improved", "regressed"]),
    control("", []),
  ];
  const head = name => ({
    dataset: { sort: name },
    attributes: {},
    setAttribute(key, value) {
      this.attributes[key] = value;
    },
    removeAttribute(key) {
      delete this.attributes[key];
    },
    replaceChildren(button) {
      this.button = button;
    },
  });
  const heads = [head("metric"), head("change")];
  const rows = ROWS.map(values => ({
    textContent: values.join(" "),
    cells: [{ textContent: values[0] }, { textContent: String(values[3]) }],
  }));
  const ids = {
    rows: { textContent: JSON.stringify({ heads: HEADS, rows: ROWS }) },
    shown: { dataset: { of: "changes" } },
    none: {},
    clear: listens(),
    csv: listens(),
  };
  const found = {
    ".explorer tbody tr": rows,
    "[data-filter], #by-words": controls,
    ".explorer thead th": heads,
  };
  const document = {
    addEventListener: (kind, heard) => Object.assign(listeners, { [kind]: heard }),
    getElementById: id => ids[id],
    querySelectorAll: selector => found[selector],
    querySelector: () => ({ replaceChildren: (...now) => Object.assign(shown, { rows: now }) }),
    createElement: () => listens(),
  };
  const location = { search, pathname: "/explorer.html" };
  const history = { replaceState: (_state, _title, url) => Object.assign(shown, { url }) };
  run(["explorer.js"], { document, location, history, URLSearchParams, encodeURIComponent });
  listeners.DOMContentLoaded();
  return {
    url: () => shown.url,
    said: () => ids.shown.textContent,
    rows: () => shown.rows.map(row => rows.indexOf(row)),
    choose(number, value) {
      controls[number].value = value;
      controls[number].own.input();
    },
    sort: number => heads[number].button.own.click(),
    saved() {
      const link = {};
      ids.csv.own.click({ currentTarget: link });
      return decodeURIComponent(link.href.replace("data:text/csv;charset=utf-8,", ""));
    },
  };
}

test("filters hold together, and the address keeps them", () => {
  const table = page();
  table.choose(1, "improved");
  assert.deepEqual(table.rows(), [0, 2]);
  table.choose(0, "CPU cost, server");
  assert.deepEqual(table.rows(), [2]);
  assert.equal(table.said(), "1 of 4 changes");
  assert.equal(table.url(), "/explorer.html?metric=CPU+cost%2C+server&verdict=improved");
});

test("words are looked for in any order and case", () => {
  const table = page();
  table.choose(2, "REGRESSED cost");
  assert.deepEqual(table.rows(), [1]);
});

test("an order is that of the numbers, turns round, and ends at the third click", () => {
  const table = page();
  table.sort(1);
  assert.deepEqual(table.rows(), [3, 0, 2, 1]);
  table.sort(1);
  assert.deepEqual(table.rows(), [1, 2, 0, 3]);
  table.sort(1);
  assert.deepEqual(table.rows(), [0, 1, 2, 3]);
});

test("an address opens what it kept, without what the page does not know", () => {
  const table = page("?verdict=regressed&metric=gone&sort=nothing");
  assert.deepEqual(table.rows(), [1]);
});

test("what is saved are the rows that are shown, and no spreadsheet runs one", () => {
  const table = page();
  table.choose(2, "cmd");
  assert.equal(table.saved(), `${HEADS.join(",")}\n'=cmd(),,"said ""no"", so",\n`);
});
