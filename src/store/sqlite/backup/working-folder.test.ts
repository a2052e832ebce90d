import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { partsOfTest } from "../../../../test/support/houses/house.ts";
import { ROOMS } from "../../migrations/rooms.ts";
import { openSqlite } from "../open.ts";
import { backUp } from "./backup.ts";

const parts = partsOfTest();

const OPTIONS = { force: false, withSecret: false, program: "0" };

/** A process in the middle of a backup, which never comes to its end. */
async function halfWay(dataDir: string, target: string) {
  const script = `
    const { backUp } = await import(${JSON.stringify(join(import.meta.dir, "backup.ts"))});
    await backUp(${JSON.stringify({ ...OPTIONS, dataDir, target })}, async () => {
      process.stdout.write("copying");
      setInterval(() => {}, 1_000);
      await Promise.withResolvers().promise;
    });`;
  const child = parts.adopt(
    Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" }),
    async (started) => {
      started.kill("SIGKILL");
      await started.exited;
    },
  );
  const { value } = await child.stdout.getReader().read();
  expect(Buffer.from(value ?? []).toString()).toBe("copying");
  return async () => {
    child.kill("SIGKILL");
    await child.exited;
  };
}

test("what a backup that was killed has left goes with the next one, and that of one that runs stays", async () => {
  const dataDir = parts.folder();
  await (await openSqlite(dataDir, { create: true, serve: true, rooms: ROOMS })).close();
  const place = parts.folder();
  const backUpTo = (name: string) =>
    backUp({ ...OPTIONS, dataDir, target: join(place, name) }, async () => {});
  // Others' files are not looked at, whatever they are called.
  await Bun.write(join(place, ".mon.tar.bak_2026", "mine"), "");
  const others = readdirSync(place);
  const killMonday = await halfWay(dataDir, join(place, "mon.tar"));
  const killTuesday = await halfWay(dataDir, join(place, "tue.tar"));
  const names = () => readdirSync(place).filter((name) => !others.includes(name));
  expect(names()).toHaveLength(2);
  await killMonday();
  await backUpTo("wed.tar");
  expect(names().toSorted()).toEqual([expect.stringMatching(/^\.tue\.tar\./), "wed.tar"]);
  await killTuesday();
  await backUpTo("thu.tar");
  expect(names().toSorted()).toEqual(["thu.tar", "wed.tar"]);
});
