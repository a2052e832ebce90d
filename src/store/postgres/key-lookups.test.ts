import { describe, expect, test } from "bun:test";
import { POSTGRES } from "../../../test/store/engines.ts";
import { customer } from "../../../test/store/samples.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { Connections, type Run } from "./connections.ts";
import { KeyLookups } from "./key-lookups.ts";

describe("keys that are looked up on PostgreSQL", () => {
  const site = perSuite(POSTGRES.site);
  const store = perSuite(() => site.open());
  const connections = perSuite((parts) =>
    parts.keep(new Connections(String(site.settings.DATABASE_URL), 1, 500)),
  );

  /** Lookups that tell how many statements they have sent, and can be made to wait before each. */
  function counted(before: () => Promise<void> = async () => {}) {
    const seen = { statements: 0 };
    const read: Run = async (text, params) => {
      seen.statements += 1;
      await before();
      return connections.read(text, params);
    };
    return { lookups: new KeyLookups(read), seen };
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
});
