import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { every, steadyClock } from "../../lib/clock.ts";
import type { Log } from "../../telemetry/log.ts";
import { OfficeKeeper } from "./office-keeper.ts";
import { askBusy, spawnOffice } from "./office-process.ts";
import { Restarts } from "./restarts.ts";
import type { OwnSockets } from "./sockets.ts";
import { type SupervisorWord, type WorkerWord, workerEnvironment } from "./worker-words.ts";

const ENTRY = join(import.meta.dir, "..", "..", "cli", "main.ts");

/** A worker that has not ended so long after its time stands still. */
const STILL_MS = 2_000;

/** One gate of several: started again whenever it dies, until it is told to stop. */
class Worker {
  readonly index: number;
  readonly #supervisor: Supervisor;
  readonly #restarts: Restarts;
  readonly #ready = Promise.withResolvers<number>();
  /** The ways to say that it needs the office no more, by what it asked. */
  readonly #taken = new Map<number, () => void>();
  #child: Bun.Subprocess | undefined;
  #isStopping = false;
  #greets = true;

  constructor(supervisor: Supervisor, index: number) {
    this.#supervisor = supervisor;
    this.index = index;
    this.#restarts = new Restarts(supervisor.config.limits);
  }

  /** Resolves with the port of its first start; rejects where it does not come to one. */
  get ready(): Promise<number> {
    return this.#ready.promise;
  }

  start(port: number): void {
    const { folder } = this.#supervisor.sockets;
    const greets = this.index === 0 && this.#greets;
    this.#greets = false;
    const startedAtMs = steadyClock();
    const child = Bun.spawn([process.execPath, ENTRY, "serve"], {
      env: {
        ...process.env,
        ...workerEnvironment({ index: this.index, folder, greets }),
        ...{ FAREGATE_PORT: String(port), FAREGATE_LAUNCHER_FD: "3" },
      },
      stdio: ["ignore", "inherit", "inherit", "pipe"],
      ipc: (word: WorkerWord, from) => this.#hear(word, (said) => from.send(said)),
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
    const { shutdown_delay_ms, shutdown_drain_ms, shutdown_end_ms } =
      this.#supervisor.config.limits;
    const lateMs = shutdown_delay_ms + shutdown_drain_ms + shutdown_end_ms + STILL_MS;
    const late = setTimeout(() => child.kill("SIGKILL"), lateMs);
    const code = await child.exited;
    clearTimeout(late);
    if (code !== 0) {
      const { pid, exitCode, signalCode } = child;
      const how = { worker: this.index, pid, exitCode, signal: signalCode };
      this.#supervisor.log.error("worker_ended_badly", how);
    }
    return code === 0;
  }

  /** It does at once what it does when it is too late. */
  hurry(): void {
    const child = this.#child;
    child?.kill("SIGTERM");
    setTimeout(() => child?.kill("SIGKILL"), STILL_MS).unref();
  }

  #hear(word: WorkerWord, answer: (said: SupervisorWord) => void): void {
    if (word.kind === "ready") this.#ready.resolve(word.port);
    else if (word.kind === "free") this.#free(word.id);
    else void this.#take(word.id, answer);
  }

  async #take(id: number, answer: (said: SupervisorWord) => void): Promise<void> {
    const child = this.#child;
    try {
      const free = await this.#supervisor.office.take();
      if (this.#child === child) this.#taken.set(id, free);
      else free();
      answer({ id, failure: undefined });
    } catch (thrown) {
      answer({ id, failure: (thrown as Error).message });
    }
  }

  #free(id: number): void {
    this.#taken.get(id)?.();
    this.#taken.delete(id);
  }

  async #ended(child: Bun.Subprocess, port: number, startedAtMs: number): Promise<void> {
    this.#child = undefined;
    for (const id of [...this.#taken.keys()]) this.#free(id);
    const { exitCode, signalCode, pid } = child;
    this.#ready.reject(new Error(`a worker ended before it served (${signalCode ?? exitCode})`));
    if (this.#isStopping) return;
    const restMs = this.#restarts.pauseAfter(steadyClock() - startedAtMs);
    const { index } = this;
    const how = { worker: index, pid, exitCode, signal: signalCode, restMs };
    this.#supervisor.log.warn("worker_died", how);
    await Bun.sleep(restMs);
    if (!this.#isStopping) this.start(await this.#ready.promise.catch(() => port));
  }
}

/** Several gates on one port, and one office for all of them. */
export class Supervisor {
  readonly config: Config;
  readonly log: Log;
  readonly sockets: OwnSockets;
  readonly office: OfficeKeeper;
  readonly #workers: readonly Worker[];
  readonly #stopLooking: () => void;
  #port = 0;

  constructor(config: Config, log: Log, sockets: OwnSockets) {
    this.config = config;
    this.log = log;
    this.sockets = sockets;
    const { limits } = config;
    this.office = new OfficeKeeper({
      ...{ limits, log },
      spawn: () => spawnOffice({ ...sockets, port: this.#port }),
      // The workers look for that, since they have the database open.
      hasWork: async () => false,
      isBusy: () => askBusy(sockets.office),
    });
    this.#workers = Array.from({ length: config.workers }, (_, index) => new Worker(this, index));
    this.#stopLooking = every(limits.office_look_ms, () => void this.office.look());
  }

  /** The first one alone, which may have a database to make; then the others, on its port. */
  async start(): Promise<void> {
    const [first, ...others] = this.#workers;
    first?.start(this.config.port);
    this.#port = (await first?.ready) ?? this.config.port;
    for (const worker of others) worker.start(this.#port);
    await Promise.all(others.map(({ ready }) => ready));
  }

  /** Whether all of them have settled what they had let in. */
  async stop(): Promise<boolean> {
    this.#stopLooking();
    const settled = await Promise.all(this.#workers.map((worker) => worker.stop()));
    await this.office.close(this.config.limits.shutdown_end_ms);
    this.sockets.remove();
    return settled.every(Boolean);
  }

  /** Somebody does not want to wait. */
  hurry(): void {
    for (const worker of this.#workers) worker.hurry();
    this.office.abandon();
  }
}
