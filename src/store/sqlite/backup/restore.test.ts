import { beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { customer, failureOf } from "../../../../test/store/samples.ts";
import { partsOfTest } from "../../../../test/support/houses/house.ts";
import { ROOMS } from "../../migrations/rooms.ts";
import type { Step } from "../../progress.ts";
import { MissingDatabaseError } from "../../store.ts";
import { openSqlite } from "../open.ts";
import { backUp } from "./backup.ts";
import { restore } from "./restore.ts";

const parts = partsOfTest();
const SERVING = { create: true, serve: true, rooms: ROOMS };

async function accountsIn(folder: string): Promise<number> {
  const store = await openSqlite(folder, SERVING);
  try {
    return (await store.accounts.listAccounts()).length;
  } finally {
    await store.close();
  }
}

describe("a restore over an installation", () => {
  /** It has one customer when it is backed up, and then another. */
  let folder: string;
  let source: string;
  beforeEach(async () => {
    folder = parts.folder();
    source = join(parts.folder(), "b.tar");
    const store = await openSqlite(folder, SERVING);
    await customer(store, { credit: 1n });
    const asked = { dataDir: folder, target: source, force: false, withSecret: false };
    await backUp({ ...asked, program: "0" }, async () => {});
    await customer(store, { credit: 2n });
    await store.close();
  });

  /** With something that happens when all is proved, before anything is moved. */
  const restoring = (proved: () => void) =>
    restore(
      { source, dataDir: folder, force: true, acceptProblems: false },
      async (step: Step, done: number) => {
        if (step === "proving" && done === 1) proved();
      },
    );

  test("is given up until the last moment, and then nothing has changed", async () => {
    const giveUp = () => {
      throw new Error("given up");
    };
    // By what somebody has put there, whatever it is called, too.
    mkdirSync(join(folder, "restore_old"));
    expect((await failureOf(restoring(giveUp))).message).toBe("given up");
    const beside = readdirSync(folder).filter((name) => /^(?:before-)?restore/.test(name));
    expect(beside).toEqual(["restore_old"]);
    expect(await accountsIn(folder)).toBe(2);
  });

  test.each(["responses.sqlite", "console.sqlite", "faregate.sqlite"])(
    "that ends before %s is in its place leaves no folder that a server would begin anew in",
    async (name) => {
      const cut = () => {
        const [beside = ""] = readdirSync(folder).filter((each) => each.startsWith("restore_"));
        rmSync(join(folder, beside, name));
      };
      expect(await failureOf(restoring(cut))).toMatchObject({ code: "ENOENT" });
      expect(await failureOf(accountsIn(folder))).toBeInstanceOf(MissingDatabaseError);
      await restoring(() => {});
      expect(await accountsIn(folder)).toBe(1);
    },
  );
});
