// Runs the whole suite again and again, on a quiet machine and beside processes that keep every core
// busy, and prints how each run went. What fails once in ten runs is not done.
//
//   npm run test:steady                               ten times quiet, three times beside four busy loops
//   npm run test:steady -- --quiet 2 --busy 1 --loops 8
import { parseArgs } from "node:util";
import { type MachineTime, machineTime } from "./runner/machine-time.ts";

const { values } = parseArgs({
  options: {
    quiet: { type: "string", default: "10" },
    busy: { type: "string", default: "3" },
    loops: { type: "string", default: "4" },
  },
});

interface Run {
  readonly kind: string;
  readonly seconds: number;
  readonly code: number;
  /** Of the cores, in words: whether it was the machine that was slow. */
  readonly cores: string;
  /** The last line of the run. */
  readonly tally: string;
}

/** Processes that do nothing but work; each ends by itself when this one is gone. */
function busyLoops(count: number): Bun.Subprocess[] {
  const loop = `const { ppid } = process; for (;;) {
    const until = Date.now() + 1000; while (Date.now() < until);
    if (process.ppid !== ppid) break;
  }`;
  return Array.from({ length: count }, () => Bun.spawn([process.execPath, "-e", loop]));
}

let running: Bun.Subprocess | undefined;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, async () => {
    // It would else go on beside whatever comes next, and make that slow.
    running?.kill("SIGTERM");
    await running?.exited;
    process.exit(130);
  });
}

function between(before: MachineTime | undefined, after: MachineTime | undefined): string {
  if (!before || !after) return "";
  const [used, taken] = [after.used - before.used, after.taken - before.taken];
  return `  ${used.toFixed(0)} s of cores, ${taken.toFixed(0)} s taken by the host`;
}

async function runOnce(kind: string): Promise<Run> {
  const startedAt = performance.now();
  const before = machineTime();
  // The stream by which this process hears of its launcher's end is not there for its children.
  const { FAREGATE_LAUNCHER_FD: _, ...env } = process.env;
  const command = [process.execPath, `${import.meta.dir}/run.ts`];
  const child = Bun.spawn(command, { stdout: "pipe", env });
  running = child;
  const printed = await new Response(child.stdout).text();
  const code = await child.exited;
  const seconds = (performance.now() - startedAt) / 1000;
  if (code !== 0) console.log(printed);
  const cores = between(before, machineTime());
  return { kind, seconds, code, cores, tally: printed.trim().split("\n").at(-1) ?? "" };
}

function printRun(number: number, { kind, seconds, code, cores, tally }: Run): void {
  const state = code === 0 ? "green" : "RED";
  console.log(
    `${String(number).padStart(2)}  ${kind}  ${state}  ${seconds.toFixed(0)} s  ${tally}${cores}`,
  );
}

const runs: Run[] = [];
async function repeat(kind: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const run = await runOnce(kind);
    runs.push(run);
    printRun(runs.length, run);
  }
}

await repeat("quiet", Number(values.quiet));
const loops = busyLoops(Number(values.busy) > 0 ? Number(values.loops) : 0);
try {
  await repeat(`beside ${loops.length} busy loops`, Number(values.busy));
} finally {
  for (const loop of loops) loop.kill("SIGKILL");
}
const green = runs.filter(({ code }) => code === 0).length;
console.log(`${green} of ${runs.length} runs were green`);
process.exit(green === runs.length ? 0 : 1);
