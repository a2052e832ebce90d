import { describe, expect, test } from "bun:test";
import type { Scope } from "../admission/judge.ts";
import { ScopeBook } from "./scope-book.ts";

function balance(max: bigint, over: Partial<Scope> = {}): Scope {
  return { id: "acct", kind: "balance", max, used: 0n, held: 0n, ...over };
}

function budget(id: string, max: bigint | null, over: Partial<Scope> = {}): Scope {
  return { id, kind: "budget", max, used: 0n, held: 0n, ...over };
}

function bookOf(max: bigint, ...keys: Scope[]): ScopeBook {
  const book = new ScopeBook();
  for (const key of keys) book.load(key.id, [balance(max), key]);
  return book;
}

describe("the scopes of a batch", () => {
  test("are judged as earlier operations of the batch have left them", () => {
    const book = bookOf(100n, budget("k1", null), budget("k2", null));
    expect(book.admit("k1", 60n, null)).toMatchObject({ kind: "admit", hold: 60n, left: 100n });
    expect(book.admit("k2", 50n, null)).toEqual({ kind: "wait", scopeId: "acct" });
    book.move("k1", 20n, -60n);
    expect(book.moves()).toEqual([
      { id: "acct", used: 20n, held: 0n },
      { id: "k1", used: 20n, held: 0n },
    ]);
  });

  test("are written in id order, and only those that moved", () => {
    const book = bookOf(100n, budget("z", null), budget("a", null), budget("m", null));
    book.admit("z", 1n, null);
    book.admit("a", 2n, null);
    expect(book.moves()).toEqual([
      { id: "a", used: 0n, held: 2n },
      { id: "acct", used: 0n, held: 3n },
      { id: "z", used: 0n, held: 1n },
    ]);
  });

  test("let nobody overtake in a scope where somebody waits, except what is free", () => {
    const book = bookOf(100n, budget("k1", 50n, { held: 40n }), budget("k2", null));
    expect(book.admit("k1", 20n, null)).toEqual({ kind: "wait", scopeId: "k1" });
    expect(book.admit("k1", 1n, null)).toEqual({ kind: "wait", scopeId: "k1" });
    expect(book.admit("k1", 0n, null)).toMatchObject({ kind: "admit" });
    expect(book.admit("k2", 1n, null)).toMatchObject({ kind: "admit" });
  });

  test("keep a request behind those it is told of, and still refuse it", () => {
    const book = bookOf(100n, budget("k1", 10n), budget("k2", 10n, { used: 11n }));
    expect(book.admit("k1", 5n, "acct")).toEqual({ kind: "wait", scopeId: "acct" });
    expect(book.admit("k2", 5n, "acct")).toMatchObject({ kind: "exceeded" });
    expect(book.moves()).toEqual([]);
  });

  test("are never half of them", () => {
    const book = new ScopeBook();
    expect(() => book.load("k", [])).toThrow("k has no balance");
    expect(() => book.load("k", [budget("k", null)])).toThrow("k has no balance");
    expect(() => book.load("k", [balance(1n)])).toThrow("k has no budget");
    expect(() => book.admit("k", 1n, null)).toThrow("not loaded");
  });
});
