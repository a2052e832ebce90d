import type { Config } from "../../config/config.ts";
import { steadyClock } from "../../lib/clock.ts";
import type { Log } from "../../telemetry/log.ts";
import { Heartbeat } from "./heartbeat.ts";
import type { OfficeAccess } from "./office-access.ts";
import { Restarts } from "./restarts.ts";

/** What the office prints once it can be asked. */
export const READY = "ready";

/** One that is dead is known to be so within this time. */
const DOUBT_MS = 1_000;

type Child = Bun.Subprocess<Bun.Spawn.Writable, "pipe", "inherit">;

interface OfficeSupervisorParts {
  readonly limits: Pick<
    Config["limits"],
    | "instance_lease_ms"
    | "office_start_ms"
    | "office_idle_ms"
    | "restart_rest_ms"
    | "restart_rest_ms_max"
    | "shutdown_drain_ms"
  >;
  readonly log: Log;
  /** Whether there is anything to do that nobody has asked for. */
  hasWork(): Promise<boolean>;
  /** Whether the office would lose something by ending, though nobody waits for an answer of it. */
  isBusy(): Promise<boolean>;
  spawn(): Child;
}

/** Resolves once the child says that it is ready; what else it prints is read and forgotten. */
async function untilReady(child: Child): Promise<void> {
  const ready = Promise.withResolvers<void>();
  const read = async () => {
    const decoder = new TextDecoder();
    let said = "";
    for await (const chunk of child.stdout) {
      said = `${said}${decoder.decode(chunk, { stream: true })}`.slice(-READY.length * 2);
      if (said.includes(READY)) ready.resolve();
    }
    ready.reject(new Error("the office ended before it was ready"));
  };
  read().catch(ready.reject);
  await ready.promise;
}

/** Starts the office when it is needed, again when it died, and ends it when nobody needs it. */
export class OfficeSupervisor implements OfficeAccess {
  readonly #parts: OfficeSupervisorParts;
  #child: Child | undefined;
  #heartbeat: Heartbeat | undefined;
  /** The same once it is ready. */
  #running: Promise<void> | undefined;
  /** The last one that was told to end. */
  #ending: Child | undefined;
  #looking = false;
  #closed = false;
  #busy = 0;
  #usedAtMs = 0;
  #startedAtMs = 0;
  readonly #restarts: Restarts;
  #restsUntilMs = 0;

  constructor(parts: OfficeSupervisorParts) {
    this.#parts = parts;
    this.#restarts = new Restarts(parts.limits);
  }

  /** Whether there is one, or one on its way. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Resolves once the office can be asked, with the way to say that it was. */
  async take(): Promise<() => void> {
    this.#busy += 1;
    let isFree = false;
    const free = () => {
      if (isFree) return;
      isFree = true;
      this.#busy -= 1;
      this.#usedAtMs = steadyClock();
    };
    try {
      await this.#run();
      return free;
    } catch (thrown) {
      free();
      throw thrown;
    }
  }

  /** Somebody was not answered: waits until it is known that the office has died, if it has. */
  async doubt(): Promise<void> {
    await Promise.race([this.#child?.exited, Bun.sleep(DOUBT_MS)]);
  }

  /** Looks whether the office is needed for what nobody asks, or by nobody any more. */
  async look(): Promise<void> {
    if (this.#looking || this.#closed) return;
    this.#looking = true;
    try {
      const { hasWork, isBusy } = this.#parts;
      if (await hasWork()) return (await this.take())();
      const isOver = this.#isIdle() && !(await isBusy());
      // Somebody may have asked for something meanwhile.
      if (isOver && this.#isIdle()) await this.#end(this.#parts.limits.shutdown_drain_ms);
    } catch (thrown) {
      this.#parts.log.warn("office_not_looked_after", { thrown });
    } finally {
      this.#looking = false;
    }
  }

  /** No office any more, now and later. */
  async close(waitMs: number): Promise<void> {
    this.#closed = true;
    await this.#end(waitMs);
  }

  abandon(): void {
    this.#closed = true;
    this.#child?.kill("SIGKILL");
    this.#ending?.kill("SIGKILL");
  }

  #isIdle(): boolean {
    const idleMs = steadyClock() - this.#usedAtMs;
    return this.isRunning && this.#busy === 0 && idleMs >= this.#parts.limits.office_idle_ms;
  }

  #run(): Promise<void> {
    if (this.#closed) return Promise.reject(new Error("the server is about to end"));
    if (!this.#running) {
      const starting = this.#start();
      this.#running = starting;
      starting.catch(() => {
        if (this.#running === starting) this.#running = undefined;
      });
    }
    return this.#running;
  }

  async #start(): Promise<void> {
    const { limits, log, spawn } = this.#parts;
    await this.#ending?.exited;
    await Bun.sleep(Math.max(0, this.#restsUntilMs - steadyClock()));
    if (this.#closed) throw new Error("the server is about to end");
    const child = spawn();
    this.#child = child;
    this.#startedAtMs = steadyClock();
    void child.exited.then(() => this.#ended(child));
    const late = setTimeout(() => child.kill("SIGKILL"), limits.office_start_ms);
    try {
      await untilReady(child);
    } finally {
      clearTimeout(late);
    }
    log.info("office_started", { pid: child.pid, ms: steadyClock() - this.#startedAtMs });
    if (this.#child === child) this.#heartbeat = this.#watch(child);
  }

  /** An office that hangs would keep everybody waiting who asks it something. */
  #watch(child: Child): Heartbeat {
    const { limits, log, isBusy } = this.#parts;
    const leaseMs = limits.instance_lease_ms;
    const heartbeat = new Heartbeat({
      leaseMs,
      ask() {
        isBusy().then(
          () => heartbeat.answered(),
          () => {},
        );
      },
      hangs() {
        log.error("office_hangs", { pid: child.pid, silentMs: leaseMs });
        child.kill("SIGKILL");
      },
    });
    // It has just said that it is ready.
    heartbeat.answered();
    return heartbeat;
  }

  /** One that died of itself is started again when it is needed, after a pause that grows. */
  #ended(child: Child): void {
    if (this.#child !== child) return;
    this.#heartbeat?.stop();
    this.#child = undefined;
    this.#running = undefined;
    const nowMs = steadyClock();
    const restMs = this.#restarts.pauseAfter(nowMs - this.#startedAtMs);
    this.#restsUntilMs = nowMs + restMs;
    const { exitCode, signalCode } = child;
    this.#parts.log.warn("office_died", { pid: child.pid, exitCode, signal: signalCode, restMs });
  }

  /** Ends it in order, or else. */
  async #end(waitMs: number): Promise<void> {
    const child = this.#child;
    if (child) {
      this.#heartbeat?.stop();
      this.#child = undefined;
      this.#running = undefined;
      child.kill("SIGTERM");
      this.#ending = child;
    }
    // One that was told before, with more time, has no more than this.
    const ending = this.#ending;
    const late = setTimeout(() => ending?.kill("SIGKILL"), waitMs);
    await ending?.exited;
    clearTimeout(late);
  }
}
