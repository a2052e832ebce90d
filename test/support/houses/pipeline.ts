// The pipeline from body to answer over books in memory, with a vendor that the test plays.
import { expect } from "bun:test";
import { Admission } from "../../../src/admission/admission.ts";
import { Arrivals } from "../../../src/admission/arrivals.ts";
import { shippedCatalogue } from "../../../src/catalogue/models.ts";
import { readConfig } from "../../../src/config/config.ts";
import { Conversations } from "../../../src/conversations/conversations.ts";
import { BodyReader } from "../../../src/gateway/arriving/body.ts";
import { generate } from "../../../src/gateway/generate.ts";
import type { Services } from "../../../src/gateway/services.ts";
import { Ledger } from "../../../src/ledger/ledger.ts";
import { Fault } from "../../../src/lib/faults.ts";
import { TextThreads } from "../../../src/lib/text/text-threads.ts";
import { TaskGroup } from "../../../src/lib/threads/task-group.ts";
import { Watchdog } from "../../../src/lib/threads/watchdog.ts";
import { openWires, type Wires } from "../../../src/protocols/wires.ts";
import { createSandbox } from "../../../src/sandbox/sandbox.ts";
import { type Channel, plainChannel } from "../../../src/upstream/channels/channels.ts";
import { Drains } from "../../../src/upstream/drains.ts";
import { Routes } from "../../../src/upstream/routing.ts";
import { AnswerBudget } from "../../../src/upstream/transport/answer-budget.ts";
import { sentText } from "../vendors/sent-text.ts";

type LedgerPort = ConstructorParameters<typeof Ledger>[0];
type Settlement = Parameters<LedgerPort["settle"]>[0];
export type Receipt = Settlement["receipt"];
export type AdmissionPort = ConstructorParameters<typeof Admission>[0];
export type AdmissionInput = Parameters<AdmissionPort["admit"]>[0];
type PresentedKey = NonNullable<Awaited<ReturnType<Services["accounts"]["findKey"]>>>;
export type Send = Parameters<typeof plainChannel>[0]["send"];

const SECRET = "imported-key";
const KEY: PresentedKey = {
  id: "key_1",
  accountId: "acct_1",
  name: "k",
  lastFour: "-key",
  enabled: true,
  expiresAtMs: null,
  models: null,
  networks: null,
  requestsPerMinute: 0,
  tokensPerMinute: 0,
  concurrency: 0,
  hard: false,
  accountRead: false,
  showCost: true,
  createdAtMs: 0,
  lastUsedAtMs: null,
  deletedAtMs: null,
  secretEndsAtMs: null,
  accountEnabled: true,
  accountHard: false,
  overdraft: 0n,
  inputLoss: { day: 0, amount: 0n },
  operator: false,
};

interface Setting {
  send?: Send;
  onDisconnect?: Channel["onDisconnect"];
  endpoints?: Channel["endpoints"];
  keys?: Channel["keys"];
  key?: Partial<PresentedKey>;
  left?: bigint;
  admit?: AdmissionPort["admit"];
  raise?: AdmissionPort["raise"];
  storageOut?: boolean;
  /** Beside what all of them are set to. */
  env?: Record<string, string>;
  /** Headers of every request, beside those that it needs. */
  headers?: Record<string, string>;
  traces?: Services["traces"];
  /** Whether clients have not taken their answers; else they have them at once. */
  isBeingAnswered?: () => boolean;
}

