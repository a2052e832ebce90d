import { describe, expect, test } from "bun:test";
import { ENGINES, tablesOn } from "../../../test/store/engines.ts";
import { failureOf } from "../../../test/store/samples.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import type { KeyChanges, NewKey } from "../../accounts/account.ts";
import { Accounts } from "../../accounts/accounts.ts";
import { KeptKeys } from "../../accounts/keys/kept-keys.ts";
import { PersonalKeys } from "../../accounts/keys/personal-keys.ts";
import { KeptKeyRows } from "../../accounts/tables/kept-keys.ts";
import { createVault } from "../../lib/secrets/vault.ts";
import { DRAFT_DOORS_TABLES } from "./versions.ts";

const vault = createVault("a secret of at least thirty-two characters");
const another = createVault("the one after that, which opens nothing of before");

describe.each(ENGINES)("the tables of the doors of drafts on $name", (engine) => {
  const tables = perSuite((parts) => tablesOn(parts, engine, DRAFT_DOORS_TABLES));

  const gone = new Set<string>();
  function keys(
    made: string[],
    disabled: string[] = [],
    accounts = ["acct_1", "acct_2"],
    sealedBy = vault,
  ) {
    return new KeptKeys({
      isCurrent: async (secret) => !gone.has(secret),
      store: new KeptKeyRows(tables.sql),
      vault: sealedBy,
      async createKey(accountId, name) {
        if (!accounts.includes(accountId)) return undefined;
        made.push(`${accountId} ${name}`);
        return { id: `key_${made.length}`, key: `sk-${accountId}-${made.length}` };
      },
      disableKey: async (keyId) => void disabled.push(keyId),
    });
  }

  test("a key is made once for each account and purpose, and its secret is sealed", async () => {
    const made: string[] = [];
    const kept = keys(made);
    expect(await kept.secretOf("acct_1", "command line")).toBe("sk-acct_1-1");
    expect(await keys(made).secretOf("acct_1", "command line")).toBe("sk-acct_1-1");
    expect(await kept.secretOf("acct_1", "console")).toBe("sk-acct_1-2");
    expect(await kept.secretOf("acct_2", "command line")).toBe("sk-acct_2-3");
    expect(made).toEqual(["acct_1 command line", "acct_1 console", "acct_2 command line"]);
    const rows = await tables.sql.query<{ sealed_secret: string }>("select * from kept_keys");
    expect(rows.every(({ sealed_secret }) => !sealed_secret.includes("sk-acct"))).toBe(true);
    expect((await failureOf(kept.secretOf("acct_none", "console"))).message).toMatch("no account");
  });

  test("another is made in place of one that was deleted or given another secret", async () => {
    const made: string[] = [];
    const kept = keys(made, [], ["acct_gone"]);
    const first = await kept.secretOf("acct_gone", "console");
    gone.add(first);
    const second = await kept.secretOf("acct_gone", "console");
    expect(second).not.toBe(first);
    expect(await kept.secretOf("acct_gone", "console")).toBe(second);
    expect(made).toHaveLength(2);
  });

  test("another is made where the secret cannot be opened any more, and the key of before is off", async () => {
    const made: string[] = [];
    const disabled: string[] = [];
    const [before, after] = [keys(made, disabled), keys(made, disabled, ["acct_1"], another)];
    const first = await before.secretOf("acct_1", "lost");
    const secrets = await Promise.all([
      after.secretOf("acct_1", "lost"),
      after.secretOf("acct_1", "lost"),
    ]);
    expect(new Set([first, ...secrets]).size).toBe(2);
    expect(disabled).toContain("key_1");
  });

  test("of two who make the first key at once, both get the same, and the other key is off", async () => {
    const made: string[] = [];
    const disabled: string[] = [];
    const kept = keys(made, disabled, ["acct_race"]);
    const secrets = await Promise.all([
      kept.secretOf("acct_race", "console"),
      kept.secretOf("acct_race", "console"),
    ]);
    expect(new Set(secrets).size).toBe(1);
    expect(disabled).toHaveLength(made.length - 1);
  });

  describe("the key of somebody in the console", () => {
    const ann = { userId: "user_ann", name: "ann@example.org", operator: false };

    /** What of the money's database such a key needs. */
    function house() {
      const rows = new Map<string, NewKey>();
      const makers: string[] = [];
      const audited: string[] = [];
      const byHash = (hash: string) => {
        const key = [...rows.values()].find((each) => each.hash === hash);
        return key && { ...key, secretEndsAtMs: null };
      };
      const accounts = {
        async createKey(key: NewKey) {
          if (rows.has(key.id)) throw new Error("there is such a key");
          rows.set(key.id, key);
          return true;
        },
        findKey: async (hash: string) => byHash(hash),
        describeKey: async (id: string) => rows.get(id),
        async updateKey(id: string, changes: KeyChanges) {
          const key = rows.get(id);
          if (key) rows.set(id, { ...key, ...changes });
          return key !== undefined;
        },
      } as unknown as ConstructorParameters<typeof Accounts>[0];
      const personal = (sealedBy = vault) =>
        new PersonalKeys({
          store: new KeptKeyRows(tables.sql),
          vault: sealedBy,
          accounts: new Accounts(accounts, () => 0, 60),
          keys: accounts,
          rights: { noteMaker: async (id) => void makers.push(id) },
          audit: { write: async ({ target }) => void audited.push(target) },
          clock: () => 5,
        });
      return { rows, makers, audited, personal };
    }

    test("is one for each account, however many ask at once, and told apart from others", async () => {
      const { rows, audited, personal } = house();
      const asked = [personal(), personal(), personal()];
      const secrets = await Promise.all(asked.map((each) => each.secretOf("acct_p1", ann)));
      expect(new Set(secrets).size).toBe(1);
      expect(rows.size).toBe(1);
      expect(audited).toHaveLength(1);
      await keys([], [], ["acct_p1"]).secretOf("acct_p1", "command line");
      expect([...(await personal().idsIn("acct_p1"))]).toEqual([...rows.keys()]);
      expect(await personal().idsIn("acct_p2")).toEqual(new Set());
      const elsewhere = await personal().secretOf("acct_p2", ann);
      expect(secrets).not.toContain(elsewhere);
    });

    test("is made after all where a crash came before it", async () => {
      const { rows, makers, personal } = house();
      const secret = await personal().secretOf("acct_p3", ann);
      rows.clear();
      expect(await personal().secretOf("acct_p3", ann)).toBe(secret);
      expect(makers).toEqual([...rows.keys(), ...rows.keys()]);
    });

    test("is replaced where it was given another secret, and refused where it was ended", async () => {
      const { rows, personal } = house();
      const secret = await personal().secretOf("acct_p4", ann);
      const [key] = rows.values();
      if (!key) throw new Error("no key was made");
      rows.set(key.id, { ...key, hash: "another" });
      expect(await personal().secretOf("acct_p4", ann)).not.toBe(secret);
      const [, second] = rows.values();
      if (!second) throw new Error("no second key was made");
      for (const ended of [{ enabled: false }, { expiresAtMs: 5 }]) {
        rows.set(second.id, { ...second, ...ended });
        const refused = await failureOf(personal().secretOf("acct_p4", ann));
        expect(refused).toMatchObject({ fault: "permission_denied", facts: { key_id: second.id } });
      }
    });

    test("is replaced, once, where its secret cannot be opened any more, unless it was ended", async () => {
      const { rows, personal } = house();
      const secret = await personal().secretOf("acct_p5", ann);
      const [key] = rows.values();
      if (!key) throw new Error("no key was made");
      rows.set(key.id, { ...key, enabled: false });
      const refused = await failureOf(personal(another).secretOf("acct_p5", ann));
      expect(refused).toMatchObject({ fault: "permission_denied", facts: { key_id: key.id } });
      rows.set(key.id, key);
      const asked = [personal(another), personal(another), personal(another)];
      const secrets = await Promise.all(asked.map((each) => each.secretOf("acct_p5", ann)));
      expect(new Set([secret, ...secrets]).size).toBe(2);
      expect([...rows.values()].map(({ enabled }) => enabled)).toEqual([false, true]);
    });
  });
});
