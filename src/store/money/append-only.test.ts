// The databases keep entries and receipts as they were written, whatever SQL somebody runs.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { ENGINES, POSTGRES, SQLITE } from "../../../test/store/engines.ts";
import {
  admitted,
  customer,
  failureOf,
  post,
  receipt,
  refusal,
  request,
} from "../../../test/store/samples.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { RECEIPT_COLUMNS } from "../rows.ts";
import type { Store } from "../store.ts";

const REFUSED = /refused|never|only|stays as it is/;

/** One receipt of each kind: charged, refused, one that refusals share, and two whose process died. */
async function written(open: () => Promise<Store>): Promise<void> {
  const store = await open();
  const made = await customer(store, { credit: 1_000n });
  await post(store, await admitted(store, made, 30n, { requestId: "req_charged" }), 12n);
  await store.ledger.refuse(refusal(request(made, 1n, { requestId: "req_refused" })));
  const shared = refusal(request(made, 1n, { requestId: "req_shared" }));
  await store.ledger.refuse({ ...shared, lastAtMs: shared.createdAtMs });
  for (const requestId of ["req_dead", "req_dead_2"])
    await admitted(store, made, 30n, { requestId });
  await store.close();
  const next = await open();
  await next.ledger.recover();
  expect(await next.ledger.verify()).toMatchObject({ receipts: 5, problems: [] });
  await next.close();
}

describe.each(ENGINES)("on $name", (engine) => {
  const site = perSuite(async (parts) => {
    const made = await engine.site(parts);
    await written(() => made.open());
    return made;
  });
  const all = async () => ({
    entries: await site.run("select * from entries order by seq"),
    receipts: await site.run("select * from receipts order by id"),
  });

  async function expectRefused(text: string): Promise<void> {
    const before = await all();
    expect((await failureOf(site.run(text))).message).toMatch(REFUSED);
    expect(await all()).toEqual(before);
  }

  test.each([
    ...["account_id", "key_id", "kind", "amount", "hold_id", "ref", "note", "created_at"].map(
      (name) => `update entries set ${name} = ${name}`,
    ),
    "update entries set amount = amount + 1 where kind = 'topup'",
    "delete from entries",
    "delete from entries where kind = 'void'",
    "delete from receipts",
    "delete from receipts where billing_reason = 'interrupted'",
    ...RECEIPT_COLUMNS.map((name) => `update receipts set ${name} = ${name} where cost = 12`),
    "update receipts set requests = 2, last_at = 1 where cost = 12",
    `insert into receipts select * from receipts where cost = 12
       on conflict (id) do update set cost = 0`,
    "update receipts set cost = 5, billing_reason = 'completed' where id = 'req_dead'",
    "update receipts set loss = 0 where id = 'req_dead'",
    "update receipts set id = 'req_other', billing_reason = 'completed' where id = 'req_dead'",
    "update receipts set last_at = last_at - 1 where id = 'req_shared'",
    "update receipts set last_at = null where id = 'req_shared'",
    "update receipts set requests = requests - 1 where id = 'req_shared'",
  ])("%s is refused", expectRefused);

  test("a receipt that was interrupted is replaced once, by that of its correction", async () => {
    const store = await site.open();
    const [dead] = await site.run<{ account_id: string; key_id: string }>(
      "select account_id, key_id from receipts where id = 'req_dead_2'",
    );
    const late = {
      requestId: "req_dead_2",
      accountId: String(dead?.account_id),
      keyId: String(dead?.key_id),
      model: "model-1.0",
    };
    const ended = { kind: "post", receipt: receipt(late, 7n), tokensBeyondEstimate: 0 } as const;
    expect(await store.ledger.settle(ended)).toBe("done");
    await expectRefused("update receipts set cost = 8 where id = 'req_dead_2'");
    await expectRefused(
      "update receipts set billing_reason = 'interrupted' where id = 'req_dead_2'",
    );
    expect((await store.ledger.verify()).problems).toEqual([]);
    await store.close();
  });

  test("a receipt that refusals share counts more of them, and keeps all else", async () => {
    await site.damage(`update receipts set channel = 'c', served_model = 'm', attempts = '[]', refusal = '{}',
      output_clamp = 1, price_version = 'p', response_id = 'r', vendor_request_id = 'v', vendor_cost = '0',
      first_byte_ms = 1 where id = 'req_shared'`);
    await site.run(
      "update receipts set requests = requests + 1, last_at = last_at + 5 where id = 'req_shared'",
    );
    const [row = {}] = await site.run("select * from receipts where id = 'req_shared'");
    expect(row.requests).toEqual(2n);
    for (const [name, value] of Object.entries(row)) {
      if (["requests", "last_at"].includes(name)) continue;
      const other = typeof value === "string" ? `${name} || 'x'` : `${name} + 1`;
      await expectRefused(
        `update receipts set ${name} = ${other}, requests = requests + 1 where id = 'req_shared'`,
      );
    }
  });

  test("receipts are deleted by retention alone, within one transaction", async () => {
    const allow = "insert into retention (id, created_before) values (1, 1760000000001)";
    const charged = "delete from receipts where id = 'req_charged'";
    // A permission that its transaction does not take back keeps it from committing.
    expect((await failureOf(site.together([allow, charged]))).message).toMatch(/foreign key/i);
    await expectRefused(charged);
    const refused = ["delete from receipts", "delete from entries", "update receipts set cost = 0"];
    for (const text of refused) {
      expect((await failureOf(site.together([allow, text]))).message).toMatch(REFUSED);
    }
    await site.together([allow, charged, "delete from retention"]);
    expect(await site.run("select id from receipts order by id")).not.toContainEqual({
      id: "req_charged",
    });
    await expectRefused("delete from receipts where id = 'req_refused'");
  });
});

describe("on PostgreSQL", () => {
  const site = perSuite(POSTGRES.site);

  test("no table of them is truncated", async () => {
    for (const tables of ["entries", "receipts", "entries, receipts", "accounts cascade"]) {
      expect((await failureOf(site.run(`truncate ${tables}`))).message).toMatch(REFUSED);
    }
  });
});

describe("on SQLite", () => {
  const site = perSuite(async (parts) => {
    const made = await SQLITE.site(parts);
    await written(() => made.open());
    return made;
  });

  test.each([
    "insert or replace into receipts select * from receipts where cost = 12",
    "replace into receipts select * from receipts where id = 'req_shared'",
    "replace into entries select * from entries where kind = 'topup'",
    `replace into entries (account_id, key_id, kind, amount, hold_id, created_at)
      select account_id, key_id, kind, 1, hold_id, 1 from entries where kind = 'post'`,
    "update or replace receipts set id = 'req_charged' where id = 'req_shared'",
    "update or replace entries set hold_id = 'req_charged'",
    "replace into replace_guard values (1)",
    "delete from replace_guard",
    "update replace_guard set id = 1",
  ])("%s is refused, with triggers of deletions on and off", (text) => {
    const db = new Database(join(site.settings.FAREGATE_DATA, "faregate.sqlite"));
    const rows = () =>
      ["entries", "receipts"].map((name) => db.query(`select * from ${name}`).values());
    const before = rows();
    for (const recursive of ["off", "on"]) {
      db.run(`pragma recursive_triggers = ${recursive}`);
      expect(() => db.run(text)).toThrow(REFUSED);
      expect(rows()).toEqual(before);
    }
    db.close();
  });
});
