// What several servers do that start at once on a PostgreSQL with nothing in it; `three-first-starts.full.test.ts`
// does the same with processes.
import { expect, test } from "bun:test";
import { accountsOf } from "../../src/cli/accounts-of.ts";
import { firstOperatorLink } from "../../src/cli/first-operator.ts";
import { firstRun } from "../../src/cli/first-run.ts";
import { checkedVault } from "../../src/compose/check-secret.ts";
import { announce } from "../../src/compose/own-origin.ts";
import { readConfig } from "../../src/config/config.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { POSTGRES } from "../store/engines.ts";
import { partsOfTest } from "../support/houses/house.ts";

const parts = partsOfTest();
const SERVERS = [8001, 8002, 8003];

test("all of them come up, and one of them makes the first account", async () => {
  const site = await POSTGRES.emptySite(parts);
  const config = readConfig(site.settings);
  const stores = await Promise.all(SERVERS.map(() => site.open()));
  const first = await Promise.all(
    stores.map(async (store, at) => {
      await checkedVault(store, config);
      await announce(store, `http://127.0.0.1:${SERVERS[at]}`);
      const made = await firstRun(store, accountsOf(store, config), systemClock);
      expect(await firstOperatorLink(store, config, SERVERS[at] ?? 0)).toStartWith("http");
      return made?.key;
    }),
  );
  expect(first.filter((key) => key !== undefined)).toHaveLength(1);
  expect(await site.run("select id from accounts where operator = 1")).toHaveLength(1);
  expect(await site.run("select kind from entries")).toMatchObject([{ kind: "trial" }]);
  expect(await site.run("select id from keys")).toHaveLength(1);
});
