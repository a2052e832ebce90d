import { describe, expect, test } from "bun:test";
import { REQUESTS } from "../../fixtures/requests.ts";
import { mergeRows } from "./tail.ts";

const [sample] = REQUESTS;
if (!sample) throw new Error("the fixtures have no request");
const row = (id: string, second: number, cost = "0") => ({
  ...sample,
  id,
  cost,
  created_at: `2026-11-15T09:00:${String(second).padStart(2, "0")}.000Z`,
});
const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

describe("the live tail", () => {
  test("puts what is new on top, in the order in which it came", () => {
    const merged = mergeRows([row("d", 9), row("c", 5)], [row("b", 4), row("a", 1)]);
    expect(ids(merged)).toEqual(["d", "c", "b", "a"]);
  });

  test("puts a long request that ended late where it came", () => {
    expect(ids(mergeRows([row("b", 3)], [row("c", 5), row("a", 1)]))).toEqual(["c", "b", "a"]);
  });

  test("does not repeat a row that comes again", () => {
    const merged = mergeRows([row("c", 5), row("b", 4, "2")], [row("b", 4, "1")]);
    expect(ids(merged)).toEqual(["c", "b"]);
    expect(merged[1]?.cost).toBe("2");
  });

  test("orders rows of the same instant by id", () => {
    expect(ids(mergeRows([row("b", 1)], [row("c", 1), row("a", 1)]))).toEqual(["c", "b", "a"]);
  });

  test("shows how many refusals share a receipt by now", () => {
    const shared = { ...row("b", 4), requests: 20 };
    const merged = mergeRows([{ ...shared, requests: 31 }], [shared, row("a", 1)]);
    expect(ids(merged)).toEqual(["b", "a"]);
    expect(merged[0]?.requests).toBe(31);
  });

  test("is the same list where nothing is new", () => {
    const old = [row("b", 4), row("a", 1)];
    expect(mergeRows([], old)).toBe(old);
    expect(mergeRows([row("b", 4)], old)).toBe(old);
  });
});
