import type { KeyFinder } from "../accounts/authenticate.ts";
import type { Admission } from "../admission/admission.ts";
import type { Arrivals } from "../admission/arrivals.ts";
import type { Catalogue } from "../catalogue/models.ts";
import type { Limits } from "../config/config.ts";
import type { Conversations, TurnMemory } from "../conversations/conversations.ts";
import type { Books } from "../ledger/books.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Clock } from "../lib/clock.ts";
import type { TextThreads } from "../lib/text/text-threads.ts";
import type { TaskGroup } from "../lib/threads/task-group.ts";
import type { Watchdog } from "../lib/threads/watchdog.ts";
import type { Wires } from "../protocols/wires.ts";
import type { Log } from "../telemetry/log.ts";
import type { Drains } from "../upstream/drains.ts";
import type { Routes } from "../upstream/routing.ts";
import type { AnswerBudget } from "../upstream/transport/answer-budget.ts";
import type { BodyReader } from "./arriving/body.ts";
import type { Idempotency } from "./idempotency/idempotency.ts";
import type { Traces } from "./tracing/traces.ts";

/** What the pipeline works with. Made once, in compose. */
export interface Services {
  readonly accounts: KeyFinder;
  readonly admission: Admission;
  readonly arrivals: Arrivals;
  readonly ledger: Ledger;
  readonly books: Books;
  readonly conversations: Conversations;
  /** Where turns are continued and kept: the stored conversations, or a connection's own memory. */
  readonly turns: TurnMemory;
  readonly idempotency: Idempotency;
  readonly catalogue: Catalogue;
  readonly routes: Routes;
  readonly wires: Wires;
  readonly drains: Drains;
  readonly bodies: BodyReader;
  /** What all large answers weigh. */
  readonly answers: AnswerBudget;
  /** For bodies and answers that are too long for the loop. */
  readonly threads: TextThreads;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly watchdog: Watchdog;
  readonly tasks: TaskGroup;
  readonly log: Log;
  /** Absent where nobody asked for traces. */
  readonly traces?: Traces | undefined;
}
