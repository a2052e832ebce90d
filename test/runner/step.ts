// One command of the run: what it is called and how it is counted.
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { END_LIMIT_MS, postgresEnded } from "../engines/postgres.ts";
import { type Tally, tallyOf } from "./tally.ts";

export interface Step {
  readonly title: string;
  readonly command: readonly string[];
  /** Beside what all steps are told. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where `bun test` writes its counts; a step without it counts as one test. */
  readonly report?: string;
  /** How long it took when that was last written down; longer ones begin first. */
  readonly seconds: number;
  /** What must have ended before it begins. */
  readonly behind?: Step;
}

interface StepOutcome {
  readonly tally: Tally;
  readonly seconds: number;
  /** Of the processor: by it and by the processes that it started and waited for. */
  readonly cpuSeconds: number;
  /** What there is to read: what the command printed, and what became of its process. */
  readonly output: string;
}

interface Surroundings {
  readonly projectDir: string;
  readonly outputDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
}

const running = new Set<number>();
let over = false;

export async function runStep(step: Step, around: Surroundings): Promise<StepOutcome> {
  // The run is being ended, and what it waits for must not be something new.
  if (over) await new Promise<never>(() => {});
  const logPath = join(around.outputDir, `${step.title.replaceAll("/", "_")}.log`);
  const log = openSync(logPath, "w");
  const startedAt = performance.now();
  const child = Bun.spawn([...step.command], {
    cwd: around.projectDir,
    env: { ...around.env, ...step.env },
    stdio: ["ignore", log, log],
    timeout: around.timeoutMs,
    killSignal: "SIGKILL",
    // A process group of its own: one signal then reaches whatever a suite has started.
    detached: true,
  });
  running.add(child.pid);
  await child.exited;
  const ended = await postgresEnded(child.pid);
  endGroup(child.pid);
  running.delete(child.pid);
  closeSync(log);

  const words = [readFileSync(logPath, "utf8").trim()];
  if (child.signalCode) words.push(`The process was ended by ${child.signalCode}.`);
  if (!ended) {
    words.push(`A PostgreSQL of this suite is still there ${END_LIMIT_MS / 1000} s after it.`);
  }
  return {
    tally: tallyOf(step.report, child.exitCode === 0 && ended),
    seconds: (performance.now() - startedAt) / 1000,
    cpuSeconds: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000_000,
    output: words.filter((each) => each !== "").join("\n"),
  };
}

/** Ends every step that runs, with whatever it has started; no other begins. */
export function endSteps(): void {
  over = true;
  for (const pid of running) endGroup(pid);
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group is gone already, as it should be.
  }
}
