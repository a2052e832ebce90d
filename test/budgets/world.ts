// Gateways over one database, as several processes would have it, with a vendor that the test plays.
import { Admission } from "../../src/admission/admission.ts";
import { Arrivals } from "../../src/admission/arrivals.ts";
import { Catalogue, type Model } from "../../src/catalogue/models.ts";
import { readConfig } from "../../src/config/config.ts";
import { Conversations } from "../../src/conversations/conversations.ts";
import { KeptAnswers } from "../../src/conversations/kept-answers.ts";
import { BodyReader } from "../../src/gateway/arriving/body.ts";
import { generate } from "../../src/gateway/generate.ts";
import { Idempotency } from "../../src/gateway/idempotency/idempotency.ts";
import type { Services } from "../../src/gateway/services.ts";
import { Ledger } from "../../src/ledger/ledger.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { newId } from "../../src/lib/ids.ts";
import { TextThreads } from "../../src/lib/text/text-threads.ts";
import { TaskGroup } from "../../src/lib/threads/task-group.ts";
import { Watchdog } from "../../src/lib/threads/watchdog.ts";
import type { Endpoint } from "../../src/protocols/wire.ts";
import { openWires } from "../../src/protocols/wires.ts";
import type { Store } from "../../src/store/store.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { plainChannel } from "../../src/upstream/channels/channels.ts";
import { Drains } from "../../src/upstream/drains.ts";
import { Routes } from "../../src/upstream/routing.ts";
import { AnswerBudget } from "../../src/upstream/transport/answer-budget.ts";
import { playScript } from "./vendor.ts";

export interface TestModel {
  readonly id: string;
  /** In pico-USD for a token, and for a search. */
  readonly input: bigint;
  readonly output: bigint;
  readonly search?: bigint;
  readonly maxOutput: number;
  /** 200,000, unless it is said. */
  readonly context?: number;
  /** `openai`, unless it is said. */
  readonly tokenFamily?: Model["tokenFamily"];
  readonly thinksUnseen?: boolean;
  readonly free?: boolean;
  /** Whether its vendor stops when it is hung up on. */
  readonly stops?: boolean;
}

function modelOf(model: TestModel): Model {
  const { id, input, output, search = 0n, maxOutput, thinksUnseen = false, free = false } = model;
  const rates = {
    ...{ input, cacheRead: input, cacheWrite: input, cacheWriteLong: input },
    ...{ output, webSearch: search },
  };
  return {
    ...{ id, displayName: id, aliases: [], ownedBy: ownerOf(model) },
    ...{ endpoints: ["responses", "chat"], context: model.context ?? 200_000, maxOutput },
    modalities: { input: ["text"], output: ["text"] },
    capabilities: thinksUnseen ? ["stream", "reasoning"] : ["stream"],
    ...{ rules: [], tokenFamily: model.tokenFamily ?? "openai", releasedMs: undefined },
    ...{ deprecatesOn: undefined, replacement: undefined, fallbacks: [], free },
    upstream: { [ownerOf(model)]: id },
    webSearch: search > 0n,
    prices: [
      {
        ...{ version: "1", effectiveFromMs: 0, effectiveToMs: undefined, rates, above: [] },
        ...{ windows: [], checkedAt: undefined, source: "test" },
      },
    ],
  };
}

const ownerOf = ({ stops = true }: TestModel) => (stops ? "stopping" : "billing");

function channelOf(id: "stopping" | "billing") {
  return plainChannel({
    ...{ id, vendor: id, onDisconnect: id === "stopping" ? "abort" : "drain" },
    ...{ endpoints: ["chat"], searches: ["chat"], send: playScript },
    dialect: { developerRole: true, customTools: true },
  });
}

/** Shorter waits than those of a server: what is looked at is who may go at all. */
const SETTINGS = {
  FAREGATE_ADMISSION_WAIT_MS: "1500",
  FAREGATE_RAISE_WAIT_MS: "30",
};

interface Options {
  readonly models: readonly TestModel[];
  readonly settings?: Record<string, string>;
}

export interface Ask {
  readonly key: string;
  readonly wire: Endpoint;
  readonly body: object;
  readonly signal?: AbortSignal;
}

/** One gateway on a store, as a process has it. */
export function openGateway(store: Store, { models, settings }: Options) {
  const { limits } = readConfig({ ...SETTINGS, ...settings });
  const clock = systemClock;
  const problems: unknown[] = [];
  const lone = new Map<string, bigint>();
  const waits = new Set<string>();
  const raises = { count: 0 };
  const tasks = new TaskGroup((thrown) => problems.push(thrown));
  const catalogue = new Catalogue(models.map(modelOf));
  const admission = new Admission(noting(store.admission, { lone, waits, raises }), limits, clock);
  const ledger = new Ledger(store.ledger, limits, { clock, steady: clock }, tasks);
  ledger.onRelease = (...scopeIds) => admission.released(...scopeIds);
  const conversations = new Conversations({} as never, limits, clock, false);
  const watchdog = new Watchdog(clock);
  const answers = new KeptAnswers({} as never, limits, clock, false);
  const books = store.ledger;
  const budget = new AnswerBudget(limits);
  const services: Services = {
    ...{ accounts: store.accounts, admission, arrivals: new Arrivals(clock), ledger, books },
    ...{ conversations, turns: conversations },
    idempotency: new Idempotency({ answers, books, ledger, limits, watchdog, tasks, budget }),
    catalogue,
    routes: new Routes(catalogue, [channelOf("stopping"), channelOf("billing")], limits, clock),
    wires: openWires(limits),
    drains: new Drains(limits.drains_max),
    bodies: new BodyReader(limits, watchdog),
    answers: budget,
    threads: new TextThreads(),
    ...{ limits, clock, watchdog, tasks },
    log: createLog("error", (line) => problems.push(line)),
  };
  return {
    ...{ problems, lone, waits, raises, tasks },
    async ask({ key, wire, body, signal }: Ask): Promise<{ id: string; response: Response }> {
      const id = newId("req_");
      const request = new Request("http://gateway.invalid/v1/x", {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body),
        ...(signal ? { signal } : {}),
      });
      const url = new URL(request.url);
      const incoming = {
        ...{ request, requestId: id, url, params: {} },
        keepOpen() {},
        isBeingAnswered: () => false,
        address: () => "",
      };
      const answer = await generate(services, services.wires[wire], incoming);
      return { id, response: answer.response() };
    },
  };
}

export type Gateway = ReturnType<typeof openGateway>;

interface Notes {
  /** Requests that were alone in a scope that had less left than they were given, and what a short answer costs them. */
  readonly lone: Map<string, bigint>;
  readonly waits: Set<string>;
  readonly raises: { count: number };
}

function noting(store: Store["admission"], { lone, waits, raises }: Notes): Store["admission"] {
  return {
    async admit(request) {
      const outcome = await store.admit(request);
      if (outcome.kind === "wait") waits.add(request.requestId);
      if (outcome.kind === "admitted" && outcome.lone)
        lone.set(request.requestId, request.loneLeast);
      return outcome;
    },
    async raise(request) {
      raises.count++;
      const outcome = await store.raise(request);
      if (outcome.kind === "granted" && outcome.lone)
        lone.set(request.requestId, request.loneLeast);
      return outcome;
    },
  };
}
