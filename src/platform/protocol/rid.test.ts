import { describe, expect, test } from "bun:test";
import { newRid, RID } from "./rid.ts";

const NOW = Date.UTC(2026, 10, 15, 4);

describe("the id of a call", () => {
  test("names the second of its call", () => {
    const rid = newRid(NOW + 999);
    expect(Number.parseInt(RID.exec(rid)?.[1] ?? "", 16)).toBe(NOW / 1_000);
  });

  test("sorts behind those of the same second that were given before", () => {
    const rids = Array.from({ length: 10_000 }, () => newRid(NOW));
    expect(rids.toSorted()).toEqual(rids);
    expect(new Set(rids).size).toBe(rids.length);
    expect(rids.every((rid) => RID.test(rid))).toBe(true);
  });
});
