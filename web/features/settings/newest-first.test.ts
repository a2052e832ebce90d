import { describe, expect, test } from "bun:test";
import { newestFirst } from "./newest-first.ts";

const row = (id: string, createdAt: string | null) => ({ id, createdAt });

describe("sessions and passkeys", () => {
  test("have the newest first, however the database keeps them", () => {
    const rows = [
      row("c", "2026-11-15T09:00:01.000Z"),
      row("b", "2026-11-15T09:00:00.000Z"),
      row("a", "2026-11-15T09:00:00.000Z"),
      row("d", null),
    ];
    for (const order of [rows, rows.toReversed()]) expect(newestFirst(order)).toEqual(rows);
  });
});
