// Many accounts, keys and requests against the real pipeline and a real SQLite store, with a vendor
// and clients that do whatever a seeded dice says. The books are checked while it runs and at the end.
import { expect, test } from "bun:test";
import { Accounts } from "../src/accounts/accounts.ts";
import { Admission } from "../src/admission/admission.ts";
import { shippedCatalogue } from "../src/catalogue/models.ts";
import { readConfig } from "../src/config.ts";
import { Conversations } from "../src/conversations/conversations.ts";
import { BodyReader } from "../src/gateway/body.ts";
import { gatewayRoutes } from "../src/gateway/routes.ts";
import type { Services } from "../src/gateway/services.ts";
import { Ledger } from "../src/ledger/ledger.ts";
import { systemClock } from "../src/lib/clock.ts";
import { Fault } from "../src/lib/faults.ts";
import { newId } from "../src/lib/ids.ts";
import { TaskGroup } from "../src/lib/task-group.ts";
import { Watchdog } from "../src/lib/watchdog.ts";
import { openSqlite } from "../src/store/sqlite/open.ts";
import type { Store } from "../src/store/store.ts";
import { createLog } from "../src/telemetry/log.ts";
import { type Channel, Routes } from "../src/upstream/channels.ts";
import { temporaryFolder } from "./server.ts";

const FULL = Boolean(process.env.FAREGATE_TEST_FULL);
const ROUNDS = FULL ? 25 : 3;
const REQUESTS = FULL ? 600 : 250;
const AT_ONCE = 40;
const FIRST_SEED = Number(process.env.FAREGATE_TEST_SEED ?? 20_261_115);

type Dice = ReturnType<typeof diceOf>;

/** A small generator of pseudo-random numbers: the same seed throws the same dice. */
function diceOf(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (limit: number) => Math.floor(next() * limit),
    chance: (probability: number) => next() < probability,
    pick: <T>(choices: readonly T[]) => choices[Math.floor(next() * choices.length)] as T,
  };
}

/** What the vendor does with one call; written into the prompt, so that the call itself says it. */
interface Plan {
  readonly outcome: "ok" | "no_usage" | "refuse" | "busy" | "reset" | "cut" | "error";
  readonly chunks: number;
  readonly chars: number;
  /** Turns of the event loop between chunks. */
  readonly pause: number;
  readonly inputTokens: number;
}

