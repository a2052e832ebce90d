// The two pages by which older clients show what a key may spend and has spent.
import { describe, expect, test } from "bun:test";
import { keyFacts } from "../support/books.ts";
import { expectError } from "../support/errors.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { type JsonObject, RESPONSES } from "../support/samples/wires.ts";

const DAY_MS = 86_400_000;
const { server } = await perFile(serve);

const SUBSCRIPTION = "/dashboard/billing/subscription";
const USAGE = "/dashboard/billing/usage";

async function read(path: string, key: string): Promise<JsonObject> {
  const response = await server.fetch(path, key);
  expect(response.status).toBe(200);
  return (await response.json()) as JsonObject;
}

async function spend(key: string): Promise<void> {
  const body = RESPONSES.request("Write 30 words about bread.");
  expect((await server.post("/responses", key, body)).status).toBe(200);
}

/** What a key has used, in cents. */
async function cents(key: string): Promise<number> {
  return Number((await keyFacts(server, key)).used) * 100;
}

/** Longer than any test here takes. */
const DAY_LEFT_MS = 20_000;

/** Now, unless the UTC day may turn while the test runs: then the first moment of the next. */
async function momentOfOneDay(): Promise<number> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  if (leftMs < DAY_LEFT_MS) await Bun.sleep(leftMs);
  return Date.now();
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

describe("the subscription", () => {
  const limits = (usd: number) => ({
    object: "billing_subscription",
    has_payment_method: true,
    soft_limit_usd: usd,
    hard_limit_usd: usd,
    system_hard_limit_usd: usd,
  });

  test("of a key with a budget is the budget", async () => {
    const { key } = await server.account("50", "--budget", "12.5");
    expect(await read(SUBSCRIPTION, key)).toMatchObject(limits(12.5));
  });

  test("of a key that may read its account is what was paid in", async () => {
    const { key } = await server.account("50", "--account-read", "yes");
    await spend(key);
    expect(await read(SUBSCRIPTION, key)).toMatchObject(limits(50));
  });

  test("of any other key has no limit, and tells nothing of the account", async () => {
    const { key } = await server.account("50");
    expect(await read(SUBSCRIPTION, key)).toMatchObject(limits(100_000_000));
  });

  test("ends when the key does", async () => {
    const { key } = await server.account("1", "--expires", "2098-03-01T00:00:00Z");
    const { access_until } = await read(SUBSCRIPTION, key);
    expect(access_until).toBe(Date.parse("2098-03-01") / 1000);
  });
});

describe("the usage", () => {
  test("is in cents, by day and model", async () => {
    const { key } = await server.account("5");
    expect(await read(USAGE, key)).toEqual({ object: "list", total_usage: 0, daily_costs: [] });
    const nowMs = await momentOfOneDay();
    await spend(key);
    await spend(key);
    const spent = await cents(key);
    expect(spent).toBeGreaterThan(0);
    const { total_usage, daily_costs } = await read(USAGE, key);
    expect(total_usage).toBeCloseTo(spent, 9);
    const days = daily_costs as { timestamp: number; line_items: JsonObject[] }[];
    expect(days).toHaveLength(1);
    expect(days[0]?.timestamp).toBe(Date.parse(dayOf(nowMs)) / 1000);
    expect(days[0]?.line_items).toEqual([{ name: "sandbox-1.0", cost: expect.any(Number) }]);
    expect(days[0]?.line_items[0]?.cost).toBeCloseTo(spent, 9);
  });

  test("lies between the dates, of which the last is not part", async () => {
    const { key } = await server.account("5");
    const nowMs = await momentOfOneDay();
    await spend(key);
    const spent = await cents(key);
    const today = dayOf(nowMs);
    const tomorrow = dayOf(nowMs + DAY_MS);
    const yesterday = dayOf(nowMs - DAY_MS);
    const between = async (start: string, end: string) =>
      (await read(`${USAGE}?start_date=${start}&end_date=${end}`, key)).total_usage;
    expect(await between(today, tomorrow)).toBeCloseTo(spent, 9);
    expect(await between(yesterday, today)).toBe(0);
    expect(await between(tomorrow, tomorrow)).toBe(0);
  });

  test("is the key's own, unless it may read the account and has no budget", async () => {
    const { key, accountId } = await server.account("5");
    const keyOf = async (...more: string[]) => {
      const args = ["key", "create", "--account", accountId, "--name", "n", ...more];
      return (await server.command<{ key: string }>(...args)).key;
    };
    const reader = await keyOf("--account-read", "yes");
    const budgeted = await keyOf("--account-read", "yes", "--budget", "1");
    const stranger = await server.account("5");
    await spend(key);
    await spend(reader);
    await spend(stranger.key);
    const all = (await cents(key)) + (await cents(reader));
    expect((await read(USAGE, reader)).total_usage).toBeCloseTo(all, 9);
    expect((await read(USAGE, key)).total_usage).toBeCloseTo(await cents(key), 9);
    expect((await read(USAGE, budgeted)).total_usage).toBe(0);
  });

  test.each(["yesterday", "2026-13-01", "2026-1-1", "2026-02-30", "", "1e3"])(
    "is refused for the date '%s'",
    async (date) => {
      const key = server.firstKey;
      for (const param of ["start_date", "end_date"]) {
        const response = await server.fetch(`${USAGE}?${param}=${date}`, key);
        await expectError(response, { status: 400, code: "invalid_value", param });
      }
    },
  );
});

test.each([SUBSCRIPTION, USAGE])("%s needs a key", async (path) => {
  await expectError(await server.fetch(path, ""), { status: 401, code: "invalid_api_key" });
});
