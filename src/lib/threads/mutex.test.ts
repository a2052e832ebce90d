import { expect, test } from "bun:test";
import { Mutex } from "./mutex.ts";

test("work runs one at a time, in order, and a failure stops nobody else", async () => {
  const mutex = new Mutex();
  const seen: string[] = [];
  const work = (name: string) => () =>
    Promise.resolve()
      .then(() => seen.push(`${name} begins`))
      .then(() => {
        if (name === "b") throw new Error("b broke");
        seen.push(`${name} ends`);
        return name;
      });
  const all = await Promise.allSettled(["a", "b", "c"].map((name) => mutex.run(work(name))));
  expect(seen).toEqual(["a begins", "a ends", "b begins", "c begins", "c ends"]);
  expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});
