import { describe, expect, test } from "bun:test";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { type JsonObject, RESPONSES, WIRES } from "../support/samples/wires.ts";
import { eventually } from "../support/waiting.ts";

/** Refusals of one key for one reason that have a row each, within a minute. */
const ROWS_EACH = 60;
/** A loop may lie across the turn of a minute, and then it has two. */
const MINUTES = 2;
/** Models of one key that nobody knows and that stand under their own names, within a day; a loop may lie across two. */
const NAMES_EACH = 20;
const DAYS = 2;

const { server, database } = await perFile((parts) => serve(parts, { books: true }));

interface Row {
  readonly id: string;
  readonly model: string;
  readonly error_code: string;
  readonly requests: number;
}

async function rowsOf(keyId: string): Promise<Row[]> {
  const rows = await database.run(
    `select id, model, error_code, requests from receipts where key_id = '${keyId}' order by id`,
  );
  return rows.map((row) => ({ ...(row as unknown as Row), requests: Number(row.requests) }));
}

/** The rows of a key once they stand for so many requests. */
async function rowsFor(keyId: string, requests: number): Promise<Row[]> {
  let rows: Row[] = [];
  await eventually(`${requests} requests are on record`, async () => {
    rows = await rowsOf(keyId);
    return rows.reduce((sum, row) => sum + row.requests, 0) === requests;
  });
  return rows;
}

const unknown = (i: number) => RESPONSES.request("Hello", { model: `nobody-has-this-${i}` });

async function loop(times: number, send: (i: number) => Promise<Response>): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++) {
    const response = await send(i);
    await response.body?.cancel();
    statuses.push(response.status);
  }
  return statuses;
}

describe("a loop of refusals", () => {
  test("leaves rows by the minute, however many models it makes up", async () => {
    const { key, keyId } = await server.account("1", "--rpm", "0");
    const statuses = await loop(200, (i) => server.post("/responses", key, unknown(i)));
    expect(new Set(statuses)).toEqual(new Set([404]));
    const rows = await rowsFor(keyId, 200);
    expect(rows.length).toBeLessThanOrEqual((ROWS_EACH + 1) * MINUTES);
    for (const table of ["rollups", "usage_days"]) {
      const sums = await database.run(
        `select sum(requests) as requests, sum(failures) as failures, count(distinct model) as models
         from ${table} where key_id = '${keyId}'`,
      );
      expect(Number(sums[0]?.requests)).toBe(200);
      expect(Number(sums[0]?.failures)).toBe(200);
      expect(Number(sums[0]?.models)).toBeLessThanOrEqual((NAMES_EACH + 1) * DAYS);
    }
    // What is written of a single one is found by its name, or with all that have none of their own.
    expect(rows[0]?.model).toBe("nobody-has-this-0");
    expect(rows.at(-1)?.model).toBe("(other)");
  });

  test("that came too soon is aggregated as well", async () => {
    const { key, keyId } = await server.account("1", "--rpm", "1");
    await loop(200, () => server.post("/responses", key, RESPONSES.request("Say one")));
    const rows = await rowsFor(keyId, 200);
    expect(rows.length).toBeLessThanOrEqual((ROWS_EACH + 2) * MINUTES);
  });

  test("for one reason does not hide a refusal for another", async () => {
    const { key, keyId } = await server.account("1", "--rpm", "0");
    await loop(ROWS_EACH * 2 + 1, (i) => server.post("/responses", key, unknown(i)));
    await loop(1, () => server.post("/responses", key, RESPONSES.request("x", { temperature: 9 })));
    const rows = await rowsFor(keyId, ROWS_EACH * 2 + 2);
    const others = rows.filter(({ error_code }) => error_code !== "model_not_found");
    expect(others).toMatchObject([{ requests: 1 }]);
  });

  test("names the row that each of them is in, which tells how many and when", async () => {
    const { key, keyId } = await server.account("1", "--rpm", "0");
    const send = () => server.post("/responses", key, unknown(1));
    await loop(ROWS_EACH * MINUTES + 9, send);
    const last = await send();
    const row = last.headers.get("x-faregate-receipt") ?? "";
    expect(row).toStartWith("req_");
    expect(row).not.toBe(last.headers.get("x-request-id"));
    await rowsFor(keyId, ROWS_EACH * MINUTES + 10);
    const receipt = (await (await server.fetch(`/generation?id=${row}`, key)).json()) as JsonObject;
    expect(receipt).toMatchObject({
      id: row,
      model: "nobody-has-this-1",
      status: 404,
      error_code: "model_not_found",
      billing_reason: "refused",
      cost: "0.0",
    });
    expect(receipt.requests).toBeGreaterThan(1);
    expect(String(receipt.last_at) >= String(receipt.created_at)).toBe(true);
  });

  test("leaves books that agree", async () => {
    expect(await server.command("verify")).toMatchObject({ problems: [] });
  });
});

describe("a refusal counts against the requests per minute of its key", () => {
  test.each(WIRES.map(({ path }) => path))("in the books of all processes: %s", async (path) => {
    const { key, keyId } = await server.account("1", "--rpm", "100");
    const body = { ...RESPONSES.request("x"), messages: [], model: "nobody-has-this" };
    const statuses = await loop(7, () => server.post(path, key, body));
    expect(statuses).not.toContain(429);
    await eventually("seven requests are counted in the store", async () => {
      const [row] = await database.run(
        `select sum(requests) as requests from rate_seconds where key_id = '${keyId}'`,
      );
      return Number(row?.requests) === 7;
    });
  });
});
