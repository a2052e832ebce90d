import type { Config } from "../../config/config.ts";
import { steadyClock } from "../../lib/clock.ts";
import type { Log } from "../../telemetry/log.ts";
import { Heartbeat } from "./heartbeat.ts";
import type { OfficeAccess } from "./office-access.ts";
import { ownProgram } from "./own-program.ts";
import { Restarts } from "./restarts.ts";
import {
  type SupervisorWord,
  type WorkerIdentity,
  type WorkerWord,
  workerEnvironment,
} from "./worker-words.ts";

/** A worker that has not ended so long after its time stands still. */
const STILL_MS = 2_000;

/** What a worker is started with. */
export interface Launch {
  readonly greets: boolean;
  readonly port: number;
  readonly hear: (word: WorkerWord, from: Bun.Subprocess) => void;
}

/** A gate in a process that ends with this one. */
export function spawnWorker(
  config: Config,
  place: Omit<WorkerIdentity, "greets">,
  { greets, port, hear }: Launch,
): Bun.Subprocess {
  const told = { ...workerEnvironment({ ...place, greets }), FAREGATE_PORT: String(port) };
  const { command, env, stdin } = ownProgram(config, ["serve"], told);
  return Bun.spawn(command, { env, stdio: [stdin, "inherit", "inherit", "pipe"], ipc: hear });
}

interface WorkerParts {
  readonly index: number;
  readonly limits: Config["limits"];
  readonly log: Log;
  readonly office: Pick<OfficeAccess, "take">;
  /** Throws where the system has no room for another process. */
  spawn(launch: Launch): Bun.Subprocess;
}

/** To one that has ended meanwhile there is nothing to say. */
function tell(child: Bun.Subprocess, said: SupervisorWord): void {
  try {
    child.send(said);
  } catch {}
}

/** A worker has ended by itself before it served: the next one would as well. Why, it has said itself. */
export class WorkerEndedError extends Error {
  override readonly name = "WorkerEndedError";
  readonly exitCode: number | null;

  constructor({ exitCode }: Bun.Subprocess) {
    super(`a worker ended before it served (${exitCode})`);
    this.exitCode = exitCode;
  }
}

