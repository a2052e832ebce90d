import { every } from "../../lib/clock.ts";

/** How often a process is asked in the time of its lease. */
const ASKS = 8;

interface HeartbeatParts {
  /** A process that does not answer for so long hangs. */
  readonly leaseMs: number;
  /** Sends a question. Its answer, and any other word of the process, is told to `answered`. */
  ask(): void;
  /** The process has been silent for its lease. */
  hangs(): void;
}

/**
 * Asks a process again and again whether it is alive, and tells when it hangs. It begins to count with the first word of the
 * process, which may take as long as it needs to start. It counts questions without an answer instead of time: nothing is asked
 * while the machine is suspended, so no healthy process is ended after that.
 */
export class Heartbeat {
  readonly #parts: HeartbeatParts;
  readonly #stop: () => void;
  /** Undefined before the first word. */
  #unanswered: number | undefined;

  constructor(parts: HeartbeatParts) {
    this.#parts = parts;
    this.#stop = every(parts.leaseMs / ASKS, () => this.tick());
  }

  tick(): void {
    if (this.#unanswered === ASKS) {
      this.stop();
      this.#parts.hangs();
      return;
    }
    if (this.#unanswered !== undefined) this.#unanswered += 1;
    this.#parts.ask();
  }

  answered(): void {
    this.#unanswered = 0;
  }

  stop(): void {
    this.#stop();
  }
}
