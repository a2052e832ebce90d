// A move whose connection dies when all that is left is to hear that it is done.
import { expect, test } from "bun:test";
import { CuttableWire } from "../../../test/engines/cuttable-wire.ts";
import { sharedPostgres } from "../../../test/engines/postgres.ts";
import { customer, failureOf } from "../../../test/store/samples.ts";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { eventually } from "../../../test/support/waiting.ts";
import { ROOMS } from "../migrations/rooms.ts";
import { openPostgres } from "../postgres/open.ts";
import type { Step } from "../progress.ts";
import { openSqlite } from "../sqlite/open.ts";
import { moveToPostgres } from "./move.ts";

const parts = partsOfTest();

/** A move through a network that is cut in the place of the last answer, and what it has moved. */
async function setUp(lost: (wire: CuttableWire) => void) {
  const dataDir = parts.folder();
  const files = await openSqlite(dataDir, { create: true, serve: true, rooms: ROOMS });
  await customer(files, { credit: 7n });
  await files.close();
  const url = await (await sharedPostgres()).createDatabase();
  const wire = parts.adopt(new CuttableWire(new URL(url)), (cut) => cut.cut());
  const through = Object.assign(new URL(url), { port: String(wire.port) }).href;
  const cutAtTheEnd = async (step: Step, done: number) => {
    if (step !== "proving" || done === 0) return;
    wire.loseNextCommitAnswer = true;
    void eventually("the answer is lost", () => !wire.loseNextCommitAnswer).then(() => lost(wire));
  };
  const moving = moveToPostgres({ dataDir, url: through, acceptProblems: false }, cutAtTheEnd);
  const accountsThere = async () => {
    const store = await openPostgres(url, { create: false, serve: false });
    try {
      return (await store.accounts.listAccounts()).length;
    } finally {
      await store.close();
    }
  };
  return { moving, accountsThere };
}

test("is told as done where PostgreSQL says so", async () => {
  const { moving, accountsThere } = await setUp((wire) => wire.mend());
  expect(await moving).toMatchObject({ books: { accounts: 1, problems: [] } });
  expect(await accountsThere()).toBe(1);
});

test("is told as unknown where nobody can say", async () => {
  const { moving, accountsThere } = await setUp(() => {});
  expect(await failureOf(moving)).toMatchObject({ name: "MoveFault", trouble: "unknown" });
  expect(await accountsThere()).toBe(1);
});