/** The pipeline over books in memory and a vendor that the test plays. */
export function gateway(setting: Setting = {}) {
  const time = { nowMs: 1_794_800_000_000, aheadMs: 0 };
  const steady = () => time.nowMs;
  const clock = () => time.nowMs + time.aheadMs;
  const { limits } = readConfig({ FAREGATE_SETTLE_WAIT_MS: "0", ...setting.env });
  const open = new Map<string, AdmissionInput>();
  const settled: Settlement[] = [];
  const refused: Receipt[] = [];
  const problems: unknown[] = [];
  const calls: { body: Record<string, unknown>; signal: AbortSignal }[] = [];
  const rates = { requestsLeft: null, requestsResetMs: 0, tokensLeft: null, tokensResetMs: 0 };
  const admission: AdmissionPort = {
    async admit(asking) {
      open.set(asking.requestId, asking);
      const left = setting.left ?? null;
      const held = left !== null && left < asking.worst ? left : asking.worst;
      return {
        kind: "admitted",
        held,
        tight: held < asking.worst,
        lone: false,
        byBalance: false,
        left,
        rates,
      };
    },
    async raise({ need: granted }) {
      return { kind: "granted", granted, lone: false };
    },
    ...(setting.admit ? { admit: setting.admit } : {}),
    ...(setting.raise ? { raise: setting.raise } : {}),
  };
  const books: Partial<LedgerPort> = {
    async settle(settlement) {
      if (setting.storageOut) throw new Error("disk full");
      const { requestId } = settlement.receipt;
      if (!open.delete(requestId)) throw new Error(`${requestId} was settled twice`);
      settled.push(settlement);
      return "done";
    },
    async spending() {
      return { used: 0n, held: 0n, running: 0n, budgets: [] };
    },
    // Whoever is denied here lives to see its charge withheld.
    deny() {},
    async refuse(receipt) {
      refused.push(receipt);
      return 0;
    },
  };
  const sandbox = createSandbox();
  const play: Send =
    setting.send ??
    ((call, _key, signal) =>
      sandbox(
        new Request(`http://v.invalid/v1${call.path}`, {
          method: "POST",
          body: sentText(call),
          signal,
        }),
      ));
  const channel = plainChannel({
    id: "sandbox",
    vendor: "sandbox",
    onDisconnect: setting.onDisconnect ?? "abort",
    ...(setting.endpoints ? { endpoints: setting.endpoints } : {}),
    ...(setting.keys ? { keys: setting.keys } : {}),
    dialect: { developerRole: true, customTools: true },
    send(call, key, signal) {
      calls.push({ body: JSON.parse(sentText(call)), signal });
      return play(call, key, signal);
    },
  });
  const catalogue = shippedCatalogue();
  const tasks = new TaskGroup((thrown) => problems.push(thrown));
  const watchdog = new Watchdog(steady, 3_600_000);
  const logged: string[] = [];
  const log = (level: string) => () => void logged.push(level);
  // Nothing is stored.
  const nothing = { chain: async () => [] };
  const conversations = new Conversations(nothing as never, limits, clock, false);
  const services = {
    accounts: { findKey: () => ({ ...KEY, ...setting.key }) },
    admission: new Admission(admission, limits, steady),
    arrivals: new Arrivals(steady),
    ledger: new Ledger(books as LedgerPort, limits, { clock, steady }, tasks),
    books,
    conversations,
    turns: conversations,
    catalogue,
    routes: new Routes(catalogue, [channel], limits, steady),
    wires: openWires(limits),
    drains: new Drains(limits.drains_max),
    bodies: new BodyReader(limits, watchdog),
    answers: new AnswerBudget(limits),
    threads: new TextThreads(),
    limits,
    clock,
    watchdog,
    tasks,
    traces: setting.traces,
    log: { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") },
  } as unknown as Services;
  let asked = 0;
  const post = async (path: keyof Wires, body: object, signal?: AbortSignal) => {
    const request = new Request(`http://gateway.invalid/v1/${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${SECRET}`,
        "content-type": "application/json",
        ...setting.headers,
      },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
    const wire = services.wires[path];
    const params = {};
    const incoming = {
      request,
      requestId: `req_${asked++}`,
      url: new URL(request.url),
      params,
      keepOpen() {},
      isBeingAnswered: setting.isBeingAnswered ?? (() => false),
      address: () => "",
    };
    // On this wire the model stands in the path.
    const gemini = { path: { model: CHAT.model, stream: false } };
    const answer = await generate(services, wire, incoming, path === "gemini" ? gemini : {});
    return answer.response();
  };
  const goTo = (aheadMs: number) => {
    time.nowMs += aheadMs;
    watchdog.tick();
  };
  /** Somebody sets the clock on the wall, forward or back; no time passes by it. */
  const setClock = (aheadMs: number) => {
    time.aheadMs += aheadMs;
    watchdog.tick();
  };
  return { services, post, open, settled, refused, problems, calls, logged, goTo, setClock };
}

export const CHAT = { model: "sandbox-1.0", messages: [{ role: "user", content: "Say hello." }] };
export const RESPONSES = { model: "sandbox-1.0", input: "Say hello." };

export function event(data: unknown): string {
  return `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

export const DELTA = event({ id: "c1", model: "v", choices: [{ delta: { content: "12345678" } }] });
export const STOP = event({
  id: "c1",
  model: "v",
  choices: [{ delta: {}, finish_reason: "stop" }],
});
export const COUNTS = event({
  id: "c1",
  model: "v",
  choices: [],
  usage: { prompt_tokens: 10, completion_tokens: 2 },
});

/** A vendor's stream that the test feeds; it breaks when it is hung up on. */
export function fed() {
  let feed: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      feed = controller;
    },
  });
  const send: Send = async (_call, _key, signal) => {
    signal.throwIfAborted();
    signal.addEventListener("abort", () => feed?.error(signal.reason));
    return new Response(body);
  };
  const say = (text: string) => feed?.enqueue(Buffer.from(text));
  return { send, say, end: () => feed?.close(), break: () => feed?.error(new Error("ECONNRESET")) };
}

export async function thrownBy(promise: Promise<unknown>): Promise<Fault> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof Fault)) throw new Error(`no fault but ${String(thrown)}`);
  return thrown;
}

/** Exactly one settlement, nothing held, no byte counted, nothing gone wrong behind the scenes. */
export async function theOnly(of: ReturnType<typeof gateway>): Promise<Receipt> {
  await of.services.tasks.settled();
  expect(of.open.size).toBe(0);
  expect(of.services.bodies.bytesInFlight).toBe(0);
  expect(of.services.answers.bytesInFlight).toBe(0);
  expect(of.settled).toHaveLength(1);
  return (of.settled[0] as Settlement).receipt;
}