function planOf(dice: Dice): Plan {
  const outcomes = [
    "ok",
    "ok",
    "ok",
    "no_usage",
    "refuse",
    "busy",
    "reset",
    "cut",
    "error",
  ] as const;
  return {
    outcome: dice.pick(outcomes),
    chunks: 1 + dice.below(6),
    chars: dice.chance(0.2) ? 2_000 : 1 + dice.below(200),
    pause: dice.below(8),
    inputTokens: 1 + dice.below(300),
  };
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

function sse(data: unknown): Uint8Array {
  return Buffer.from(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
}

function usageOf(plan: Plan) {
  const completion_tokens = Math.ceil((plan.chunks * plan.chars) / 4);
  return { prompt_tokens: plan.inputTokens, completion_tokens };
}

async function* streamOf(plan: Plan, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const chunk = (delta: object, finish: string | null = null) =>
    sse({ id: "c", model: "v", choices: [{ index: 0, delta, finish_reason: finish }] });
  for (let i = 0; i < plan.chunks; i++) {
    await turns(plan.pause);
    signal.throwIfAborted();
    if (plan.outcome === "error" && i === plan.chunks - 1) yield sse({ error: { message: "no" } });
    yield chunk({ content: "x".repeat(plan.chars) });
  }
  if (plan.outcome === "cut") return;
  if (plan.outcome === "reset") throw new Error("ECONNRESET");
  yield chunk({}, "stop");
  if (plan.outcome !== "no_usage")
    yield sse({ id: "c", model: "v", choices: [], usage: usageOf(plan) });
  yield sse("[DONE]");
}

async function wholeOf(plan: Plan): Promise<Response> {
  await turns(plan.pause);
  if (plan.outcome === "reset" || plan.outcome === "error") throw new Error("ECONNRESET");
  if (plan.outcome === "cut") return new Response('{"id":"c","choi');
  const content = "x".repeat(plan.chunks * plan.chars);
  const usage = plan.outcome === "no_usage" ? {} : { usage: usageOf(plan) };
  return Response.json({ id: "c", model: "v", choices: [{ message: { content } }], ...usage });
}

const vendor: Channel = {
  id: "sandbox",
  vendor: "sandbox",
  onDisconnect: "abort",
  async send(call, signal) {
    const body = JSON.parse(call.body);
    const plan: Plan = JSON.parse(body.messages[0].content);
    await turns(plan.pause);
    signal.throwIfAborted();
    if (plan.outcome === "refuse")
      return Response.json({ error: { message: "no" } }, { status: 400 });
    if (plan.outcome === "busy") return Response.json({}, { status: 429 });
    if (!call.stream) return wholeOf(plan);
    return new Response(streamOf(plan, signal) as unknown as ReadableStream<Uint8Array>);
  },
};

function servicesOf(store: Store, problems: unknown[]): Services {
  const { limits } = readConfig({
    FAREGATE_ADMISSION_WAIT_MS: "1500",
    FAREGATE_HOLD_OUTPUT_TOKENS_DEFAULT: "64",
  });
  const catalogue = shippedCatalogue();
  const tasks = new TaskGroup((thrown) => {
    // A vendor that was hung up on while it closed its stream is no problem of the books.
    if (!(thrown instanceof Fault)) problems.push(thrown);
  });
  const admission = new Admission(store.admission, limits, systemClock);
  const ledger = new Ledger(store.ledger, limits, systemClock, tasks);
  ledger.onRelease = (...scopeIds) => admission.released(...scopeIds);
  return {
    accounts: store.accounts,
    admission,
    ledger,
    books: store.ledger,
    conversations: new Conversations(store.conversations, limits, systemClock, false),
    catalogue,
    routes: new Routes(catalogue, [vendor]),
    bodies: new BodyReader(limits),
    limits,
    clock: systemClock,
    watchdog: new Watchdog(systemClock),
    tasks,
    log: createLog("error", (line) => problems.push(line)),
  };
}

interface Customer {
  readonly accountId: string;
  readonly keyId: string;
  readonly key: string;
}

/** A thousandth of a dollar, about what one request costs here. */
const MILL = 1_000_000n;

/** A few accounts with little money, each with a few keys, some with budgets of their own. */
async function customersOf(store: Store, dice: Dice): Promise<Customer[]> {
  const accounts = new Accounts(store.accounts, systemClock, 0);
  const customers: Customer[] = [];
  for (let i = 0; i < 3; i++) {
    const { id: accountId } = await accounts.createAccount(`a${i}`);
    const amount = BigInt(20 + dice.below(400)) * MILL;
    const credit = {
      id: newId("top_"),
      accountId,
      amount,
      kind: "topup" as const,
      note: "",
      createdAtMs: 0,
    };
    await store.ledger.credit(credit);
    for (let k = 0; k < 1 + dice.below(3); k++) {
      const budget = dice.chance(0.6) ? BigInt(1 + dice.below(80)) * MILL : null;
      const created = await accounts.createKey(accountId, {
        name: "k",
        budget,
        hard: dice.chance(0.2),
      });
      if (!created) throw new Error("no key");
      customers.push({ accountId, keyId: created.id, key: created.key });
    }
  }
  return customers;
}

interface Answer {
  readonly requestId: string;
  /** The client read the answer to its very end. */
  readonly whole: boolean;
}

/** One client: it may read everything, hang up at any moment, or leave the stream half read. */
async function call(services: Services, customer: Customer, dice: Dice): Promise<Answer> {
  const stream = dice.chance(0.6);
  const leave = new AbortController();
  const body = {
    model: "sandbox-1.0",
    stream,
    messages: [{ role: "user", content: JSON.stringify(planOf(dice)) }],
    ...(dice.chance(0.5) ? { max_tokens: 1 + dice.below(200) } : {}),
  };
  const request = new Request("http://gateway.invalid/v1/chat/completions", {
    method: "POST",
    headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: leave.signal,
  });
  const requestId = newId("req_");
  const leaveAfter = dice.chance(0.25) ? dice.below(40) : undefined;
  const readsOnly = dice.chance(0.2) ? dice.below(4) : Number.POSITIVE_INFINITY;
  if (leaveAfter !== undefined) void turns(leaveAfter).then(() => leave.abort());
  const incoming = {
    request,
    requestId,
    url: new URL(request.url),
    params: {},
    keepOpen() {},
    address: () => "127.0.0.1",
  };
  const route = gatewayRoutes(services).find(({ path }) => path === "/v1/chat/completions");
  try {
    const response = await route?.handle(incoming);
    return { requestId, whole: await read(response, readsOnly, leave.signal) };
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.status === 500) throw thrown;
    return { requestId, whole: false };
  }
}

/** A server cancels the body of a client that has left; here the client does it itself. */
async function read(
  response: Response | undefined,
  chunksMax: number,
  signal: AbortSignal,
): Promise<boolean> {
  const reader = response?.body?.getReader();
  let text = "";
  for (let chunks = 0; chunks < chunksMax && !signal.aborted; chunks++) {
    const chunk = await reader?.read();
    if (!chunk || chunk.done) {
      return text.endsWith("[DONE]\n\n") || (text.startsWith("{") && text.endsWith("}"));
    }
    text += Buffer.from(chunk.value).toString();
  }
  await reader?.cancel();
  return false;
}

async function checkBooks(store: Store): Promise<void> {
  const { problems } = await store.ledger.verify();
  expect(problems).toEqual([]);
}

interface Row {
  readonly cost: bigint;
  readonly held: bigint;
}

/** A limit may be passed by one request, and by what running ones wrote beyond their holds. */
function mayReach(max: bigint, rows: readonly Row[]): bigint {
  let largest = 0n;
  let beyond = 0n;
  for (const { cost, held } of rows) {
    if (cost > largest) largest = cost;
    if (cost > held) beyond += cost - held;
  }
  return max + largest + beyond;
}

async function checkEnd(
  store: Store,
  customers: readonly Customer[],
  answers: readonly [Customer, Answer][],
): Promise<number> {
  const rows = new Map<string, Row[]>();
  let charged = 0;
  for (const [{ accountId, keyId }, { requestId, whole }] of answers) {
    const receipt = await store.ledger.findReceipt(requestId, accountId, keyId);
    if (!receipt) throw new Error(`${requestId} has no receipt`);
    const row = { cost: receipt.charge.amount, held: receipt.held };
    for (const id of [accountId, keyId]) rows.set(id, [...(rows.get(id) ?? []), row]);
    if (whole) expect(receipt.billingReason).toMatch(/^completed|^client_closed_finished$/);
    if (row.cost > 0n) charged++;
  }
  const spent = (id: string) => (rows.get(id) ?? []).reduce((sum, { cost }) => sum + cost, 0n);
  for (const { accountId, keyId } of customers) {
    const balance = await store.ledger.balance(accountId);
    const budget = await store.ledger.budget(keyId);
    expect([balance?.held, budget?.held]).toEqual([0n, 0n]);
    expect([balance?.charged, budget?.used]).toEqual([spent(accountId), spent(keyId)]);
    expect(balance?.charged).toBeLessThanOrEqual(
      mayReach(balance?.credited ?? 0n, rows.get(accountId) ?? []),
    );
    const max = budget?.max;
    if (max !== null && max !== undefined) {
      expect(budget?.used).toBeLessThanOrEqual(mayReach(max, rows.get(keyId) ?? []));
    }
  }
  const { openHolds, receipts } = await store.ledger.verify();
  expect([openHolds, receipts]).toEqual([0, answers.length]);
  return charged;
}

async function simulate(seed: number): Promise<number> {
  const dice = diceOf(seed);
  const folder = temporaryFolder();
  const store = await openSqlite(folder.path, { create: true, serve: true });
  const problems: unknown[] = [];
  try {
    const services = servicesOf(store, problems);
    const customers = await customersOf(store, dice);
    const answers: [Customer, Answer][] = [];
    const running = new Set<Promise<void>>();
    for (let i = 0; i < REQUESTS; i++) {
      const customer = dice.pick(customers);
      const work: Promise<void> = call(services, customer, diceOf(seed * 1_000 + i))
        .then((answer) => void answers.push([customer, answer]))
        .finally(() => running.delete(work));
      running.add(work);
      if (running.size >= AT_ONCE) await Promise.race(running);
      if (dice.chance(0.1)) await checkBooks(store);
    }
    await Promise.all(running);
    await services.tasks.settled();
    expect(problems).toEqual([]);
    expect(services.bodies.bytesInFlight).toBe(0);
    expect(services.admission.waiting).toBe(0);
    await checkBooks(store);
    return await checkEnd(store, customers, answers);
  } finally {
    await store.close();
    folder.remove();
  }
}

test(
  "whatever vendors and clients do, the books are right at every moment",
  async () => {
    let charged = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const seed = FIRST_SEED + round;
      try {
        charged += await simulate(seed);
      } catch (thrown) {
        throw new Error(`with FAREGATE_TEST_SEED=${seed}: ${String(thrown)}`, { cause: thrown });
      }
    }
    // A simulation in which nobody pays shows nothing.
    expect(charged).toBeGreaterThan(ROUNDS * 20);
  },
  FULL ? 1_200_000 : 120_000,
);
