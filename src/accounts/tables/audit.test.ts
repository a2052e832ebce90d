import { describe, expect, test } from "bun:test";
import { ENGINES } from "../../../test/store/engines.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { type AuditFilter, newAuditId } from "../audit.ts";
import { peopleStores } from "./open.ts";

const DAY_MS = 86_400_000;
const START_MS = Date.parse("2026-11-01T00:00:00Z");

/** Ann and Bob by turns, one change a day. */
const ACTIONS = [
  ["key.create", "acct_1", "key_1"],
  ["key.change", "acct_1", "key_1"],
  ["account.credit", "acct_2", "crd_1"],
  ["two_factor.backup_codes", null, "usr_ann"],
  ["key_ring.change", "acct_1", "ring_1"],
] as const;

describe.each(ENGINES)("the audit log on $name", (engine) => {
  const audit = perSuite(async (parts) => {
    const { sql } = await (await engine.site(parts)).open();
    let nowMs = START_MS;
    const { audit: table } = peopleStores(sql, () => nowMs);
    for (const [index, [action, accountId, target]] of ACTIONS.entries()) {
      const name = index % 2 === 0 ? "ann@example.com" : "bob@example.com";
      const principal = { userId: undefined, name, operator: true };
      await table.write({ principal, accountId, action, target });
      nowMs += DAY_MS;
    }
    return table;
  });

  async function found(filter: AuditFilter, limit = 50): Promise<string[]> {
    return (await audit.list({ after: undefined, limit }, filter)).map(({ action }) => action);
  }

  test("finds by account, person, target and time", async () => {
    expect(await found({ accountId: "acct_2" })).toEqual(["account.credit"]);
    expect(await found({ actor: "bob@example.com" })).toEqual([
      "two_factor.backup_codes",
      "key.change",
    ]);
    expect(await found({ target: "key_1" })).toEqual(["key.change", "key.create"]);
    const second = START_MS + DAY_MS;
    expect(await found({ fromMs: second, toMs: second + DAY_MS })).toEqual(["key.change"]);
  });

  test("finds one action, or all about a subject and nothing that only begins like it", async () => {
    expect(await found({ action: "key.create" })).toEqual(["key.create"]);
    expect(await found({ action: "key" })).toEqual(["key.change", "key.create"]);
    expect(await found({ action: "two_factor" })).toEqual(["two_factor.backup_codes"]);
    expect(await found({ action: "key", actor: "ann@example.com" })).toEqual(["key.create"]);
    expect(await found({ action: "ke" })).toEqual([]);
  });

  test("goes on behind a page within the same question", async () => {
    const [first] = await audit.list({ after: undefined, limit: 1 }, { accountId: "acct_1" });
    const rest = await audit.list({ after: first?.id, limit: 50 }, { accountId: "acct_1" });
    expect([first, ...rest].map((record) => record?.action)).toEqual([
      "key_ring.change",
      "key.change",
      "key.create",
    ]);
  });

  test("has what happens to its target once, however often it is told", async () => {
    const principal = { userId: undefined, name: "Stripe", operator: false };
    const entry = { principal, accountId: "acct_9", target: "dp_1", once: true } as const;
    for (const action of ["dispute.open", "dispute.open", "dispute.won", "dispute.open"]) {
      await audit.write({ ...entry, action, detail: { taken: "1.0" } });
    }
    await audit.write({ ...entry, action: "dispute.open", target: "dp_2" });
    const records = await audit.list({ after: undefined, limit: 50 }, { accountId: "acct_9" });
    expect(records.map(({ action, target }) => `${action} ${target}`)).toEqual([
      "dispute.open dp_2",
      "dispute.won dp_1",
      "dispute.open dp_1",
    ]);
    expect(records[2]).toMatchObject({ actor: "Stripe", detail: { taken: "1.0" }, changes: null });
  });

  test("has what was kept for it once, with the moment in which it was done", async () => {
    const kept = { id: newAuditId(), atMs: START_MS + 7 };
    const principal = { userId: undefined, name: "ann", operator: false };
    const entry = { principal, accountId: "acct_11", action: "draft.push", target: "drf_1", kept };
    for (let told = 0; told < 2; told += 1) await audit.write(entry);
    const records = await audit.list({ after: undefined, limit: 50 }, { accountId: "acct_11" });
    expect(records).toMatchObject([{ id: kept.id, createdAtMs: kept.atMs, actor: "ann" }]);
  });

  test("has what may be tried by others and in other words once as each of them says it", async () => {
    const tried = async (name: string, amount: string) => {
      const principal = { userId: undefined, name, operator: true };
      const entry = { principal, accountId: "acct_10", action: "account.credit", target: "crd_10" };
      await audit.write({ ...entry, detail: { amount }, once: "as_said" });
    };
    for (const name of ["ann", "ann", "bob", "bob"]) await tried(name, "200");
    await tried("ann", "20");
    const records = await audit.list({ after: undefined, limit: 50 }, { accountId: "acct_10" });
    expect(records.map(({ actor, detail }) => `${actor} ${detail.amount}`)).toEqual([
      "ann 20",
      "bob 200",
      "ann 200",
    ]);
  });
});
