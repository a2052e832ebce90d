import type { Limits } from "../../config/config.ts";
import type { Store } from "../../store/store.ts";
import type { Log } from "../../telemetry/log.ts";
import { onSignals } from "../terminal/signals.ts";
import { say } from "../words/language.ts";
import type { LastEnd } from "./last-end.ts";

/** So long after its time a process has not ended that stands still. With `shutdown_end_ms` these are 8 s. */
const STILL_MS = 2_000;
/** How long a process that ends waits for whoever reads its log. */
const READER_MS = 1_000;
/** How many of the requests that were not settled are named. */
const NAMED_MAX = 20;

type EndLimits = Pick<Limits, "shutdown_delay_ms" | "shutdown_drain_ms" | "shutdown_end_ms">;

/** What serves until it is told to stop. */
export interface Stoppable {
  /** In order. `drained` is told when nothing is being answered any more. */
  stop(drained: () => void): Promise<void>;
  /** At once: ends the processes that it has started. */
  abandon?(): void;
}

export interface Stopping {
  readonly app: Stoppable;
  readonly store: Pick<Store, "failed" | "unsettled">;
  readonly limits: EndLimits;
  readonly log: Log;
  readonly signals?: readonly NodeJS.Signals[];
}

/** Why an end is not waited for any longer. */
type Cut = "late" | "told_again";

/**
 * Ends the process when it has not ended by itself, also when this thread stands still. Returns how to say that no client
 * waits any more, from when on it has less time.
 */
function endAtLast({ shutdown_delay_ms, shutdown_drain_ms, shutdown_end_ms }: EndLimits) {
  const thread = new Worker(new URL("./last-end.ts", import.meta.url));
  const endIn = (afterMs: number) => thread.postMessage({ afterMs } satisfies LastEnd);
  endIn(shutdown_delay_ms + shutdown_drain_ms + shutdown_end_ms + STILL_MS);
  thread.unref();
  return () => endIn(shutdown_end_ms + STILL_MS);
}

/** Resolves to whether all was done in order, before the deadline and before a second signal. */
async function stopInOrder({ app, limits, log }: Stopping, cut: PromiseWithResolvers<Cut>) {
  const endSoon = endAtLast(limits);
  const { shutdown_delay_ms, shutdown_drain_ms, shutdown_end_ms } = limits;
  const late = () => cut.resolve("late");
  let timer = setTimeout(late, shutdown_delay_ms + shutdown_drain_ms + shutdown_end_ms);
  const drained = () => {
    endSoon();
    clearTimeout(timer);
    timer = setTimeout(late, shutdown_end_ms);
  };
  const stopped = app.stop(drained).catch((thrown: unknown) => {
    log.error("stop_failed", { thrown });
    return "failed" as const;
  });
  const how = await Promise.race([stopped, cut.promise]);
  clearTimeout(timer);
  if (how === undefined) return true;
  if (how !== "failed") log.error("stop_cut_short", { why: how });
  app.abandon?.();
  return false;
}

/** Whether every request has its end in the database; says which have not. */
function isSettled({ store, log }: Stopping): boolean {
  const left = store.unsettled();
  if (left.length === 0) return true;
  log.error("not_settled", {
    holds: left.length,
    requests: left.slice(0, NAMED_MAX),
    fix: "the next start ends their holds; only those are charged whose end was on its way to storage by now",
  });
  return false;
}

/** Ends a process whose last words nobody reads. */
export function endWithoutReader(code: number): void {
  setTimeout(() => process.exit(code), READER_MS).unref();
}

/**
 * Resolves with the exit code when the process is told to stop, or cannot go on. Whatever storage, the office,
 * a vendor or whoever reads the log does, the process ends within the time of its limits.
 */
export function untilStopped(stopping: Stopping): Promise<number> {
  const { app, store, signals = ["SIGINT", "SIGTERM"] } = stopping;
  const cut = Promise.withResolvers<Cut>();
  const ended = Promise.withResolvers<number>();
  const end = (inOrder: boolean) => {
    const code = isSettled(stopping) && inOrder ? 0 : 1;
    ended.resolve(code);
    endWithoutReader(code);
  };
  onSignals(
    signals,
    () => {
      void stopInOrder(stopping, cut).then(end);
    },
    () => cut.resolve("told_again"),
  );
  // Without its writer the process can promise nothing; whoever restarts it starts clean.
  void store.failed.then((reason) => {
    process.stderr.write(`faregate: ${say("stopping", { reason: reason.message })}\n`);
    app.abandon?.();
    end(false);
  });
  return ended.promise;
}
