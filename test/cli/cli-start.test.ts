// What a small command has to wait for before it does anything.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { ENTRY, environment } from "./commands.ts";

const { database } = await perFile(serve);

/** Does what was typed, and tells which of the packages it has loaded for that. */
async function packagesLoadedBy(...args: string[]): Promise<string[]> {
  const script = `
    const { run } = await import(${JSON.stringify(join(ENTRY, "..", "run.ts"))});
    const code = await run(${JSON.stringify(args)}, process.env);
    const paths = Object.keys(require.cache).map((path) => path.replaceAll("\\\\", "/"));
    const names = paths.map((path) => path.split("/node_modules/")[1]?.split("/")[0]);
    await Bun.write(Bun.stderr, JSON.stringify({ code, files: paths.length, names }));
    process.exit(0);`;
  const child = Bun.spawn([process.execPath, "-e", script], {
    env: environment(database.settings),
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const { code, files, names } = JSON.parse(await new Response(child.stderr).text());
  expect(code).toBe(0);
  // Or nothing of what was loaded would be seen.
  expect(files).toBeGreaterThan(20);
  return [...new Set<string>(names.filter((name: string | null) => name !== null))];
}

test.each(["help", "account list", "key list", "usage", "verify"])(
  "%s needs none of the packages that the server has",
  async (command) => {
    expect(await packagesLoadedBy(...command.split(" "))).toEqual([]);
  },
);
