import { describe, expect, test } from "bun:test";
import { attempt, receipt, request } from "../../test/store/samples.ts";
import type { AttemptRecord } from "../ledger/receipt.ts";
import type { MoneyRefusal } from "../ledger/refusal.ts";
import { ROLLUP_COLUMNS, Rollups } from "./reads/rollups.ts";
import {
  AT,
  RECEIPT_COLUMNS,
  type ReceiptRow,
  readReceipt,
  storable,
  writeReceipt,
} from "./rows.ts";

const asked = request({ id: "key_1", accountId: "acct_1" }, 1n);

/** A row as a database returns it, by column. */
function asRecord(row: ReturnType<typeof writeReceipt>) {
  return Object.fromEntries(RECEIPT_COLUMNS.map((name, i) => [name, row[i] ?? null])) as Parameters<
    typeof readReceipt
  >[0];
}

describe("a receipt as a row", () => {
  test("comes back as it went in", () => {
    const full = receipt(asked, 2n ** 60n, { stream: true, status: 201, errorCode: "e", loss: 4n });
    expect(readReceipt(asRecord(writeReceipt(full)))).toEqual(full);
    const bare = receipt(asked, 0n, {
      channel: null,
      vendorRequestId: null,
      responseId: null,
      priceVersion: null,
      firstByteMs: null,
    });
    expect(readReceipt(asRecord(writeReceipt(bare)))).toEqual(bare);
  });

  test("keeps its attempts unless the only one served", () => {
    const served = attempt();
    const message = "ECONNREFUSED";
    const code = "upstream_unreachable";
    const failed = attempt({ credential: "9xYz", status: 0, code, message });
    const kept = (...attempts: AttemptRecord[]) => {
      const given = receipt(asked, 1n, { attempts });
      return readReceipt(asRecord(writeReceipt(given))).attempts;
    };
    expect(kept(served)).toEqual([]);
    expect(kept(failed)).toEqual([failed]);
    const fallback = attempt({ model: "model-2.0", startedMs: 9 });
    expect(kept(failed, fallback)).toEqual([failed, fallback]);
    // A row of before had no words of vendors.
    const row = asRecord(writeReceipt(receipt(asked, 1n)));
    const old = { ...row, attempts: '[["far",null,null,503,"upstream_unavailable",1,2]]' };
    expect(readReceipt(old).attempts).toMatchObject([{ channel: "far", message: null }]);
  });

  test("keeps what refused it, in amounts of any size and with what is not known", () => {
    const refusal: MoneyRefusal = {
      scope: "budget",
      period: "week",
      used: 2n ** 61n,
      max: 0n,
      left: -1n,
      needed: null,
      fix: "Raise the key's weekly budget.",
      resetsAtMs: 1_800_000_000_000,
    };
    const given = receipt(asked, 0n, { refusal, outputClamp: 17 });
    expect(readReceipt(asRecord(writeReceipt(given)))).toEqual(given);
  });

  test("has a cell for each column, and finds what it needs among them", () => {
    const row = writeReceipt(receipt(asked, 9n));
    expect(row).toHaveLength(RECEIPT_COLUMNS.length);
    expect<unknown[]>([row[AT.id], row[AT.accountId], row[AT.keyId], row[AT.cost]]).toEqual([
      asked.requestId,
      "acct_1",
      "key_1",
      9n,
    ]);
  });

  test("with two cells in each other's places does not compile", () => {
    const row = writeReceipt(receipt(asked, 9n));
    const [id, accountId, ...rest] = row;
    const same: ReceiptRow = [id, accountId, ...rest];
    expect(same).toEqual(row);
    // @ts-expect-error an account stands where the request must
    const swapped: ReceiptRow = [accountId, id, ...rest];
    expect(swapped).not.toEqual(row);
    // @ts-expect-error what was read from the cache is not what was fresh
    const fresh: ReceiptRow[typeof AT.fresh] = row[AT.cacheRead];
    // @ts-expect-error what was held is not what it cost
    const cost: ReceiptRow[typeof AT.cost] = row[AT.held];
    expect<unknown[]>([fresh, cost]).toEqual([row[AT.cacheRead], row[AT.held]]);
  });

  test("keeps only text that every database can keep", () => {
    expect(storable("plain ü 文 🙂")).toBe("plain ü 文 🙂");
    expect(storable("a\0b\ud800c\udc00")).toBe("a\ufffdb\ufffdc\ufffd");
  });
});

describe("rollups", () => {
  const HOUR_MS = 3_600_000;

  test("add up by key, model and hour", () => {
    const rollups = new Rollups();
    const at = (createdAtMs: number, model = "m") =>
      receipt({ ...asked, model }, 5n, { createdAtMs });
    rollups.add(writeReceipt(at(7 * HOUR_MS)));
    rollups.add(writeReceipt({ ...at(8 * HOUR_MS - 1), status: 400 }));
    rollups.add(writeReceipt(at(8 * HOUR_MS)));
    rollups.add(writeReceipt(at(7 * HOUR_MS, "other")));
    const found = [...rollups.all()].map((cells) =>
      Object.fromEntries(ROLLUP_COLUMNS.map((name, i) => [name, cells[i]])),
    );
    expect(found.map(({ hour, model, requests }) => [hour, model, requests])).toEqual([
      [7, "m", 2],
      [8, "m", 1],
      [7, "other", 1],
    ]);
    expect(found[0]).toEqual({
      account_id: "acct_1",
      key_id: "key_1",
      model: "m",
      hour: 7,
      requests: 2,
      failures: 1,
      fresh: 20,
      cache_read: 6,
      cache_write: 4,
      cache_write_long: 2,
      output: 40,
      cost: 10n,
    });
  });

  test("do not take two models for one because of a space", () => {
    const rollups = new Rollups();
    const at = (keyId: string, model: string, createdAtMs: number) =>
      rollups.add(writeReceipt(receipt({ ...asked, keyId, model }, 1n, { createdAtMs })));
    at("k", "1 m", 0);
    at("k", "m", 0);
    at("k", "0 m", 0);
    expect([...rollups.all()]).toHaveLength(3);
  });
});
