import { expect, test } from "bun:test";
import { amount, asNamed, flag, json, keptAs } from "./kept.ts";

interface Thing {
  readonly id: string;
  readonly isOpen: boolean;
  readonly cost: bigint;
  readonly refunded: bigint | null;
  readonly tags: readonly string[];
  readonly note: string | null;
}

const kept = keptAs<Thing>()({
  ...asNamed("id", "note"),
  isOpen: flag("open"),
  cost: amount("cost_nano"),
  refunded: amount("refunded_nano"),
  tags: json("tags"),
});

const thing: Thing = {
  id: "a",
  isOpen: true,
  cost: 2n ** 60n + 1n,
  refunded: null,
  tags: ["x", "y"],
  note: null,
};

test("what is kept comes back as it was, amounts of any size included", () => {
  const row = {
    id: "a",
    isOpen: 1,
    cost: `${thing.cost}`,
    refunded: null,
    tags: '["x","y"]',
  } as const;
  expect(kept.read({ ...row, note: null })).toEqual(thing);
  expect(kept.read({ ...row, note: null, isOpen: 0 })).toEqual({ ...thing, isOpen: false });
});

test("every member goes to its column, and columns that nobody names are not read", () => {
  expect(kept.cells(thing)).toEqual({
    id: "a",
    note: null,
    open: true,
    cost_nano: thing.cost,
    refunded_nano: null,
    tags: '["x","y"]',
  } as never);
  const row = {
    id: "a",
    isOpen: 1,
    cost: "1",
    refunded: "2",
    tags: "[]",
    note: "n",
    more: 1,
  } as const;
  expect(kept.read(row)).toEqual({
    id: "a",
    isOpen: true,
    cost: 1n,
    refunded: 2n,
    tags: [],
    note: "n",
  });
});
