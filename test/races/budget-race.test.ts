import { describe, expect, test } from "bun:test";
import type { TestServer } from "../server.ts";
import { ENGINES, onEngines, type Site } from "../store/engines.ts";
import { dollars, expectRightBooks, keyFacts, nano, nothingHeld } from "../support/books.ts";
import { count } from "../support/counts.ts";
import { expectError, readError } from "../support/errors.ts";
import { noHolds, openHolds, receipts } from "../support/houses/database.ts";
import { perSuite } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import {
  CHAT,
  type JsonObject,
  RESPONSES,
  StreamReader,
  type TestWire,
} from "../support/samples/wires.ts";
import { zoneAtNoon } from "../support/samples/zones.ts";
import { eventually } from "../support/waiting.ts";

const REQUESTS = count(28, 200);
/** Output without whose price nothing begins; small, so that a small budget has room for several. */
const FLOOR_TOKENS = 64;
const SETTINGS = {
  FAREGATE_FLOOR_OUTPUT_TOKENS: String(FLOOR_TOKENS),
  FAREGATE_FLOOR_UNMETERED_OUTPUT_TOKENS: String(FLOOR_TOKENS),
  // Streams that wait for one another are not what is looked at here.
  FAREGATE_RAISE_WAIT_MS: "50",
};
const SHORT = "Write 20 words about rivers.";
/** Far beyond what a small budget pays for. */
const LONG = "Write 600 words about rivers.";

interface Outcome {
  readonly status: number;
  readonly requestId: string;
  readonly error: { readonly type: string; readonly code: string } | undefined;
}

interface Race {
  readonly wire: TestWire;
  readonly body: JsonObject;
  readonly keys: readonly string[];
  readonly delayMs: number;
}

async function send(server: TestServer, race: Race, i: number): Promise<Outcome> {
  const key = race.keys[i % race.keys.length] ?? "";
  const headers = { "x-sandbox-fault": `delay_ms=${race.delayMs}` };
  const response = await server.post(race.wire.path, key, race.body, headers);
  const text = await response.text();
  const requestId = response.headers.get("x-request-id") ?? "";
  if (response.status !== 200)
    return { status: response.status, requestId, error: JSON.parse(text).error };
  if (race.body.stream) expect(text).toEndWith("data: [DONE]\n\n");
  return { status: 200, requestId, error: undefined };
}

interface Spent {
  readonly answered: number;
  readonly sum: bigint;
  readonly largest: bigint;
}

/** Sends all at once, and checks whatever must hold however they were let through. */
async function run(server: TestServer, database: Site, race: Race): Promise<Spent> {
  const outcomes = await Promise.all(
    Array.from({ length: REQUESTS }, (_, i) => send(server, race, i)),
  );
  const told = outcomes.map(({ status, error }) => `${status} ${error?.type ?? ""} ${error?.code}`);
  const refused = "400 budget_exceeded 400";
  const busy = "429 rate_limit_error budget_busy";
  const allowed = new Set(["200  undefined", refused, busy]);
  expect(told.filter((words) => !allowed.has(words))).toEqual([]);
  expect(told).toContain(refused);

  const rows = new Map((await receipts(database)).map((row) => [row.id, row]));
  const answers = outcomes.filter(({ status }) => status === 200);
  const paid = answers.map(({ requestId }) => rows.get(requestId));
  const costs = paid.map((row) => row?.cost ?? 0n);
  expect(costs.every((cost) => cost > 0n)).toBe(true);
  for (const { requestId, status } of outcomes) {
    // The row of a refusal is written behind the answer.
    const row = rows.get(requestId);
    if (status !== 200 && row) expect(row).toMatchObject({ reason: "refused", cost: 0n, status });
  }
  await expectRightBooks(server);
  // Whoever costs more than was held for it was not seen coming by the others.
  expect(paid.filter((row) => row && row.cost > row.held)).toEqual([]);
  const sum = costs.reduce((total, cost) => total + cost, 0n);
  const used = await Promise.all(race.keys.map((key) => keyFacts(server, key)));
  expect(used.reduce((total, facts) => total + nano(facts.used), 0n)).toBe(sum);
  const largest = costs.reduce((most, cost) => (cost > most ? cost : most), 0n);
  return { answered: answers.length, sum, largest };
}

