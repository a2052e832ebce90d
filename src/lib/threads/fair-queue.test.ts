import { expect, test } from "bun:test";
import { FairQueue } from "./fair-queue.ts";

/** Work that notes when it begins and ends when it is told to. */
function setUp() {
  const queue = new FairQueue();
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const ask = (owner: string, piece: string) => {
    const end = Promise.withResolvers<void>();
    ends.set(piece, end);
    return queue.run(owner, async () => {
      begun.push(piece);
      await end.promise;
      return piece;
    });
  };
  const finish = (piece: string) => ends.get(piece)?.resolve();
  const fail = (piece: string) => ends.get(piece)?.reject(new Error(`${piece} broke`));
  return { begun, ask, finish, fail };
}

test("whoever has many pieces in line lets the others in between", async () => {
  const { begun, ask, finish } = setUp();
  const mine = ["a1", "a2", "a3", "a4"].map((piece) => ask("a", piece));
  const theirs = [ask("b", "b1"), ask("b", "b2"), ask("c", "c1")];
  for (const piece of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]) finish(piece);
  await Promise.all([...mine, ...theirs]);
  expect(begun).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
});

test("one piece is worked on at a time, and a failure stops nobody else", async () => {
  const { begun, ask, finish, fail } = setUp();
  const first = ask("a", "a1");
  const second = ask("b", "b1");
  await Promise.resolve();
  expect(begun).toEqual(["a1"]);
  fail("a1");
  await expect(first).rejects.toThrow("a1 broke");
  finish("b1");
  expect(await second).toBe("b1");
  const later = ask("a", "a2");
  finish("a2");
  expect(await later).toBe("a2");
});
