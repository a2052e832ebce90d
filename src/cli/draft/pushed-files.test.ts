import { expect, test } from "bun:test";
import { readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { perFile } from "../../../test/support/houses/house.ts";
import { PushedFiles } from "./pushed-files.ts";

const folder = await perFile((parts) => parts.folder());
const article = join(folder, "a.md");
const other = join(folder, "b.md");
for (const path of [article, other]) writeFileSync(path, "text");

test("a file is known by its drafts, the newest first, under every name that leads to it", () => {
  const pushed = new PushedFiles({ FAREGATE_STATE: join(folder, "state") });
  expect(pushed.draftsOf(article)).toEqual([]);
  pushed.remember(article, "drf_1");
  pushed.remember(article, "drf_2");
  pushed.remember(article, "drf_1");
  symlinkSync(article, join(folder, "link.md"));
  expect(pushed.draftsOf(join(folder, "link.md"))).toEqual(["drf_1", "drf_2"]);
  expect(pushed.draftsOf(other)).toEqual([]);
  for (let at = 0; at < 20; at++) pushed.remember(other, `drf_${at}`);
  expect(pushed.draftsOf(other)).toHaveLength(10);
  expect(pushed.draftsOf(other)[0]).toBe("drf_19");
});

test("what is remembered is for its owner alone, where other programs keep theirs", () => {
  new PushedFiles({ XDG_STATE_HOME: join(folder, "xdg") }).remember(article, "drf_1");
  const kept = join(folder, "xdg", "faregate", "pushed");
  const [note = ""] = readdirSync(kept);
  expect(statSync(kept).mode & 0o777).toBe(0o700);
  expect(statSync(join(kept, note)).mode & 0o777).toBe(0o600);
});

test("what cannot be read is nothing", () => {
  const state = join(folder, "broken");
  const pushed = new PushedFiles({ FAREGATE_STATE: state });
  pushed.remember(article, "drf_1");
  const [note = ""] = readdirSync(join(state, "pushed"));
  for (const text of ["{", "null", '{"drafts": 1}', '{"drafts": [1]}']) {
    writeFileSync(join(state, "pushed", note), text);
    expect(pushed.draftsOf(article)).toEqual([]);
  }
  expect(pushed.draftsOf(join(folder, "none.md"))).toEqual([]);
});
