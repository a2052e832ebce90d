// Every action that something writes to the audit log has words on its page, in both languages.
import { expect, test } from "bun:test";
import { Glob } from "bun";
import { audit as en } from "../../web/i18n/en/audit.ts";

/** How the source names an action: in an entry, or as what a helper of its room is given. */
const NAMED = /(?:\baction: |\bnote\((?:call|parts|client)\b[^";]*|\bown\()"([a-z_]+\.[a-z_]+)"/g;

async function actionsIn(folder: string): Promise<string[]> {
  const files = [...new Glob("**/*.ts").scanSync(folder)].filter((file) => !/\.test\./.test(file));
  const texts = await Promise.all(files.map((file) => Bun.file(`${folder}/${file}`).text()));
  return texts.flatMap((text) => [...text.matchAll(NAMED)].map(([, action]) => action ?? ""));
}

test("each action of the source has words", async () => {
  const actions = [
    ...new Set(await actionsIn(new URL("../../src", import.meta.url).pathname)),
  ].sort();
  expect(actions.length).toBeGreaterThan(40);
  const silent = actions.filter((action) => !(`action_${action.replaceAll(".", "_")}` in en));
  expect(silent).toEqual([]);
});
