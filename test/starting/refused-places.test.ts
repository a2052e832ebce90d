// A host, a port and a data folder that the system refuses.
import { expect, test } from "bun:test";
import { faregate } from "../cli/commands.ts";
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
    inOneLine("cannot be listened on", "FAREGATE_HOST", "FAREGATE_PORT"),
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
    inOneLine("cannot be listened on", "FAREGATE_HOST", "FAREGATE_PORT"),
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

test("what a worker cannot begin with is told once, without a word of its supervisor", async () => {
  const { settings } = await POSTGRES.site(parts);
  const more = { FAREGATE_DATA: NO_FOLDER, FAREGATE_PORT: "0", FAREGATE_WORKERS: "2" };
  const { code, stderr } = await faregate(["serve"], { ...settings, ...more });
  expect(stderr).toContain("FAREGATE_DATA");
  expect(stderr).not.toContain("a worker ended");
  expect(code).toBe(2);
});