async function costOf(server: TestServer, wire: TestWire, body: JsonObject): Promise<bigint> {
  const { key } = await server.account("1");
  const response = await server.post(wire.path, key, body);
  expect(response.status).toBe(200);
  await response.text();
  return nano((await keyFacts(server, key)).used);
}

describe.each(ENGINES)("parallel requests against a small budget, on $name", (engine) => {
  const house = perSuite((parts) => serve(parts, { engine, settings: SETTINGS }));
  const server = perSuite(() => house.server);
  const database = perSuite(() => house.database);

  /** A key whose budget pays for about `answers` such answers, and a balance that does not matter. */
  async function budgetKey(wire: TestWire, body: JsonObject, answers: number, ...more: string[]) {
    const cost = await costOf(server, wire, { ...body, stream: false });
    const budget = cost * BigInt(answers) + cost / 2n;
    const { key } = await server.account("50", "--rpm", "0", "--budget", dollars(budget), ...more);
    return { key, cost, budget };
  }

  test.each([
    { wire: RESPONSES, stream: false },
    { wire: CHAT, stream: true },
  ])(
    "pass it by at most one, with a maximum of tokens ($wire.path, stream $stream)",
    async ({ wire, stream }) => {
      const body = wire.request(SHORT, { [wire.maxOutputName]: 40, stream });
      const { key, cost, budget } = await budgetKey(wire, body, 12);
      const spent = await run(server, database, { wire, body, keys: [key], delayMs: 1 });
      expect(spent.sum).toBeGreaterThan(budget);
      expect(spent.sum).toBeLessThanOrEqual(budget + spent.largest);
      // Whoever had to wait was let in as long as there was money: none was refused for a hold.
      expect(spent.answered).toBe(Number(budget / cost) + 1);
    },
  );

  test("pass it by at most one, without a maximum of tokens", async () => {
    const body = RESPONSES.request(SHORT);
    const { key, cost, budget } = await budgetKey(RESPONSES, body, 12);
    const spent = await run(server, database, { wire: RESPONSES, body, keys: [key], delayMs: 5 });
    expect(spent.sum).toBeLessThanOrEqual(budget + spent.largest);
    expect(spent.answered).toBe(Number(budget / cost) + 1);
  });

  test("pass the budget of a day by at most one answer, whatever else the key may spend", async () => {
    const body = RESPONSES.request(SHORT);
    const cost = await costOf(server, RESPONSES, body);
    const day = cost * 12n + cost / 2n;
    const { key } = await server.account(
      ...["50", "--rpm", "0", "--budget-day", dollars(day), "--time-zone", zoneAtNoon()],
      ...["--budget", "40", "--budget-month", dollars(day * 3n)],
    );
    const spent = await run(server, database, { wire: RESPONSES, body, keys: [key], delayMs: 5 });
    expect(spent.sum).toBeGreaterThan(day);
    expect(spent.sum).toBeLessThanOrEqual(day + spent.largest);
    expect(spent.answered).toBe(Number(day / cost) + 1);
  });

  test("pass a budget below the least hold by one short answer, however long it would be", async () => {
    const body = CHAT.request(LONG, { stream: true });
    const held = BigInt(FLOOR_TOKENS) * 4_000n;
    const { key } = await server.account("50", "--rpm", "0", "--budget", dollars(held / 8n));
    const spent = await run(server, database, { wire: CHAT, body, keys: [key], delayMs: 0 });
    expect(spent.sum).toBeGreaterThan(held / 8n);
    // The bound of its input is some sixty tokens, at a quarter of the price.
    expect(spent.sum).toBeLessThanOrEqual(held / 8n + held * 2n);
  });

  test("pass it by its amount at most, with answers far longer than what they began with", async () => {
    const body = RESPONSES.request(LONG, { stream: true });
    const held = BigInt(FLOOR_TOKENS) * 4_000n;
    const { key } = await server.account("50", "--rpm", "0", "--budget", dollars(held * 8n));
    const spent = await run(server, database, { wire: RESPONSES, body, keys: [key], delayMs: 1 });
    // The one that was alone came to the end of what it may pass the budget by, the others to that of their money.
    expect(spent.sum).toBeGreaterThan(held * 8n);
    expect(spent.sum).toBeLessThanOrEqual(held * 16n);
  });

  test("never pass a shared balance, with two keys", async () => {
    const body = RESPONSES.request(SHORT, { max_output_tokens: 40 });
    const cost = await costOf(server, RESPONSES, body);
    const balance = cost * 12n + cost / 2n;
    const { accountId, key } = await server.account(dollars(balance), "--rpm", "0");
    const more = ["--account", accountId, "--name", "second", "--rpm", "0"];
    const second = await server.command<{ key: string }>("key", "create", ...more);
    const keys = [key, second.key];
    const spent = await run(server, database, { wire: RESPONSES, body, keys, delayMs: 1 });
    expect(spent.sum).toBeLessThanOrEqual(balance);
    // The last of it may be less than the most that an answer can cost.
    expect(spent.answered).toBeGreaterThanOrEqual(Number(balance / cost) - 2);
    // Whichever key has spent it, it is gone for both.
    for (const one of keys) {
      const refused = await server.post("/responses", one, body);
      await expectError(refused, { status: 400, type: "budget_exceeded", code: "400" });
    }
  });

  test.each([
    { words: "with a maximum of tokens", more: { max_output_tokens: 40 }, text: SHORT },
    { words: "without one, and long answers", more: {}, text: LONG },
  ])("of a hard key do not pass it, $words", async ({ more, text }) => {
    const body = RESPONSES.request(text, more);
    const { key, budget } = await budgetKey(RESPONSES, body, 2, "--hard", "yes");
    const spent = await run(server, database, { wire: RESPONSES, body, keys: [key], delayMs: 5 });
    // Who does not get along with what is left is told so instead of being let in.
    expect(spent.sum).toBeLessThanOrEqual(budget);
  });

  test("see a running stream's hold grow with what it writes", async () => {
    const { key } = await server.account("50", "--budget", "0.006");
    const body = RESPONSES.request(LONG);
    const headers = { "x-sandbox-fault": "delay_ms=2" };
    const stream = await StreamReader.open(server, "/responses", key, body, headers);
    const reading = stream.readAll();
    const own = async () =>
      (await openHolds(database)).find((hold) => hold.id === stream.requestId)?.amount;
    const first = await eventually("the hold is there", own);
    const grown = await eventually("the hold grows", async () => {
      const amount = await own();
      return amount !== undefined && amount > first ? amount : undefined;
    });
    expect(grown).toBeGreaterThan(first);
    await reading;
    expect(stream.text).toEndWith("data: [DONE]\n\n");
    await expectRightBooks(server);
  });
});

