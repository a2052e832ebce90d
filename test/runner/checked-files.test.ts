import { expect, test } from "bun:test";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { partsOfTest } from "../support/houses/house.ts";
import { checkChanged } from "./checked-files.ts";

const parts = partsOfTest();

/** A folder with two files and rules, and a tool that is content or not. */
function tree() {
  const folder = parts.folder();
  const save = (name: string, text: string) => writeFileSync(join(folder, name), text);
  save("a.ts", "one");
  save("b.ts", "one");
  save("rules.json", "{}");
  return {
    save,
    remove: (name: string) => rmSync(join(folder, name)),
    /** In its place, a link to a folder. */
    lead(name: string) {
      rmSync(join(folder, name));
      symlinkSync(parts.folder(), join(folder, name));
    },
    /** What the tool is shown; nothing where it is not asked. */
    async shown(isRight = true, look: () => void = () => {}): Promise<readonly string[]> {
      let seen: readonly string[] = [];
      const judged = { folder, paths: ["a.ts", "b.ts"], rules: ["rules.json"] };
      const answer = await checkChanged(judged, join(folder, "notes"), async (changed) => {
        seen = changed;
        look();
        return isRight;
      });
      expect(answer).toBe(isRight);
      return seen;
    },
  };
}

test("what was right is shown again once it has changed", async () => {
  const it = tree();
  expect(await it.shown()).toEqual(["a.ts", "b.ts"]);
  expect(await it.shown()).toEqual([]);
  it.save("b.ts", "two");
  expect(await it.shown()).toEqual(["b.ts"]);
  expect(await it.shown()).toEqual([]);
});

test("what was wrong is shown until it is right", async () => {
  const it = tree();
  await it.shown();
  it.save("a.ts", "wrong");
  expect(await it.shown(false)).toEqual(["a.ts"]);
  expect(await it.shown(false)).toEqual(["a.ts"]);
  it.save("a.ts", "one");
  expect(await it.shown()).toEqual([]);
});

test("everything is shown again with other rules", async () => {
  const it = tree();
  await it.shown();
  it.save("rules.json", "[]");
  expect(await it.shown()).toEqual(["a.ts", "b.ts"]);
});

test("what is saved while the tool looks is shown the next time", async () => {
  const it = tree();
  expect(await it.shown(true, () => it.save("a.ts", "meanwhile"))).toEqual(["a.ts", "b.ts"]);
  expect(await it.shown()).toEqual(["a.ts"]);
});

test("a file that was removed is shown to nobody", async () => {
  const it = tree();
  it.remove("a.ts");
  expect(await it.shown()).toEqual(["b.ts"]);
});

test("a link to a folder is shown to nobody", async () => {
  const it = tree();
  it.lead("a.ts");
  expect(await it.shown()).toEqual(["b.ts"]);
});
