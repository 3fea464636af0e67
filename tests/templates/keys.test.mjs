// Where keys of the desk lead, from where one is.
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { querySelector: () => null };
globalThis.location = { pathname: "/e/small/" };
const { nextOf } = await import("../../templates/desk/keys.js");

test("the next and the one before, and round at the ends", () => {
  const from = at => one => one - at;
  assert.equal(nextOf([1, 5, 9], from(5)), 9);
  assert.equal(nextOf([1, 5, 9], from(5), true), 1);
  assert.equal(nextOf([1, 5, 9], from(6)), 9);
  assert.equal(nextOf([1, 5, 9], from(9)), 1);
  assert.equal(nextOf([1, 5, 9], from(1), true), 9);
  assert.equal(nextOf([], from(1)), undefined);
});
