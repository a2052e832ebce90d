import { expect, test } from "bun:test";
import { onEngines, tablesOn } from "../../test/store/engines.ts";
import { perSuite } from "../../test/support/houses/house.ts";
import { VAULT } from "../../test/support/vault.ts";
import { createVault } from "../lib/secrets/vault.ts";
import { Accounts } from "./accounts.ts";
import { openPlatformStore } from "./tables/open.ts";
import { PLATFORM_TABLES } from "./tables/versions.ts";
import { Tokens } from "./tokens.ts";

const NOW_MS = Date.UTC(2026, 10, 15, 4);
const AFTER = createVault("the one after that, which opens nothing of before");
const clock = () => NOW_MS;

onEngines("public accounts on $name whose secrets cannot be opened any more", (engine) => {
  const tables = perSuite((parts) => tablesOn(parts, engine, PLATFORM_TABLES));
  const accounts = (vault = AFTER) =>
    new Accounts({ store: openPlatformStore(tables.sql).accounts, vault, clock });

  test("get another one, which is the same for all who come at once", async () => {
    const before = await accounts(VAULT).sandbox("acct_1");
    const { appid } = before.account;
    const all = await Promise.all([1, 2, 3].map(() => accounts().sandbox("acct_1")));
    expect(new Set(all.map(({ account }) => account.appid))).toEqual(new Set([appid]));
    const [secret = "", ...others] = new Set(all.map((each) => each.secret));
    expect([secret, others]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), []]);
    expect(await accounts().isSecret(appid, secret)).toBe(true);
    expect(await accounts().isSecret(appid, before.secret)).toBe(false);
  });

  test("have a new stable token, as if there had been none", async () => {
    const { tokens: store, quotas } = openPlatformStore(tables.sql);
    const [before, after] = [VAULT, AFTER].map(
      (vault) => new Tokens({ store, quotas, vault, clock }),
    );
    const first = await before?.stable("wx_1", false);
    const second = await after?.stable("wx_1", false);
    expect(second).toEqual({ token: expect.any(String), expiresInS: 7_200 });
    expect(second?.token).not.toBe(first?.token);
    expect(await after?.stable("wx_1", false)).toEqual(second);
  });
});