/** One gate of several: started again whenever it dies, until it is told to stop. */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #restarts: Restarts;
  readonly #ready = Promise.withResolvers<number>();
  /** Its first start is over. */
  readonly #tried = Promise.withResolvers<void>();
  /** The ways to say that it needs the office no more, by what it asked. */
  readonly #taken = new Map<number, () => void>();
  #child: Bun.Subprocess | undefined;
  #heartbeat: Heartbeat | undefined;
  #isStopping = false;
  /** Whether the one that runs now has said that it serves. */
  #serves = false;
  /** Until one of them has served, which says so first. */
  #greets: boolean;
  #port = 0;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#greets = parts.index === 0;
    this.#restarts = new Restarts(parts.limits);
    // Nobody may be waiting for them yet.
    this.#ready.promise.catch(() => {});
    this.#tried.promise.catch(() => {});
  }

  /** Resolves with the port once it has served; rejects where it does not come to that. */
  get ready(): Promise<number> {
    return this.#ready.promise;
  }

  /** The same of its first start alone, but resolves too where that was killed. */
  get tried(): Promise<void> {
    return this.#tried.promise;
  }

  /** Not one that was told to stop meanwhile. */
  start(port: number): void {
    this.#port = port;
    const restMs = this.#launch();
    if (restMs !== undefined) void this.#startAgain(restMs);
  }

  /** How long to wait where the system has no room for it: that counts as a death, and is no end. */
  #launch(): number | undefined {
    if (this.#isStopping) return undefined;
    try {
      this.#spawn();
      return undefined;
    } catch (thrown) {
      const { index, log } = this.#parts;
      const restMs = this.#restarts.pauseAfter(0);
      log.error("worker_not_started", { worker: index, restMs, thrown });
      this.#tried.resolve();
      return restMs;
    }
  }

  #spawn(): void {
    this.#serves = false;
    const startedAtMs = steadyClock();
    const child = this.#parts.spawn({
      ...{ greets: this.#greets, port: this.#port },
      hear: (word, from) => this.#hear(word, from),
    });
    this.#child = child;
    this.#heartbeat = this.#watch(child);
    void child.exited.then(() => this.#ended(child, startedAtMs));
  }

  /** A gate that hangs keeps every connection that the system deals out to it, and does not hear SIGTERM. */
  #watch(child: Bun.Subprocess): Heartbeat {
    const { index, limits, log } = this.#parts;
    const leaseMs = limits.instance_lease_ms;
    return new Heartbeat({
      leaseMs,
      ask: () => tell(child, { kind: "ask" }),
      hangs() {
        log.error("worker_hangs", { worker: index, pid: child.pid, silentMs: leaseMs });
        child.kill("SIGKILL");
      },
    });
  }

  /** Ends it in order, or else; whether it has settled all that it had let in. */
  async stop(): Promise<boolean> {
    this.#isStopping = true;
    this.#fail(new Error("a worker was told to stop, and ended before it served"));
    const child = this.#child;
    if (!child) return true;
    child.kill("SIGTERM");
    // It ends by itself before that, unless it stands still.
    const { shutdown_delay_ms, shutdown_drain_ms, shutdown_end_ms } = this.#parts.limits;
    const lateMs = shutdown_delay_ms + shutdown_drain_ms + shutdown_end_ms + STILL_MS;
    const late = setTimeout(() => child.kill("SIGKILL"), lateMs);
    const code = await child.exited;
    clearTimeout(late);
    // Before it serves it may not yet listen for that word, and has nothing to settle.
    const inOrder = code === 0 || (!this.#serves && child.signalCode === "SIGTERM");
    if (!inOrder) {
      const { pid, exitCode, signalCode } = child;
      const how = { worker: this.#parts.index, pid, exitCode, signal: signalCode };
      this.#parts.log.error("worker_ended_badly", how);
    }
    return inOrder;
  }

  /** It does at once what it does when it is too late. */
  hurry(): void {
    const child = this.#child;
    child?.kill("SIGTERM");
    setTimeout(() => child?.kill("SIGKILL"), STILL_MS).unref();
  }

  #hear(word: WorkerWord, from: Bun.Subprocess): void {
    // What one has said that is gone by now is not about the next.
    if (from !== this.#child) return;
    this.#heartbeat?.answered();
    if (word.kind === "ready") {
      this.#serves = true;
      this.#greets = false;
      this.#port = word.port;
      this.#ready.resolve(word.port);
      this.#tried.resolve();
    } else if (word.kind === "free") this.#free(word.id);
    else if (word.kind === "take") void this.#take(word.id, from);
  }

  async #take(id: number, child: Bun.Subprocess): Promise<void> {
    let failure: string | undefined;
    try {
      const free = await this.#parts.office.take();
      if (this.#child === child) this.#taken.set(id, free);
      else free();
    } catch (thrown) {
      failure = (thrown as Error).message;
    }
    tell(child, { kind: "office", id, failure });
  }

  #free(id: number): void {
    this.#taken.get(id)?.();
    this.#taken.delete(id);
  }

  #fail(why: Error): void {
    this.#ready.reject(why);
    this.#tried.reject(why);
  }

  async #ended(child: Bun.Subprocess, startedAtMs: number): Promise<void> {
    this.#child = undefined;
    this.#heartbeat?.stop();
    for (const id of [...this.#taken.keys()]) this.#free(id);
    const { exitCode, signalCode, pid } = child;
    if (this.#isStopping) return;
    // Who is killed, by somebody or for want of memory, or told to end, has had nothing against its start.
    const refuses = signalCode === null && exitCode !== 0;
    if (refuses) this.#fail(new WorkerEndedError(child));
    else this.#tried.resolve();
    const { index, log } = this.#parts;
    const restMs = this.#restarts.pauseAfter(steadyClock() - startedAtMs);
    const how = { exitCode, signal: signalCode, served: this.#serves };
    log.warn("worker_died", { worker: index, pid, ...how, restMs });
    await this.#startAgain(restMs);
  }

  async #startAgain(firstRestMs: number): Promise<void> {
    let restMs: number | undefined = firstRestMs;
    while (restMs !== undefined) {
      await Bun.sleep(restMs);
      restMs = this.#launch();
    }
  }
}
