import { describe, expect, test } from "bun:test";
import { POSTGRES } from "../../../test/store/engines.ts";
import { customer, failureOf, key } from "../../../test/store/samples.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { eventually } from "../../../test/support/waiting.ts";
import { Connections, type Run } from "./connections.ts";
import { KeyLookups } from "./key-lookups.ts";

/** Longer than anything here takes that is answered. */
const SILENCE_MS = 300;

describe("keys that are looked up on PostgreSQL", () => {
  const site = perSuite(POSTGRES.site);
  const store = perSuite(() => site.open());
  const connections = perSuite((parts) =>
    parts.keep(new Connections(String(site.settings.DATABASE_URL), 1, 500)),
  );

  /** Lookups that tell how many statements they have sent, and can be made to wait before each. */
  function counted(before: () => Promise<void> = async () => {}) {
    const seen = { statements: 0, givenUp: 0 };
    const read: Run = async (text, params) => {
      seen.statements += 1;
      await before();
      return connections.read(text, params);
    };
    const giveUp = () => {
      seen.givenUp += 1;
    };
    return { lookups: new KeyLookups(read, { ms: SILENCE_MS, giveUp }), seen };
  }

  test("at one time share a statement, each with its own answer", async () => {
    const [one, other] = [
      await customer(store, { credit: 0n }),
      await customer(store, { credit: 0n }),
    ];
    const { lookups, seen } = counted();
    const asked = [one.hash, other.hash, "of nobody", one.hash];
    const found = await Promise.all(asked.map((hash) => lookups.find(hash)));
    expect(found.map((key) => key?.id)).toEqual([one.id, other.id, undefined, one.id]);
    expect(seen.statements).toBe(1);
  });

  test("are read after the question, never by a statement that is on its way already", async () => {
    const made = await customer(store, { credit: 0n });
    const gate = Promise.withResolvers<void>();
    const { lookups, seen } = counted(() =>
      seen.statements === 1 ? gate.promise : Promise.resolve(),
    );
    const first = lookups.find(made.hash);
    await Promise.resolve();
    expect(seen.statements).toBe(1);
    await store.accounts.updateKey(made.id, { enabled: false });
    const second = lookups.find(made.hash);
    gate.resolve();
    expect(await second).toMatchObject({ enabled: false });
    expect(await first).toBeDefined();
    expect(seen.statements).toBe(2);
  });

  test("are kept for a moment, in which nobody is told that they were changed", async () => {
    const made = await customer(store, { credit: 0n });
    const { lookups, seen } = counted();
    const asking = async (isOver: () => boolean) => {
      const found: (boolean | undefined)[] = [];
      while (!isOver()) {
        found.push((await lookups.find(made.hash))?.enabled);
        await Bun.sleep(0);
      }
      return found;
    };
    for (const enabled of [false, true, false]) {
      seen.statements = 0;
      let isChanged = false;
      const found = asking(() => isChanged);
      expect(await store.accounts.updateKey(made.id, { enabled })).toBe(true);
      isChanged = true;
      expect(await lookups.find(made.hash)).toMatchObject({ enabled });
      expect(seen.statements).toBeLessThan((await found).length);
    }
    await store.accounts.updateAccount(made.accountId, { enabled: false });
    expect(await lookups.find(made.hash)).toMatchObject({ accountEnabled: false });
    expect(await store.accounts.deleteKey(made.id, 5_000)).toBe(true);
    expect(await lookups.find(made.hash)).toMatchObject({ deletedAtMs: 5_000 });
  });

  test("that are not there are looked for each time, so that a new one opens at once", async () => {
    const { lookups } = counted();
    const made = key("acct_of_nobody_yet");
    expect(await lookups.find(made.hash)).toBeUndefined();
    const owner = await customer(store, { credit: 0n });
    await store.accounts.createKey({ ...made, accountId: owner.accountId });
    expect(await lookups.find(made.hash)).toMatchObject({ id: made.id });
  });

  test("give up a connection that is silent, but not the next one before it was ever heard", async () => {
    const made = await customer(store, { credit: 0n });
    const other = await customer(store, { credit: 0n });
    let answer = Promise.withResolvers<void>();
    const { lookups, seen } = counted(() => answer.promise);
    const lost = failureOf(lookups.find(made.hash));
    await eventually("it is given up", () => seen.givenUp === 1);
    answer.reject(new Error("as by a connection that was lost"));
    expect((await lost).message).toContain("lost");

    answer = Promise.withResolvers<void>();
    const heard = lookups.find(made.hash);
    await Bun.sleep(2 * SILENCE_MS);
    expect(seen.givenUp).toBe(1);
    answer.resolve();
    expect(await heard).toMatchObject({ id: made.id });

    answer = Promise.withResolvers<void>();
    const again = lookups.find(other.hash);
    await eventually("another one is given up", () => seen.givenUp === 2);
    answer.resolve();
    expect(await again).toMatchObject({ id: other.id });
  });
});
