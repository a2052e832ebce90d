import { Admission } from "../admission/admission.ts";
import { Arrivals } from "../admission/arrivals.ts";
import type { Config } from "../config/config.ts";
import { Conversations } from "../conversations/conversations.ts";
import { KeptAnswers } from "../conversations/kept-answers.ts";
import { STORED_ANSWERS, sealedAnswers, sealedConversations } from "../conversations/sealing.ts";
import { BodyReader } from "../gateway/arriving/body.ts";
import { Idempotency } from "../gateway/idempotency/idempotency.ts";
import type { Services } from "../gateway/services.ts";
import { NOT_KEPT } from "../gateway/stored-turn.ts";
import type { Traces } from "../gateway/tracing/traces.ts";
import { Ledger } from "../ledger/ledger.ts";
import type { Clocks } from "../lib/clock.ts";
import { StorageError } from "../lib/faults.ts";
import { createByteSeal } from "../lib/secrets/byte-seal.ts";
import { openVault } from "../lib/secrets/vault.ts";
import { TextThreads } from "../lib/text/text-threads.ts";
import { TaskGroup } from "../lib/threads/task-group.ts";
import { Watchdog } from "../lib/threads/watchdog.ts";
import { openWires } from "../protocols/wires.ts";
import type { Store } from "../store/store.ts";
import { calmLog } from "../telemetry/calm-log.ts";
import type { Log } from "../telemetry/log.ts";
import type { ChannelSource } from "../upstream/channels/channels.ts";
import { Drains } from "../upstream/drains.ts";
import { Routes } from "../upstream/routing.ts";
import { AnswerBudget } from "../upstream/transport/answer-budget.ts";
import { catalogueOf } from "./catalogue.ts";

/** What the gateway works with. */
export function servicesOf(
  config: Config,
  store: Store,
  source: ChannelSource,
  log: Log,
  { clock, steady }: Clocks,
  traces?: Traces,
): Services {
  const { limits } = config;
  const catalogue = catalogueOf(config);
  const channels = source.channels(config.file?.channels ?? []);
  const seal = createByteSeal(openVault(config.secret, config.dataDir), STORED_ANSWERS);
  const conversations = new Conversations(
    sealedConversations(store.conversations, seal),
    limits,
    clock,
    config.storeResponses,
  );
  // An outage is told of where storage is watched; whatever else it takes with it would only hide that.
  const tasks = new TaskGroup((thrown) => {
    log[thrown instanceof StorageError ? "debug" : "error"]("task_failed", { thrown });
  });
  const admission = new Admission(store.admission, limits, steady);
  const ledger = new Ledger(store.ledger, limits, { clock, steady }, tasks);
  ledger.onRelease = (...scopeIds) => admission.released(...scopeIds);
  const arrivals = new Arrivals(steady);
  ledger.onRateSpent = (keyId, max, waitMs) => arrivals.close(keyId, max, waitMs);
  const watchdog = new Watchdog(steady);
  const sealed = sealedAnswers(store.keptAnswers, seal);
  const answers = new KeptAnswers(sealed, limits, clock, config.storeResponses);
  const books = store.ledger;
  const threads = new TextThreads();
  const budget = new AnswerBudget(limits);
  return {
    accounts: store.accounts,
    admission,
    arrivals,
    ledger,
    books,
    conversations,
    turns: conversations,
    idempotency: new Idempotency({ answers, books, ledger, limits, watchdog, tasks, budget }),
    catalogue,
    routes: new Routes(catalogue, channels, limits, steady),
    wires: openWires(limits),
    drains: new Drains(limits.drains_max),
    bodies: new BodyReader(limits, watchdog, threads),
    answers: budget,
    threads,
    limits,
    clock,
    watchdog,
    tasks,
    log: calmLog(log, [NOT_KEPT]),
    traces,
  };
}
