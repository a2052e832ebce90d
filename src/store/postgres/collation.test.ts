import { beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { sharedPostgres } from "../../../test/engines/postgres.ts";
import { customer } from "../../../test/store/samples.ts";
import { happened } from "../../../test/store/traffic.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import type { RequestQuery } from "../../console/store.ts";
import { consoleReads } from "../money-reads/console-reads.ts";
import { PostgresMoneyReader } from "./money-reader.ts";
import { openPostgres } from "./open.ts";

const START_MS = Math.floor(Date.UTC(2026, 8, 1) / 1_024) * 1_024;
/** The moments of a turn of two characters at which ids end in `ch` and in `cj`. */
const CH_MS = 12 * 32 + 17;
const CJ_MS = CH_MS + 1;

/** A database that sorts as Czech does, where `ch` is a letter behind `h`, and `~` goes first. */
async function czechDatabase(): Promise<string> {
  const server = await sharedPostgres();
  const name = `czech_${crypto.randomUUID().replaceAll("-", "")}`;
  const sql = new SQL(server.url("postgres"), { max: 1 });
  await sql.unsafe(`create database ${name} template template0 encoding 'UTF8'
    locale_provider icu icu_locale 'cs' locale 'C'`);
  await sql.close();
  return server.url(name);
}

describe("a PostgreSQL that sorts by the rules of a language", () => {
  let url: string;
  const store = perSuite(async (parts) => {
    url = await czechDatabase();
    return parts.keep(await openPostgres(url, { create: true, serve: true }));
  });
  const reader = perSuite((parts) => parts.keep(new PostgresMoneyReader(url, 4)));
  const key = perSuite(() => customer(store, { credit: 10n ** 9n }));
  const ids: string[] = [];

  beforeAll(async () => {
    for (let turn = 0; turn < 4; turn++) {
      for (const atMs of [CH_MS, CJ_MS].map((ms) => START_MS + turn * 1_024 + ms)) {
        const { requestId } = await happened(store, { key, atMs, cost: 1n });
        ids.unshift(requestId);
      }
    }
  });

  async function walked(query: Partial<RequestQuery>): Promise<string[]> {
    const found: string[] = [];
    let beforeId: string | undefined;
    for (;;) {
      const asked = { ...query, accountId: key.accountId, limit: 1, beforeId };
      const { rows, next } = await consoleReads(reader).listRequests(asked);
      found.push(...rows.map(({ id }) => id));
      if (next === null) return found;
      beforeId = next;
    }
  }

  test("would put ids out of the order of time", async () => {
    const sql = new SQL(url, { max: 1 });
    const [row] = await sql.unsafe("select 'ch' > 'cj' as contracted, '~' < '0' as first");
    await sql.close();
    expect(row).toEqual({ contracted: true, first: true });
  });

  test("lists requests by time all the same, a page at a time", async () => {
    expect(await walked({})).toEqual(ids);
    expect(await walked({ keyId: key.id })).toEqual(ids);
    const second = START_MS + 1_024;
    expect(await walked({ fromMs: second, toMs: second + CJ_MS })).toEqual(ids.slice(5, 6));
  });

  test("tells what came after a request", async () => {
    const reads = consoleReads(reader);
    const { accountId } = key;
    const later = await reads.requestsSince({ accountId }, ids.at(-1) ?? "", 50);
    expect(later.map(({ id }) => id)).toEqual(ids.slice(0, -1));
  });

  test("keeps books that are right", async () => {
    expect(await store.ledger.verify()).toMatchObject({ receipts: 8, problems: [] });
  });
});
