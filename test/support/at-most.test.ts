import { expect, test } from "bun:test";
import { atMost } from "./at-most.ts";

test("so many run at once, each in its turn, also after one that failed", async () => {
  const inTurn = atMost(2);
  const begun: number[] = [];
  const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<number>());
  const all = ends.map(({ promise }, index) =>
    inTurn(() => {
      begun.push(index);
      return promise;
    }),
  );
  const outcomes = Promise.allSettled(all);
  await Bun.sleep(0);
  expect(begun).toEqual([0, 1]);
  ends[1]?.reject(new Error("broken"));
  await Bun.sleep(0);
  expect(begun).toEqual([0, 1, 2]);
  for (const { resolve } of ends) resolve(7);
  expect((await outcomes).map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  expect(begun).toEqual([0, 1, 2, 3]);
});
