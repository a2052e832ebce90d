// A command that changes money is killed at any moment of its life, beside a server and without one: what it was
// to do has happened or it has not, and the books are right.
import { describe, expect, test } from "bun:test";
import { openSqlite } from "../../src/store/sqlite/open.ts";
import { ENTRY, environment, faregate } from "../cli/commands.ts";
import { Dice } from "../simulation/dice.ts";
import { admitted, customer, post } from "../store/samples.ts";
import { count } from "../support/counts.ts";
import { partsOfTest } from "../support/houses/house.ts";

const KILLS = count(4, 100);
const SEED = 20_261_116;

const parts = partsOfTest();

/** Milliseconds that a command takes when nobody kills it. */
async function lifeOf(settings: Record<string, string>, accountId: string): Promise<number> {
  const startedMs = performance.now();
  const { code, stderr } = await faregate(["topup", "--account", accountId, "1"], settings);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return performance.now() - startedMs;
}

async function killAt(settings: Record<string, string>, accountId: string, ms: number) {
  const child = Bun.spawn([process.execPath, ENTRY, "topup", "--account", accountId, "1"], {
    env: environment(settings),
    stdio: ["ignore", "ignore", "ignore"],
  });
  await Bun.sleep(ms);
  child.kill("SIGKILL");
  await child.exited;
}

describe("a command that is killed", () => {
  test.each([true, false])("with a server beside it: %p", async (serves) => {
    const folder = parts.folder();
    const settings = { FAREGATE_DATA: folder };
    const first = await openSqlite(folder, { create: true, serve: true });
    const made = await customer(first, { credit: 1_000n });
    if (!serves) await first.close();
    const dice = new Dice(SEED);
    const lifeMs = await lifeOf(settings, made.accountId);
    for (let i = 0; i < KILLS; i++) {
      // The last part of its life is the one in which it does something.
      await killAt(settings, made.accountId, lifeMs * (0.4 + 0.7 * dice.next()));
    }
    const store = serves ? first : await openSqlite(folder, { create: false, serve: true });
    parts.keep(store);
    const { credited } = (await store.ledger.balance(made.accountId)) ?? { credited: 0n };
    const topups = credited - 1_000n;
    expect(topups % 1_000_000_000n).toBe(0n);
    expect(topups).toBeGreaterThanOrEqual(1_000_000_000n);
    expect(topups).toBeLessThanOrEqual(BigInt(KILLS + 1) * 1_000_000_000n);
    // The book knows of all that was credited, and goes on.
    expect(await admitted(store, made, 5n)).toMatchObject({ left: credited });
    await post(store, await admitted(store, made, credited - 5n, { hard: true }), 7n);
    expect((await store.ledger.verify()).problems).toEqual([]);
  });
});
