import type { Progress, Step } from "../../store/progress.ts";
import { say } from "../words/language.ts";
import { mistake } from "./arguments.ts";
import { onSignals } from "./signals.ts";

const BAR_COLUMNS = 30;
/** How often a terminal is drawn to, and how often a log gets a line. */
const DRAW_MS = 100;
const LINE_MS = 5_000;
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

/** How far something is: a bar at a terminal, and elsewhere a line now and then, for whatever takes long. */
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

  clear(): void {
    if (this.#isDrawn) this.#screen.write("\r\u001b[K");
  }
}

/**
 * Work that takes a while, with how far it is on standard error. Whoever interrupts it ends it at the next step, so
 * that it can leave nothing behind; and whoever does so again, at once: a step may wait for a server or a disk that
 * does not answer.
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
