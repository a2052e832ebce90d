import { describe, expect, test } from "bun:test";
import { ENGINES, tablesOn } from "../../../test/store/engines.ts";
import { failureOf } from "../../../test/store/samples.ts";
import { perSuite } from "../../../test/support/house.ts";
import { KeptKeys } from "../../drafts/doors/kept-keys.ts";
import { createVault } from "../../lib/vault.ts";
import { KeptKeyRows, ServingRow } from "./draft-doors.ts";
import { DRAFT_DOORS_TABLES } from "./draft-doors-tables.ts";

const vault = createVault("a secret of at least thirty-two characters");

describe.each(ENGINES)("the tables of the doors of drafts on $name", (engine) => {
  const tables = perSuite((parts) => tablesOn(parts, engine, DRAFT_DOORS_TABLES));

  function keys(made: string[], disabled: string[] = [], accounts = ["acct_1", "acct_2"]) {
    return new KeptKeys({
      store: new KeptKeyRows(tables.sql),
      vault,
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
    expect(rows.every(({ sealed_secret }) => !sealed_secret.includes("sk-"))).toBe(true);
    expect((await failureOf(kept.secretOf("acct_none", "console"))).message).toMatch("no account");
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

  test("the address of the last server stands until that server leaves", async () => {
    const serving = new ServingRow(tables.sql);
    expect(await serving.find()).toBeUndefined();
    await serving.save("http://127.0.0.1:1");
    await serving.save("http://127.0.0.1:2");
    await serving.clear("http://127.0.0.1:1");
    expect(await serving.find()).toBe("http://127.0.0.1:2");
    await serving.clear("http://127.0.0.1:2");
    expect(await serving.find()).toBeUndefined();
  });
});
