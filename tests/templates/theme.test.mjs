// Where the list of all reports is, from where a page lies.
import assert from "node:assert/strict";
import { test } from "node:test";
import { run } from "./script.mjs";

function home(pathname, edition = "small") {
  const link = {};
  const classes = new Set();
  const listeners = {};
  const document = {
    documentElement: { classList: classes, dataset: {} },
    querySelector: () => edition && { content: edition },
    querySelectorAll: () => [link],
    getElementById: () => null,
    addEventListener: (name, does) => {
      listeners[name] = does;
    },
  };
  run(["theme.js"], { document, location: { pathname }, localStorage: { getItem: () => null } });
  listeners.DOMContentLoaded();
  assert.equal(classes.has("listed"), Boolean(link.href));
  return link.href || "";
}

test("a build has the list above its folder, wherever that lies", () => {
  assert.equal(home("/home/ann/report/build/small/index.html"), "../index.html");
  assert.equal(home("/share/z%20reports/small/facts.html"), "../index.html");
});

test("a release has the list above all releases", () => {
  assert.equal(home("/reports/releases/small/0123456789ab/index.html"), "../../../index.html");
  assert.equal(home("/releases/small/current/"), "../../../index.html");
});

test("a page that lies elsewhere names no list", () => {
  assert.equal(home("/home/ann/Downloads/index.html"), "");
  assert.equal(home("/home/ann/Downloads/index.html", ""), "");
});
