/**
 * Midnight in Shanghai on a Monday that begins a month, far from the day on which prices or keys of
 * any test begin.
 */
export const TURN_MS = Date.UTC(2030, 3, 1) - 8 * 3_600_000;

/** Shortly before days, weeks and months turn, so that they do while requests run. */
const START_MS = TURN_MS - 45_000;

interface Event {
  readonly atMs: number;
  readonly order: number;
  run(): void;
}

/** When something happened: at which time, in which event, and after what else. */
export interface Moment {
  readonly atMs: number;
  readonly event: number;
  readonly order: number;
}

/** What the runtime's own clock is asked for while a simulation runs. */
const real = {
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  sleep: Bun.sleep,
};

/** The event loop goes round once: everything that only waits for promises has come to rest. */
function turn(): Promise<void> {
  return new Promise((resolve) => real.setImmediate(resolve));
}

interface TimeOptions {
  /** Whether something outside of this loop, such as a writer thread, is still at work. */
  readonly busy?: () => boolean;
  /** Sleeps up to here belong to a real store, which gathers its batches on the real clock. */
  readonly realSleepMs?: number;
}

/**
 * Time that passes only from one event to the next. Before the next one is taken, everything that
 * the last one set going has come to rest, so the order of things is the order of events alone.
 */
export class VirtualTime {
  readonly #options: TimeOptions;
  readonly #queue: Event[] = [];
  readonly #intervals = new Map<object, () => void>();
  #order = 0;
  #nowMs = START_MS;
  #event = 0;
  #moments = 0;

  constructor(options: TimeOptions = {}) {
    this.#options = options;
  }

  readonly clock = (): number => this.#nowMs;

  /** This very moment, which comes after all those that were asked for before. */
  now(): Moment {
    return { atMs: this.#nowMs, event: this.#event, order: this.#moments++ };
  }

  /** Returns the way to call it off. */
  after(delayMs: number, run: () => void): () => void {
    const event = { atMs: this.#nowMs + Math.max(0, delayMs), order: this.#order++, run };
    this.#insert(event);
    return () => {
      const at = this.#queue.indexOf(event);
      if (at >= 0) this.#queue.splice(at, 1);
    };
  }

  sleep(ms: number): Promise<void> {
    if (ms <= (this.#options.realSleepMs ?? -1)) return real.sleep(ms);
    return new Promise((resolve) => void this.after(ms, resolve));
  }

  /** The queue is sorted with the next event at its end. */
  #insert(event: Event): void {
    let low = 0;
    let high = this.#queue.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#queue[middle] as Event;
      const isLater =
        other.atMs > event.atMs || (other.atMs === event.atMs && other.order > event.order);
      if (isLater) low = middle + 1;
      else high = middle;
    }
    this.#queue.splice(low, 0, event);
  }

  #setInterval(tick: () => void, periodMs: number): object {
    const handle = { unref() {} };
    const again = () => {
      this.#intervals.set(handle, this.after(periodMs, again));
      tick();
    };
    this.#intervals.set(handle, this.after(periodMs, again));
    return handle;
  }

  #clearInterval(handle: object): void {
    this.#intervals.get(handle)?.();
    this.#intervals.delete(handle);
  }

  async #rest(): Promise<void> {
    const { busy } = this.#options;
    do await turn();
    while (busy?.());
    if (busy) await turn();
  }

  /**
   * Takes one event after another until there are none. Whatever asks for timers meanwhile gets
   * those of this clock. False when it has not come to its end within `untilMs`.
   */
  async run(untilMs: number, afterEach: () => void): Promise<boolean> {
    Object.assign(globalThis, {
      setInterval: (tick: () => void, ms: number) => this.#setInterval(tick, ms),
      clearInterval: (handle: object) => this.#clearInterval(handle),
    });
    Bun.sleep = ((ms: number) => this.sleep(ms)) as typeof Bun.sleep;
    try {
      await this.#rest();
      for (let event = this.#queue.pop(); event; event = this.#queue.pop()) {
        if (event.atMs - START_MS > untilMs) return false;
        this.#nowMs = event.atMs;
        this.#event++;
        event.run();
        await this.#rest();
        afterEach();
      }
      return true;
    } finally {
      Object.assign(globalThis, {
        setInterval: real.setInterval,
        clearInterval: real.clearInterval,
      });
      Bun.sleep = real.sleep;
    }
  }
}
