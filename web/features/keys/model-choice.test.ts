import { expect, test } from "bun:test";
import { pickedFirst, toggled } from "./model-choice.ts";

const model = (id: string, display_name = id.toUpperCase()) => ({ id, display_name });
const OFFERED = [model("a"), model("b"), model("c", "Sea")];

test("what a key has stands first, and stays though it is not offered any more", () => {
  const ids = pickedFirst(OFFERED, ["c", "old"], "").map(({ id }) => id);
  expect(ids).toEqual(["old", "c", "a", "b"]);
});

test("models are found by their name and their id", () => {
  expect(pickedFirst(OFFERED, [], " sea ").map(({ id }) => id)).toEqual(["c"]);
  expect(pickedFirst(OFFERED, [], "B").map(({ id }) => id)).toEqual(["b"]);
  expect(pickedFirst(OFFERED, [], "none")).toEqual([]);
});

test("a tick adds a model at the end, or takes it away", () => {
  expect(toggled(["a"], "b")).toEqual(["a", "b"]);
  expect(toggled(["a", "b"], "a")).toEqual(["b"]);
});
