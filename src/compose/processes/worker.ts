import type { Config } from "../../config/config.ts";
import { steadyClock } from "../../lib/clock.ts";
import type { Log } from "../../telemetry/log.ts";
import type { OfficeAccess } from "./office-access.ts";
import { ownProgram } from "./own-program.ts";
import { Restarts } from "./restarts.ts";
import {
  type SupervisorWord,
  type WorkerPlace,
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
  place: Omit<WorkerPlace, "greets">,
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

/** A worker has ended before it served; why, it has said itself. */
export class WorkerEndedError extends Error {
  override readonly name = "WorkerEndedError";
  readonly exitCode: number | null;

  constructor({ signalCode, exitCode }: Bun.Subprocess) {
    super(`a worker ended before it served (${signalCode ?? exitCode})`);
    this.exitCode = exitCode;
  }
}

/** One gate of several: started again whenever it dies, until it is told to stop. */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #restarts: Restarts;
  readonly #ready = Promise.withResolvers<number>();
  /** The ways to say that it needs the office no more, by what it asked. */
  readonly #taken = new Map<number, () => void>();
  #child: Bun.Subprocess | undefined;
  #isStopping = false;
  /** Whether the one that runs now has said that it serves. */
  #serves = false;
  #greets: boolean;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#greets = parts.index === 0;
    this.#restarts = new Restarts(parts.limits);
    // Nobody may be waiting for it yet.
    this.#ready.promise.catch(() => {});
  }

  /** Resolves with the port of its first start; rejects where it does not come to one. */
  get ready(): Promise<number> {
    return this.#ready.promise;
  }

  /** Not one that was told to stop meanwhile. */
  start(port: number): void {
    if (this.#isStopping) {
      this.#ready.reject(new Error("it was told to stop before it started"));
      return;
    }
    this.#serves = false;
    const greets = this.#greets;
    this.#greets = false;
    const startedAtMs = steadyClock();
    const child = this.#parts.spawn({
      ...{ greets, port },
      hear: (word, from) => this.#hear(word, from),
    });
    this.#child = child;
    void child.exited.then(() => this.#ended(child, port, startedAtMs));
  }

  /** Ends it in order, or else; whether it has settled all that it had let in. */
  async stop(): Promise<boolean> {
    this.#isStopping = true;
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
    if (word.kind === "ready") {
      this.#serves = true;
      this.#ready.resolve(word.port);
    } else if (word.kind === "free") this.#free(word.id);
    else void this.#take(word.id, from);
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
    tell(child, { id, failure });
  }

  #free(id: number): void {
    this.#taken.get(id)?.();
    this.#taken.delete(id);
  }

  async #ended(child: Bun.Subprocess, port: number, startedAtMs: number): Promise<void> {
    this.#child = undefined;
    for (const id of [...this.#taken.keys()]) this.#free(id);
    const { exitCode, signalCode, pid } = child;
    this.#ready.reject(new WorkerEndedError(child));
    if (this.#isStopping) return;
    const { index, log } = this.#parts;
    const restMs = this.#restarts.pauseAfter(steadyClock() - startedAtMs);
    log.warn("worker_died", { worker: index, pid, exitCode, signal: signalCode, restMs });
    await this.#startAgain(await this.#ready.promise.catch(() => port), restMs);
  }

  /** A start that the system refuses, for want of memory or of room for a process, counts as a death and is no end. */
  async #startAgain(port: number, firstRestMs: number): Promise<void> {
    const { index, log } = this.#parts;
    for (let restMs = firstRestMs; ; ) {
      await Bun.sleep(restMs);
      if (this.#isStopping) return;
      try {
        return this.start(port);
      } catch (thrown) {
        restMs = this.#restarts.pauseAfter(0);
        log.error("worker_not_started", { worker: index, restMs, thrown });
      }
    }
  }
}
