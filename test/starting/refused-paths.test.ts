// A host, a port and a data folder that the system refuses.
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { verifyFolder } from "../../src/store/sqlite/files/verify-folder.ts";
import { openSqlite } from "../../src/store/sqlite/open.ts";
import { faregate, typed } from "../cli/commands.ts";
import { POSTGRES, SQLITE } from "../store/engines.ts";
import { freePort } from "../support/free-port.ts";
import { partsOfTest } from "../support/houses/house.ts";

const parts = partsOfTest();
/** A range that is kept for examples: no machine has an address of it. */
const NOT_OURS = "192.0.2.5";
/** Nobody makes a folder there, whoever they are. */
const NO_FOLDER = "/proc/faregate/data";

const inOneLine = (...words: readonly string[]) => ({
  code: 2,
  stderr: expect.stringMatching(new RegExp(`^faregate: [^\\n]*${words.join("[^\\n]*")}`)),
});

test.each([
  ["serve", NOT_OURS],
  ["serve", "no.such.host.invalid"],
  ["platform", NOT_OURS],
])("%s on the host %s names its settings", async (command, FAREGATE_HOST) => {
  const { settings } = await SQLITE.site(parts);
  expect(await faregate([command], { ...settings, FAREGATE_HOST })).toMatchObject(
    inOneLine("cannot listen on", "FAREGATE_HOST", "FAREGATE_PORT"),
  );
});

test.each([
  ["any port", async () => 0],
  ["a port", freePort],
])("so do several workers, on %s", async (_, port) => {
  const { settings } = await POSTGRES.site(parts);
  const place = { FAREGATE_HOST: NOT_OURS, FAREGATE_PORT: String(await port()) };
  const all = { ...settings, ...place, FAREGATE_WORKERS: "2" };
  expect(await faregate(["serve"], all)).toMatchObject(
    inOneLine("cannot listen on", "FAREGATE_HOST", "FAREGATE_PORT"),
  );
});

test.each([SQLITE, POSTGRES])(
  "a data folder that cannot be made names its, on $name",
  async (engine) => {
    const { settings } = await engine.site(parts);
    const refused = {
      ...settings,
      FAREGATE_DATA: NO_FOLDER,
      FAREGATE_PORT: "0",
      FAREGATE_STATE: "",
    };
    expect(await faregate(["serve"], refused)).toMatchObject(
      inOneLine(`${NO_FOLDER} cannot be written to`, "FAREGATE_DATA"),
    );
  },
);

describe("a data folder below a file", () => {
  const belowFile = async () => {
    const { settings } = await SQLITE.site(parts);
    const file = join(parts.folder(), "file");
    writeFileSync(file, "");
    const data = join(file, "data");
    return { data, settings: { ...settings, FAREGATE_DATA: data, FAREGATE_PORT: "0" } };
  };

  test.each(["serve", "verify", "backup copy.tar"])("names its setting to %s", async (words) => {
    const { data, settings } = await belowFile();
    const told = await typed(words.split(" "), settings);
    expect(told).toMatchObject(inOneLine("FAREGATE_DATA", data));
  });

  test("names its setting to the doctor", async () => {
    const { data, settings } = await belowFile();
    const { stdout } = await typed(["doctor"], settings);
    expect(stdout).toMatch(new RegExp(`problem +environment +FAREGATE_DATA is "${data}"`));
  });

  test("is refused to who looks through it, where the file came later", async () => {
    const { data } = await belowFile();
    await expect(verifyFolder(data)).rejects.toThrow(`${data} cannot be written to`);
  });
});

/** Settings of an installation whose file of this name the system refuses us, whoever we are. */
async function withFolderInPlaceOf(engine: typeof SQLITE, name: string) {
  const { settings } = await engine.site(parts);
  const data = parts.folder();
  mkdirSync(join(data, name));
  const place = { FAREGATE_DATA: data, FAREGATE_PORT: "0", FAREGATE_STATE: "" };
  return { path: join(data, name), settings: { ...settings, ...place } };
}

test.each(["faregate.sqlite", "console.sqlite", "serve.lock"])(
  "a file of the database that cannot be written to is named with the setting: %s",
  async (name) => {
    const { path, settings } = await withFolderInPlaceOf(SQLITE, name);
    expect(await faregate(["serve"], settings)).toMatchObject(
      inOneLine(`${path} cannot be written to`, "FAREGATE_DATA"),
    );
  },
);

test.each([SQLITE, POSTGRES])("so is a secret that cannot be read, on $name", async (engine) => {
  const { path, settings } = await withFolderInPlaceOf(engine, "secret.key");
  expect(await faregate(["serve"], settings)).toMatchObject(
    inOneLine(`${path} cannot be read`, "FAREGATE_DATA"),
  );
});

const WITHOUT_RIGHTS = [
  ...["setpriv", "--bounding-set", "-dac_override,-dac_read_search"],
  ...["--inh-caps", "-dac_override,-dac_read_search"],
];

/** What starts a program for which modes count: for the one who may do everything no mode is in the way. */
function bound(): readonly string[] | undefined {
  if (process.geteuid?.() !== 0) return [];
  if (!Bun.which("setpriv")) return undefined;
  return Bun.spawnSync([...WITHOUT_RIGHTS, "true"]).success ? WITHOUT_RIGHTS : undefined;
}

const STARTER = bound();

/** Settings of an installation with a database, of which something has a mode that is in the way. */
async function withMode(name: string, mode: number) {
  const { settings } = await SQLITE.site(parts);
  const data = parts.folder();
  await openSqlite(data, { create: true, serve: false }).then((store) => store.close());
  const path = join(data, name);
  chmodSync(path, mode);
  parts.defer(() => chmodSync(path, 0o700));
  return { path, settings: { ...settings, FAREGATE_DATA: data, FAREGATE_PORT: "0" } };
}

test.skipIf(STARTER === undefined).each([
  ["the folder", ".", 0o500],
  ["a folder that may not be searched", ".", 0o600],
  ["a file of it", "faregate.sqlite", 0o400],
])("so is %s where its mode is in the way", async (_, name, mode) => {
  const { path, settings } = await withMode(name, mode);
  expect(await faregate(["serve"], settings, undefined, STARTER)).toMatchObject(
    inOneLine(`${path} cannot be written to`, "FAREGATE_DATA"),
  );
});

test.skipIf(STARTER === undefined)(
  "nobody says of a folder that may not be searched that nothing is in it",
  async () => {
    const { path, settings } = await withMode(".", 0o600);
    const run = (command: string) => faregate([command], settings, undefined, STARTER);
    expect(await run("verify")).toMatchObject(
      inOneLine(`${path} cannot be written to`, "FAREGATE_DATA"),
    );
    const { stdout } = await run("doctor");
    expect(stdout).toContain(`${path} cannot be written to`);
    expect(stdout).not.toContain("there is none yet");
    expect(stdout).not.toContain("could not be looked at");
  },
);

test("what a worker cannot begin with is told once, without a word of its supervisor", async () => {
  const { settings } = await POSTGRES.site(parts);
  const more = { FAREGATE_DATA: NO_FOLDER, FAREGATE_PORT: "0", FAREGATE_WORKERS: "2" };
  const { code, stderr } = await faregate(["serve"], { ...settings, ...more });
  expect(stderr).toContain("FAREGATE_DATA");
  expect(stderr).not.toContain("a worker ended");
  expect(code).toBe(2);
});
