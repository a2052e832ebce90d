import { expect, test } from "bun:test";
import { shown } from "./shown.ts";

const KEY = {
  id: "key_1",
  createdAtMs: Date.UTC(2027, 0, 31),
  lastUsedAtMs: null,
  firstByteMs: 12,
  used: 12_500_000_000n,
  hash: "not shown",
};

test("members that are named are shown in the API's names, and no others", () => {
  const texts = shown(KEY, "id", "createdAtMs", "lastUsedAtMs", "firstByteMs", "used");
  expect(texts).toEqual({
    id: "key_1",
    created_at: "2027-01-31T00:00:00.000Z",
    last_used_at: null,
    first_byte_ms: 12,
    used: "12.5",
  });
});
