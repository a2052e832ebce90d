// Receipts of before are noted as astray by the upgrade, where the index of them was.
import { describe, expect, test } from "bun:test";
import { ENGINES, type Site } from "../../../test/store/engines.ts";
import { openedWith, upTo } from "../../../test/store/other-versions.ts";
import { failureOf } from "../../../test/store/samples.ts";
import { requestIdOf } from "../../../test/store/traffic.ts";
import { perTest } from "../../../test/support/houses/house.ts";
import type { RoomTables } from "../../lib/sql/sql.ts";

const HOUR_MS = 3_600_000;
const AT_MS = Date.UTC(2026, 8, 1);

/** As they were when the database itself knew which receipts are astray. */
function withIndex(tables: RoomTables): RoomTables {
  const version = tables.versions.findIndex((text) => text.includes("astray_receipts"));
  return upTo(tables, version);
}

/** A receipt whose id is ahead of it by so much. */
async function receiptOf(site: Site, leadMs: number): Promise<string> {
  const id = requestIdOf(AT_MS);
  await site.run(`insert into receipts (id, account_id, key_id, created_at, endpoint, model, stream, status,
      billing_reason, fresh, cache_read, cache_write, cache_write_long, output, reasoning, web_searches, clamped, usage_source,
      lines, cost, held, loss, duration_ms)
    values ('${id}', 'acct_1', 'key_1', ${AT_MS - leadMs}, 'chat', 'm', 0, 200,
      'completed', 1, 0, 0, 0, 1, 0, 0, 0, 'vendor', '[]', 0, 0, 0, 1)`);
  return id;
}

describe.each(ENGINES)("an upgrade on $name", (engine) => {
  const site = perTest(engine.emptySite);

  test("notes the receipts that its index had", async () => {
    await openedWith(site, withIndex);
    for (const leadMs of [0, 5_000, -120_000]) await receiptOf(site, leadMs);
    const astray: string[] = [];
    for (const leadMs of [5_001, -120_001, 40 * HOUR_MS, -40 * HOUR_MS]) {
      astray.push(await receiptOf(site, leadMs));
    }
    await site.open();
    const noted = await site.run("select account_id, id from astray_receipts order by id");
    expect(noted).toEqual(astray.map((id) => ({ account_id: "acct_1", id })));
    expect((await failureOf(site.run("drop index receipts_astray"))).message).toMatch(
      /no such index|does not exist/,
    );
    const { reads } = await site.reads();
    const ofDaysBefore = { accountId: "acct_1", limit: 10, toMs: AT_MS - 39 * HOUR_MS };
    const { rows } = await reads.listRequests(ofDaysBefore);
    expect(rows.map(({ id }) => id)).toEqual([astray[2] ?? ""]);
  });
});
