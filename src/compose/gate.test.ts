import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { POSTGRES } from "../../test/store/engines.ts";
import { admitted, customer, voidHold } from "../../test/store/samples.ts";
import { partsOfTest, perSuite } from "../../test/support/houses/house.ts";
import { keptLog } from "../../test/support/logs.ts";
import { eventually } from "../../test/support/waiting.ts";
import { readConfig } from "../config/config.ts";
import { openStore } from "../store/open.ts";
import { openGate } from "./gate.ts";

describe("a gate that starts", () => {
  const site = perSuite(POSTGRES.site);
  const parts = partsOfTest();
  const config = () =>
    readConfig({
      ...site.settings,
      FAREGATE_LOCK_WAIT_MS: "50",
      FAREGATE_LOCKED_ACCOUNT_MS: "100",
      FAREGATE_INSTANCE_LEASE_MS: "6000",
    });
  const open = async () => parts.keep(await openStore(config(), { create: true, serve: true }));

  test("serves everybody else while an account is locked whose holds were left", async () => {
    const before = await site.open();
    const [locked, other] = [
      await customer(before, { credit: 1_000n }),
      await customer(before, { credit: 1_000n }),
    ];
    await admitted(before, locked, 10n);
    await before.close();
    const sql = parts.keep(new SQL(String(site.settings.DATABASE_URL), { max: 1 }));
    const lock = await sql.reserve();
    await lock.unsafe(`begin; select 1 from scopes where id = '${locked.accountId}' for update`);

    const { log, logged } = keptLog("warn");
    const gate = await openGate(config(), await open(), log);
    expect(logged("holds_not_recovered")).toHaveLength(1);
    expect(await voidHold(gate.store, await admitted(gate.store, other, 10n))).toBe("done");
    gate.start();
    parts.defer(() => gate.rest());

    await lock.unsafe("commit");
    lock.release();
    const given = await eventually("it is given back", () => logged("holds_recovered")[0]);
    expect(given).toMatchObject({ holds: 1 });
    expect(await gate.store.ledger.balance(locked.accountId)).toMatchObject({ held: 0n });
  });
});
