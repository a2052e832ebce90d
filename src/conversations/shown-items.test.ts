import { expect, test } from "bun:test";
import { shownItems } from "./shown-items.ts";

const message = (id: string) => ({ id, type: "message", role: "user", content: "x" });
const idsOf = (...ids: string[]) => shownItems(ids.map(message)).map(({ id }) => id);

test("every item is listed under an id that no other has, whatever clients call theirs", () => {
  expect(idsOf("a", "b", "c")).toEqual(["a", "b", "c"]);
  expect(idsOf("a", "a", "a")).toEqual(["a", "a_2", "a_3"]);
  for (const ids of [
    ["a", "a", "a_2"],
    ["a_2", "a", "a", "a_2", "a_2_2"],
    ["a", "a", "a_3", "a", "a_2"],
  ]) {
    const shown = idsOf(...ids);
    expect([ids, new Set(shown).size]).toEqual([ids, ids.length]);
    // The first of each keeps its own, so that a list that was begun before goes on.
    expect(shown[0]).toBe(ids[0]);
  }
});
