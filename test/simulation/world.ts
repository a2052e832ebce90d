import { Admission } from "../../src/admission/admission.ts";
import { Arrivals } from "../../src/admission/arrivals.ts";
import { type Limits, readConfig } from "../../src/config/config.ts";
import { Conversations } from "../../src/conversations/conversations.ts";
import { KeptAnswers } from "../../src/conversations/kept-answers.ts";
import { BodyReader } from "../../src/gateway/arriving/body.ts";
import { Idempotency } from "../../src/gateway/idempotency/idempotency.ts";
import type { Services } from "../../src/gateway/services.ts";
import { Ledger } from "../../src/ledger/ledger.ts";
import { Fault, StorageError } from "../../src/lib/faults.ts";
import { TextThreads } from "../../src/lib/text/text-threads.ts";
import { TaskGroup } from "../../src/lib/threads/task-group.ts";
import { Watchdog } from "../../src/lib/threads/watchdog.ts";
import { openWires } from "../../src/protocols/wires.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { Drains } from "../../src/upstream/drains.ts";
import { Routes } from "../../src/upstream/routing.ts";
import { AnswerBudget } from "../../src/upstream/transport/answer-budget.ts";
import type { Dice } from "./dice.ts";
import { simulatedCatalogue } from "./models.ts";
import type { SimStore } from "./store.ts";
import { type Playbook, simulatedChannels } from "./vendor.ts";

/** Shorter than those of a server, in the same order, so that each of them is met. */
const LIMITS = {
  FAREGATE_UPSTREAM_FIRST_BYTE_MS: "8000",
  FAREGATE_UPSTREAM_ANSWER_MS: "20000",
  FAREGATE_UPSTREAM_IDLE_MS: "10000",
  FAREGATE_UPSTREAM_TOTAL_MS: "45000",
  FAREGATE_DRAIN_MS: "12000",
  FAREGATE_DRAINS_MAX: "3",
  FAREGATE_CLIENT_IDLE_MS: "6000",
  FAREGATE_KEEP_ALIVE_MS: "2000",
  FAREGATE_ADMISSION_WAIT_MS: "3000",
  FAREGATE_SETTLE_WAIT_MS: "4000",
  FAREGATE_LOSS_ACCOUNT_DAY: "0.02",
  FAREGATE_FLOOR_OUTPUT_TOKENS: "24",
  FAREGATE_FLOOR_UNMETERED_OUTPUT_TOKENS: "60",
};

export function simulatedLimits(): Limits {
  return readConfig(LIMITS).limits;
}

interface World {
  readonly store: SimStore;
  readonly book: Playbook;
  readonly limits: Limits;
  readonly dice: Dice;
  /** Told of whatever goes wrong that nobody is told of otherwise. */
  onProblem(problem: unknown): void;
}

/** What is no surprise behind the scenes: storage that is out, a vendor that breaks off late. */
function isExpected(thrown: unknown): boolean {
  if (thrown instanceof StorageError) return true;
  return thrown instanceof Fault && thrown.status === 503;
}

/** The whole pipeline on simulated time, vendors and storage. */
export function openServices({ store, book, limits, dice, onProblem }: World): Services {
  const { clock } = book.time;
  const catalogue = simulatedCatalogue(book.models);
  const tasks = new TaskGroup((thrown) => {
    if (!isExpected(thrown)) onProblem(thrown);
  });
  const admission = new Admission(store.admission, limits, clock);
  const ledger = new Ledger(store.ledger, limits, { clock, steady: clock }, tasks);
  ledger.onRelease = (...scopeIds) => admission.released(...scopeIds);
  const conversations = new Conversations({} as never, limits, clock, false);
  const watchdog = new Watchdog(clock);
  const answers = new KeptAnswers({} as never, limits, clock, false);
  const books = store.ledger;
  const budget = new AnswerBudget(limits);
  const random = () => dice.next();
  return {
    accounts: store.accounts,
    admission,
    arrivals: new Arrivals(clock),
    ledger,
    books,
    conversations,
    turns: conversations,
    idempotency: new Idempotency({ answers, books, ledger, limits, watchdog, tasks, budget }),
    catalogue,
    routes: new Routes(catalogue, simulatedChannels(book), limits, clock, random),
    wires: openWires(limits),
    drains: new Drains(limits.drains_max),
    bodies: new BodyReader(limits, watchdog),
    answers: budget,
    threads: new TextThreads(),
    limits,
    clock,
    watchdog,
    tasks,
    log: createLog("error", onProblem),
  };
}
