import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { partsOfTest } from "../support/houses/house.ts";
import { DISK_VARIABLE } from "./folder.ts";

const parts = partsOfTest();

const SCRIPT = `
  const { openRunFolder } = await import(${JSON.stringify(join(import.meta.dir, "folder.ts"))});
  const { tmpdir } = await import("node:os");
  const folder = openRunFolder();
  await Bun.write(folder.path + "/kept", "something");
  console.log(JSON.stringify([folder.path, tmpdir(), process.env.${DISK_VARIABLE}]));
  for await (const _ of Bun.stdin.stream()) {}
  folder.remove();
`;

/** A run as far as its folder goes, which ends with its standard input. */
async function begin(temporaryFolder: string | undefined) {
  const { TMPDIR: _, [DISK_VARIABLE]: __, ...env } = process.env;
  const child = Bun.spawn([process.execPath, "-e", SCRIPT], {
    env: { ...env, ...(temporaryFolder !== undefined && { TMPDIR: temporaryFolder }) },
    stdin: "pipe",
    stdout: "pipe",
  });
  parts.defer(async () => {
    child.kill("SIGKILL");
    await child.exited;
  });
  const { value } = await child.stdout.getReader().read();
  const [path, temporary, disk] = JSON.parse(new TextDecoder().decode(value)) as string[];
  return { child, path: path ?? "", temporary, disk };
}

test("a run has one folder, within the one that was named, and takes it along", async () => {
  const named = parts.folder();
  const { child, path, temporary, disk } = await begin(named);
  expect(dirname(path)).toBe(named);
  expect(temporary).toBe(path);
  expect(disk).toBe(named);
  expect(existsSync(join(path, "kept"))).toBe(true);
  await child.stdin.end();
  expect(await child.exited).toBe(0);
  expect(readdirSync(named)).toEqual([]);
});

test("what a run that was killed has left is gone with the next one, not what another has", async () => {
  const named = parts.folder();
  const killed = await begin(named);
  killed.child.kill("SIGKILL");
  await killed.child.exited;
  expect(existsSync(killed.path)).toBe(true);
  const one = await begin(named);
  const two = await begin(named);
  expect([killed, one, two].map(({ path }) => existsSync(path))).toEqual([false, true, true]);
});

test("where no folder is named, a killed run is swept as well", async () => {
  const killed = await begin(undefined);
  killed.child.kill("SIGKILL");
  await killed.child.exited;
  const next = await begin(undefined);
  expect(existsSync(killed.path)).toBe(false);
  await next.child.stdin.end();
  await next.child.exited;
  expect(existsSync(next.path)).toBe(false);
});
