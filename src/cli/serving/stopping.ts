import type { Limits } from "../../config/config.ts";
import type { Store } from "../../store/store.ts";
import type { Log } from "../../telemetry/log.ts";
import { onSignals } from "../terminal/signals.ts";
import { say } from "../words/language.ts";
import type { LastEnd } from "./last-end.ts";

/** So long after its time a process has not ended that stands still. */
const STILL_MS = 2_000;
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

/** Ends the process when it has not ended by itself, also where no timer of this thread comes to its turn. */
function endAtLast({ shutdown_delay_ms, shutdown_drain_ms, shutdown_end_ms }: EndLimits): void {
  // What was said last waits for its reader, too.
  const afterMs = shutdown_delay_ms + shutdown_drain_ms + 2 * shutdown_end_ms + STILL_MS;
  const thread = new Worker(new URL("./last-end.ts", import.meta.url));
  thread.postMessage({ afterMs } satisfies LastEnd);
  thread.unref();
}

/** Resolves to whether all was done in order, before it was too late or somebody lost patience. */
async function stopInOrder({ app, limits, log }: Stopping, cut: PromiseWithResolvers<Cut>) {
  const { shutdown_delay_ms, shutdown_drain_ms, shutdown_end_ms } = limits;
  const late = () => cut.resolve("late");
  let timer = setTimeout(late, shutdown_delay_ms + shutdown_drain_ms + shutdown_end_ms);
  const drained = () => {
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

/** What was said last waits for whoever reads it, but no longer than this. */
export function endWithoutReader(code: number, limits: Pick<EndLimits, "shutdown_end_ms">): void {
  setTimeout(() => process.exit(code), limits.shutdown_end_ms).unref();
}

/**
 * Resolves with the exit code when the process is told to stop, or cannot go on. Whatever storage, the office,
 * a vendor or whoever reads the log does, the process ends within the time of its limits.
 */
export function untilStopped(stopping: Stopping): Promise<number> {
  const { app, store, limits, signals = ["SIGINT", "SIGTERM"] } = stopping;
  const cut = Promise.withResolvers<Cut>();
  const ended = Promise.withResolvers<number>();
  const end = (inOrder: boolean) => {
    const code = isSettled(stopping) && inOrder ? 0 : 1;
    ended.resolve(code);
    endWithoutReader(code, limits);
  };
  onSignals(
    signals,
    () => {
      endAtLast(limits);
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