// One after another, so that there is no race: what is told is the same on both.
onEngines("the edge of a budget, on $name", (engine) => {
  const settings = { FAREGATE_ADMISSION_WAIT_MS: "300" };
  const house = perSuite((parts) => serve(parts, { engine, settings }));
  const server = perSuite(() => house.server);
  const database = perSuite(() => house.database);

  test("is passed by the request after the one that spends exactly all of it", async () => {
    const body = RESPONSES.request("Say one");
    const cost = await costOf(server, RESPONSES, body);
    const { key } = await server.account("1", "--budget", dollars(cost * 3n));
    const ask = () => server.post("/responses", key, body);
    for (let i = 1; i <= 3; i++) expect((await ask()).status).toBe(200);
    const spent = await keyFacts(server, key);
    expect(spent).toMatchObject({ used: spent.limit ?? "", remaining: "0.0" });

    expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect(refused.status).toBe(400);
    expect(refused.headers.get("x-should-retry")).toBe("false");
    const used = dollars(cost * 4n);
    const max = dollars(cost * 3n);
    expect(await refused.json()).toEqual({
      error: {
        message: `Budget has been exceeded! Current cost: ${used}, Max budget: ${max}`,
        type: "budget_exceeded",
        code: "400",
        param: null,
      },
    });
    expect(await keyFacts(server, key)).toMatchObject({ used, remaining: "0.0", held: "0.0" });
  });

  test("of a day is told with the time at which it starts anew, on every page", async () => {
    const body = RESPONSES.request("Say one");
    const cost = await costOf(server, RESPONSES, body);
    const budgets = ["--budget-day", dollars(cost), "--budget", dollars(cost * 9n)];
    const zone = zoneAtNoon();
    const { key, keyId } = await server.account("1", ...budgets, "--time-zone", zone);
    const ask = () => server.post("/responses", key, body);
    for (let i = 1; i <= 2; i++) expect((await ask()).status).toBe(200);
    const facts = await keyFacts(server, key);
    const used = dollars(cost * 2n);
    const day = { period: "day", time_zone: zone, amount: dollars(cost), used };
    expect(facts).toMatchObject({
      limit: dollars(cost),
      used,
      remaining: "0.0",
      budgets: [{ period: "total", amount: dollars(cost * 9n), used, resets_at: null }, day],
    });
    const { budgets: shown } = facts as unknown as { budgets: { resets_at: string }[] };
    for (const refused of [await ask(), await server.fetch("/models", key)]) {
      const expected = { status: 400, type: "budget_exceeded", code: "400" };
      const { message } = await expectError(refused, expected);
      expect(message).toEndWith(`Current cost: ${used}, Max budget: ${dollars(cost)}`);
      expect(refused.headers.get("x-faregate-scope")).toBe("budget");
      expect(refused.headers.get("x-faregate-period")).toBe("day");
      expect(refused.headers.get("x-faregate-resets-at")).toBe(shown[1]?.resets_at ?? "");
      expect(refused.headers.get("x-faregate-fix")).toBe(
        `Wait until it starts again at ${shown[1]?.resets_at}, or raise the key's daily budget.`,
      );
    }
    await server.command("key", "set", keyId, "--budget-day", dollars(cost * 3n));
    expect((await ask()).status).toBe(200);
    expect(await keyFacts(server, key)).toMatchObject({ used: dollars(cost * 3n) });
  });

  test("shows decimals as plain numbers, whole amounts too", async () => {
    const { key, keyId } = await server.account("1", "--budget", "0.000001");
    expect((await server.post("/responses", key, RESPONSES.request("Say one"))).status).toBe(200);
    const first = await expectError(
      await server.post("/chat/completions", key, CHAT.request("Say one", { stream: true })),
      { status: 400, type: "budget_exceeded", code: "400" },
    );
    const decimals = /Current cost: \d+\.\d+, Max budget: 0\.000001$/;
    expect(first.message).toMatch(decimals);
    await server.command("key", "set", keyId, "--budget", "0");
    const second = await server.post("/responses", key, RESPONSES.request("Say one"));
    const { message } = await readError(second);
    expect(message).toEndWith("Max budget: 0.0");
  });

  test("is busy, not exceeded, while what is left is held by a running request", async () => {
    const { key } = await server.account("1", "--budget", "0.001");
    const slow = await StreamReader.open(server, "/responses", key, RESPONSES.request(SHORT), {
      "x-sandbox-fault": "stall_after=3",
    });
    const response = await server.post("/responses", key, RESPONSES.request(SHORT));
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(response.headers.get("retry-after-ms"))).toBeGreaterThan(0);
    await expectError(response, {
      status: 429,
      type: "rate_limit_error",
      code: "budget_busy",
    });
    slow.leave();
    await noHolds(database);
    expect((await server.post("/responses", key, RESPONSES.request(SHORT))).status).toBe(200);
  });

  test("is told before it is reached: the most that the next request may cost", async () => {
    const most = async (key: string) => (await keyFacts(server, key)).next_request_max;
    const { key, keyId } = await server.account("5", "--budget", "1");
    // One that is alone may pass the budget by its amount.
    expect(await most(key)).toBe("2.0");
    const slow = await StreamReader.open(server, "/responses", key, RESPONSES.request(SHORT), {
      "x-sandbox-fault": "stall_after=3",
    });
    const beside = await keyFacts(server, key);
    expect(nano(beside.held)).toBeGreaterThan(0n);
    expect(beside.next_request_max).toBe(dollars(nano("1") - nano(beside.held)));
    slow.leave();
    await nothingHeld(server, key);
    const soft = await keyFacts(server, key);
    expect(soft.next_request_max).toBe(dollars(nano("2") - nano(soft.used)));

    await server.command("key", "set", keyId, "--hard", "yes");
    const alone = await keyFacts(server, key);
    expect(nano(alone.used)).toBeGreaterThan(0n);
    expect(alone.next_request_max).toBe(dollars(nano("1") - nano(alone.used)));
    await server.command("key", "set", keyId, "--budget", "0", "--hard", "no");
    expect(await most(key)).toBe("0.0");
    const { key: poor } = await server.account("0");
    expect(await most(poor)).toBe("0.0");
  });

  test("of the trial credit names the command that adds more, and that command works", async () => {
    const key = server.firstKey;
    const ask = () => server.post("/responses", key, RESPONSES.request("Say one"));
    // As much as the model writes, eight times over: half a dollar each, and less of what is left later.
    const body = CHAT.request("Write 20000 words about rivers.", { n: 8 });
    for (let i = 0; i < 16; i++) {
      const response = await server.post("/chat/completions", key, body);
      await response.text();
    }
    const refused = await ask();
    await expectError(refused, {
      status: 400,
      type: "budget_exceeded",
      code: "400",
      message:
        /^What is left of the balance does not do for this request: 0\.\d+ left, 0\.\d+ needed\.$/,
    });
    const fix = refused.headers.get("x-faregate-fix") ?? "";
    expect(fix).toContain("or add to the trial credit with: ");
    const command = /\.\/bin\/faregate (topup --account \S+) 10\.00$/.exec(fix)?.[1];
    expect(command).toBeString();
    await server.command(...(command ?? "").split(" "), "10000");
    expect((await ask()).status).toBe(200);
    await expectRightBooks(server);
  });

  test.each([
    ["--budget", []],
    ["--budget-day", ["--time-zone", zoneAtNoon()]],
  ])(
    "of an operator's key (%s) names the command that raises it, and that command works",
    async (option, zone) => {
      const { key } = await server.command<{ key: string }>(
        ...["key", "create", "--name", "own", option, "0.000001", ...zone],
      );
      const ask = () => server.post("/responses", key, RESPONSES.request("Say one"));
      expect((await ask()).status).toBe(200);
      const refused = await ask();
      expect(refused.status).toBe(400);
      const fix = refused.headers.get("x-faregate-fix") ?? "";
      const command = /\.\/bin\/faregate (key set \S+ \S+ \S+)$/.exec(fix)?.[1] ?? "";
      expect(command).toContain(` ${option} `);
      await server.command(...command.split(" "));
      expect((await ask()).status).toBe(200);
    },
  );

  test("stands on the receipt of the refused request as in its headers", async () => {
    const { key } = await server.account("0", "--account-read", "yes");
    const refused = await server.post("/responses", key, RESPONSES.request("Say one"));
    expect(refused.status).toBe(400);
    const id = refused.headers.get("x-request-id") ?? "";
    const receipt = await eventually("the refusal has its row", async () => {
      const found = await server.fetch(`/generation?id=${id}`, key);
      return found.ok && ((await found.json()) as { refusal: Record<string, string | null> });
    });
    expect(receipt).toMatchObject({ billing_reason: "refused", clamped_to: null, cost: "0.0" });
    expect(receipt.refusal).toEqual({
      scope: "balance",
      period: null,
      used: "0.0",
      max: "0.0",
      left: "0.0",
      needed: null,
      resets_at: null,
      fix: "Top up the balance.",
    });
    for (const [name, value] of Object.entries(receipt.refusal)) {
      const header = refused.headers.get(`x-faregate-${name.replace("_", "-")}`);
      expect(header).toBe(value);
    }
  });
});
