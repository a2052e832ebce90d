// What a small command has to wait for before it does anything.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { version } from "../../package.json" with { type: "json" };
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { environment, typed } from "./commands.ts";

const { server, database } = await perFile(serve);

const RUN = join(import.meta.dir, "..", "..", "src", "cli", "run.ts");

/** Does what was typed, one after another in one process, and tells which of the packages it has loaded by the end of each. */
async function packagesLoadedBy(
  commands: readonly string[],
  settings = {},
): Promise<Record<string, string[]>> {
  const script = `
    const { run } = await import(${JSON.stringify(RUN)});
    const loaded = {};
    for (const command of ${JSON.stringify(commands)}) {
      const code = await run(command.split(" "), process.env);
      const paths = Object.keys(require.cache).map((path) => path.replaceAll("\\\\", "/"));
      const names = paths.map((path) => path.split("/node_modules/")[1]?.split("/")[0]);
      loaded[command] = { code, files: paths.length, names };
    }
    await Bun.write(Bun.stderr, JSON.stringify(loaded));
    process.exit(0);`;
  const child = Bun.spawn([process.execPath, "-e", script], {
    env: environment({ ...database.settings, ...settings }),
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const loaded = JSON.parse(await new Response(child.stderr).text());
  const packages = commands.map((command) => {
    const { code, files, names } = loaded[command];
    expect(code).toBe(0);
    // Or nothing of what was loaded would be seen.
    expect(files).toBeGreaterThan(20);
    return [command, [...new Set<string>(names.filter((name: string | null) => name !== null))]];
  });
  return Object.fromEntries(packages);
}

const LIGHT = ["help", "account list", "key list", "usage", "verify"];
let byLight: ReturnType<typeof packagesLoadedBy> | undefined;

test.each(LIGHT)("%s needs none of the packages that the server has", async (command) => {
  byLight ??= packagesLoadedBy(LIGHT);
  expect((await byLight)[command]).toEqual([]);
});

test("drafts of a server that is named need none of the tables here", async () => {
  const { key } = await server.account("1");
  const named = { FAREGATE_URL: server.url, FAREGATE_API_KEY: key };
  const draftsBy = async (settings = {}) =>
    (await packagesLoadedBy(["draft ls"], settings))["draft ls"];
  expect(await draftsBy(named)).not.toContain("kysely");
  expect(await draftsBy()).toContain("kysely");
});

test.each(["version", "--version"])("%s is told whatever the settings are", async (word) => {
  const wrong = { FAREGATE_DATA: "/nowhere", FAREGATE_PORT: "none" };
  expect(await typed([word], wrong)).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  const told = await typed([word, "--json"], wrong);
  expect(JSON.parse(told.stdout)).toEqual({ version });
  expect(await typed([word, "--more"], wrong)).toMatchObject({ code: 2, stdout: "" });
  expect((await typed(["help"], wrong)).stdout).toContain("  faregate version ");
});
