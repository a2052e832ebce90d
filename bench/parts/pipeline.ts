// What a request costs the gateway's own code: from the request to the answer over books in memory and a
// vendor in the same process, without sockets, threads and files. The floor is what the same objects cost
// with no gateway between them, and is taken off.
//
//   npm run bench:pipeline                      ten rounds of 20,000 requests
//   npm run bench:pipeline -- --rounds 3
import { parseArgs } from "node:util";
import { Admission } from "../../src/admission/admission.ts";
import { Arrivals } from "../../src/admission/arrivals.ts";
import { shippedCatalogue } from "../../src/catalogue/models.ts";
import { readConfig } from "../../src/config/config.ts";
import { Conversations } from "../../src/conversations/conversations.ts";
import { BodyReader } from "../../src/gateway/arriving/body.ts";
import { generate } from "../../src/gateway/generate.ts";
import type { Services } from "../../src/gateway/services.ts";
import { Ledger } from "../../src/ledger/ledger.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { newId } from "../../src/lib/ids.ts";
import type { Incoming } from "../../src/lib/route.ts";
import { TextThreads } from "../../src/lib/text/text-threads.ts";
import { TaskGroup } from "../../src/lib/threads/task-group.ts";
import { Watchdog } from "../../src/lib/threads/watchdog.ts";
import { openWires } from "../../src/protocols/wires.ts";
import { measuredStore } from "../../src/store/reads/measured.ts";
import type { Store } from "../../src/store/store.ts";
import { Metrics } from "../../src/telemetry/metrics.ts";
import { plainChannel } from "../../src/upstream/channels/channels.ts";
import { Drains } from "../../src/upstream/drains.ts";
import { Routes } from "../../src/upstream/routing.ts";
import { AnswerBudget } from "../../src/upstream/transport/answer-budget.ts";
import { ANSWER_TOKENS, MODEL, requestBody, SNAPSHOT, usageOf, WORD } from "../answer.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "10" },
    requests: { type: "string", default: "20000" },
  },
});
const REQUESTS = Number(values.requests);
const IN_FLIGHT = 64;

const ANSWER = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_794_800_000,
  model: SNAPSHOT,
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: WORD.repeat(ANSWER_TOKENS) },
      finish_reason: "stop",
    },
  ],
  usage: usageOf(ANSWER_TOKENS),
});
const BODY = requestBody(false);
const HEADERS = {
  authorization: "Bearer a-key-of-the-bench",
  "content-type": "application/json",
  "content-length": String(BODY.length),
};

const KEY = {
  ...{ id: "key_1", accountId: "acct_1", name: "k", lastFour: "-key", enabled: true },
  ...{ expiresAtMs: null, models: null, networks: null, requestsPerMinute: 0, tokensPerMinute: 0 },
  ...{ concurrency: 0, hard: false, accountRead: false, showCost: true, createdAtMs: 0 },
  ...{ lastUsedAtMs: null, deletedAtMs: null, secretEndsAtMs: null, accountEnabled: true },
  accountHard: false,
  operator: false,
  overdraft: 0n,
  inputLoss: { day: 0, amount: 0n },
};

/** Books that say yes at once. */
function plainStore(): Store {
  const rates = { requestsLeft: null, requestsResetMs: 0, tokensLeft: null, tokensResetMs: 0 };
  return {
    accounts: { findKey: () => KEY },
    admission: {
      admit: ({ worst }: { worst: bigint }) =>
        ({ kind: "admitted", held: worst, tight: false, lone: false, left: null, rates }) as never,
    },
    ledger: { settle: () => Promise.resolve("done") },
  } as unknown as Store;
}

function servicesOver(store: Store): Services {
  const { limits } = readConfig({});
  const clock = systemClock;
  const catalogue = shippedCatalogue();
  const vendor = plainChannel({
    id: "openai",
    vendor: "openai",
    send: () => Promise.resolve(new Response(ANSWER)),
  });
  const tasks = new TaskGroup((thrown) => {
    throw thrown;
  });
  const watchdog = new Watchdog(clock);
  return {
    accounts: store.accounts,
    admission: new Admission(store.admission, limits, clock),
    arrivals: new Arrivals(clock),
    ledger: new Ledger(store.ledger, limits, { clock, steady: clock }, tasks),
    books: store.ledger,
    turns: new Conversations({} as never, limits, clock, false),
    catalogue,
    routes: new Routes(catalogue, [vendor], limits, clock),
    wires: openWires(limits),
    drains: new Drains(limits.drains_max),
    bodies: new BodyReader(limits, watchdog),
    answers: new AnswerBudget(limits),
    threads: new TextThreads(),
    limits,
    clock,
    watchdog,
    tasks,
    log: { debug() {}, info() {}, warn: console.warn, error: console.error },
  } as unknown as Services;
}

function arriving(): Incoming {
  const request = new Request(`http://gateway.invalid/v1/chat/completions`, {
    method: "POST",
    headers: HEADERS,
    body: BODY,
  });
  return {
    request,
    requestId: newId("req_"),
    url: undefined as never,
    params: {},
    keepOpen() {},
    isBeingAnswered: () => false,
    address: () => "127.0.0.1",
  };
}

const services = servicesOver(measuredStore(plainStore(), new Metrics(), systemClock));

async function throughGateway(): Promise<string> {
  const answer = await generate(services, services.wires.chat, arriving());
  return answer.response().text();
}

/** The same objects, and nobody between them. */
async function throughNothing(): Promise<string> {
  const { request } = arriving();
  await request.bytes();
  const answer = await Promise.resolve(new Response(ANSWER));
  return new Response(await answer.text(), {
    headers: { "content-type": "application/json" },
  }).text();
}

/** Microseconds of this process for each request of a round. */
async function round(ask: () => Promise<string>): Promise<number> {
  let left = REQUESTS;
  const before = process.cpuUsage();
  const worker = async () => {
    while (left-- > 0) {
      const text = await ask();
      if (!text.includes(`"model":"${MODEL}`)) throw new Error(`a wrong answer: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / REQUESTS;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;
}

const own: number[] = [];
const floors: number[] = [];
await round(throughGateway);
await round(throughNothing);
for (let i = 0; i < Number(values.rounds); i++) {
  floors.push(await round(throughNothing));
  own.push(await round(throughGateway));
}
const [all, floor] = [median(own), median(floors)];
console.log(
  `${(all - floor).toFixed(1)} µs of the gateway's own per request ` +
    `(${all.toFixed(1)} with, ${floor.toFixed(1)} without it; best ${Math.min(...own).toFixed(1)}, ${Math.min(...floors).toFixed(1)})`,
);
