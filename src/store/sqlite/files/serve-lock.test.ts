import { expect, test } from "bun:test";
import { join } from "node:path";
import { partsOfTest } from "../../../../test/support/houses/house.ts";
import { isTaken, takeLock } from "./serve-lock.ts";

const parts = partsOfTest();

test("a lock is kept until it is freed, also where nobody remembers who took it", async () => {
  const place = parts.folder();
  const paths = Array.from({ length: 20 }, (_, each) => join(place, `${each}.lock`));
  const takeAll = async () => {
    for (const path of paths) takeLock(path);
  };
  await takeAll();
  Bun.gc(true);
  await Bun.sleep(0);
  Bun.gc(true);
  expect(paths.filter(isTaken)).toEqual(paths);
});

test("a lock that was freed can be taken again", () => {
  const path = join(parts.folder(), "lock");
  const unlock = takeLock(path);
  expect(takeLock(path)).toBeUndefined();
  unlock?.();
  expect(isTaken(path)).toBe(false);
});
