import type { Progress, Step } from "../../store/progress.ts";
import { say } from "../words/language.ts";
import { mistake, type Options } from "./arguments.ts";
import { onSignals } from "./signals.ts";

const BAR_COLUMNS = 30;
/** How often a bar is drawn, a log gets a line, and the seconds of a step without a known end are shown. */
const DRAW_MS = 100;
const LINE_MS = 5_000;
const WAIT_MS = 1_000;
/** As a shell says it of what was interrupted. */
const INTERRUPTED_EXIT = 130;

interface Screen {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

const WORDS = {
  copying: "step_copying",
  packing: "step_packing",
  unpacking: "step_unpacking",
  proving: "step_proving",
  moving: "step_moving",
  comparing: "step_comparing",
} as const satisfies Record<Step, string>;

/** Says how far something is: a bar at a terminal, and elsewhere a line now and then. */
class Bar {
  readonly #screen: Screen;
  #shownAtMs = performance.now();
  #isDrawn = false;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  show(step: Step, done: number, total: number): void {
    const nowMs = performance.now();
    if (nowMs - this.#shownAtMs < (this.#screen.isTTY ? DRAW_MS : LINE_MS)) return;
    this.#shownAtMs = nowMs;
    const share = total > 0 ? Math.min(1, done / total) : 1;
    const text = `${say(WORDS[step])} ${Math.floor(share * 100)} %`;
    if (!this.#screen.isTTY) {
      this.#screen.write(`${text}\n`);
      return;
    }
    const full = Math.round(share * BAR_COLUMNS);
    const bar = "█".repeat(full) + "░".repeat(BAR_COLUMNS - full);
    this.#screen.write(`\r\u001b[K${bar} ${text}`);
    this.#isDrawn = true;
  }

  /** Shows how long a step takes whose end is not known. */
  wait(step: Step, startedAtMs: number): void {
    const nowMs = performance.now();
    if (nowMs - this.#shownAtMs < (this.#screen.isTTY ? WAIT_MS : LINE_MS)) return;
    this.#shownAtMs = nowMs;
    const text = `${say(WORDS[step])} ${Math.floor((nowMs - startedAtMs) / 1_000)} s`;
    this.#screen.write(this.#screen.isTTY ? `\r\u001b[K${text}` : `${text}\n`);
    this.#isDrawn = this.#screen.isTTY === true;
  }

  clear(): void {
    if (this.#isDrawn) this.#screen.write("\r\u001b[K");
  }
}

const SILENT: Screen = { write() {} };

/** Programs that read --json get no progress. */
export function screenFor(options: Options): Screen {
  return options.json === true ? SILENT : process.stderr;
}

/** Does a step whose end is not known, and says how long it takes. */
export async function withWait<T>(
  step: Step,
  work: Promise<T>,
  screen: Screen = process.stderr,
): Promise<T> {
  const bar = new Bar(screen);
  const startedAtMs = performance.now();
  const timer = setInterval(() => bar.wait(step, startedAtMs), DRAW_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    bar.clear();
  }
}

/**
 * Does work that takes a while, and says on standard error how far it is. The first signal ends the work at its next
 * step, so that nothing is left behind. The second one ends it at once, since a step may wait for a server or a disk
 * that does not answer.
 */
export async function withProgress<T>(
  work: (progress: Progress) => Promise<T>,
  screen: Screen = process.stderr,
): Promise<T> {
  const bar = new Bar(screen);
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
  };
  const leave = () => {
    bar.clear();
    process.exit(INTERRUPTED_EXIT);
  };
  const stopListening = onSignals(["SIGINT", "SIGTERM"], interrupt, leave);
  try {
    return await work(async (step, done, total) => {
      bar.show(step, done, total);
      // Signals are heard between two ticks of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      if (isInterrupted) throw mistake("givenUp");
    });
  } finally {
    stopListening();
    bar.clear();
  }
}
