// Runs everything that must hold: format and lint, types, unit tests, cross-cutting suites.
//
//   npm test                     all of it, with small counts
//   npm run test:full            all of it, with the counts that take minutes
//   npm test -- src/ledger       only the tests whose path contains one of the words
//   npm test -- --watch ledger   the same, again after each save; without a word, what is near the save
//   npm test -- --record         all of it, and writes down how long each step took
import { createReadStream } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { pack } from "../bin/packed.mjs";
import { RUNTIME } from "../bin/runtime.mjs";
import { onSave } from "../dev/on-save.ts";
import { ENTRY_VARIABLE } from "./cli/commands.ts";
import { DISK_VARIABLE, openRunFolder } from "./runner/folder.ts";
import { inLanes } from "./runner/lanes.ts";
import { startLender } from "./runner/lender.ts";
import { LENDER_VARIABLE } from "./runner/lent.ts";
import { endSteps, runStep, type Step } from "./runner/step.ts";
import { CONSOLE, checks, record, suites, wordsNear } from "./runner/suites.ts";
import { describe, NOTHING, plus, type Tally } from "./runner/tally.ts";
import { HURRY_VARIABLE } from "./support/counts.ts";

/** The images that the one of deploy/Dockerfile is built from. */
const IMAGE_VARIABLES = ["FAREGATE_TEST_BUILD_BASE", "FAREGATE_TEST_BASE"];

const projectDir = fileURLToPath(new URL("..", import.meta.url));
const flags = new Set(process.argv.slice(2).filter((word) => word.startsWith("-")));
const words = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const full = flags.has("--full");
const isOfEverything = words.length === 0 && !flags.has("--watch");
// Limits of what hangs, not of what is slow: a busy machine needs many times what a quiet one does.
const testTimeoutMs = full ? 2_400_000 : 600_000;
const stepTimeoutMs = full ? 7_200_000 : 2_400_000;
const folder = openRunFolder();
const outputDir = folder.path;
const lender = startLender();

/** Servers in processes of their own are what people start: packed. It takes a second, and then none until a save. */
function packedProgram(): string {
  const entry = pack(process.execPath);
  if (!entry) throw new Error("The program could not be packed into dist/.");
  return entry;
}

/** The settings of whoever runs the tests must not change what is tested. */
function cleanEnvironment(): Record<string, string | undefined> {
  // The last ones are of tests that need a commit or an image of the machine.
  const ours =
    /^(FAREGATE_(?!TEST_(?:BEFORE|BASE|BUILD_BASE)$)|DATABASE_URL$|PG[A-Z]+$)|_(API_KEY|BASE_URL)$/;
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name));
  return {
    ...Object.fromEntries(kept),
    ...(full && { FAREGATE_TEST_FULL: "1" }),
    ...(isOfEverything && !full && { [HURRY_VARIABLE]: "1" }),
    ...(process.stdout.isTTY && { FORCE_COLOR: "1" }),
    [LENDER_VARIABLE]: lender.url,
    [ENTRY_VARIABLE]: packedProgram(),
    [DISK_VARIABLE]: process.env[DISK_VARIABLE],
    ...Object.fromEntries(IMAGE_VARIABLES.map((name) => [name, process.env[name]])),
    // Bun reads it before it starts, so a test cannot set it for itself.
    ...RUNTIME,
    // The compiler's last tier pays for itself in minutes, which few processes of a short run live, the one before it
    // in seconds, and the first one only for what is not done with after a few calls.
    ...(!full && {
      BUN_JSC_useFTLJIT: "0",
      BUN_JSC_thresholdForOptimizeAfterWarmUp: "5000",
      BUN_JSC_thresholdForJITAfterWarmUp: "1500",
    }),
    // Bun looks once a second in each thread whether there is garbage, also where nothing happens; where much is made,
    // it is collected without that.
    ...(!full && { BUN_GC_TIMER_DISABLE: "1" }),
    // To give memory back takes a thread of each process, and then to have it again.
    ...(!full && { MIMALLOC_PURGE_DELAY: "-1" }),
  };
}

/** Runs the steps and prints each as it ends. */
async function runAll(steps: readonly Step[]): Promise<Tally> {
  const startedAt = performance.now();
  const around = { projectDir, outputDir, env: cleanEnvironment(), timeoutMs: stepTimeoutMs };
  const seconds = new Map<string, number>();
  let total = NOTHING;
  const run = async (step: Step) => {
    const outcome = await runStep(step, around);
    total = plus(total, outcome.tally);
    seconds.set(step.title, outcome.seconds);
    const spent = `${outcome.seconds.toFixed(1)} s, ${outcome.cpuSeconds.toFixed(1)} s of a core`;
    console.log(`\n== ${step.title}: ${describe(outcome.tally)} in ${spent}`);
    if (outcome.output) console.log(outcome.output);
  };
  await inLanes(
    steps,
    // More than there are cores: a step waits for the PostgreSQL or the Chromium of the run, for its own servers
    // and for deadlines, and alone keeps less than half a core busy.
    availableParallelism() + 3,
    run,
  );
  if (flags.has("--record")) await record(seconds, full);
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  console.log(`\n${seconds.size} steps in ${minutes} min\n${describe(total)}`);
  return total;
}

function stepsFor(wanted: readonly string[]): Step[] {
  return suites({ projectDir, outputDir, words: wanted, full, testTimeoutMs });
}

async function watchAndRun(): Promise<void> {
  const wait = () => console.log("\nWaiting for a file to be saved; Ctrl-C ends.");
  onSave(
    ["src", "test", "web", "bench", "dev"],
    () => true,
    async (paths) => {
      console.log(`\nSaved: ${paths.join(", ")}`);
      const wanted = words.length > 0 ? words : paths.flatMap(wordsNear);
      if (wanted.length > 0) await runAll(stepsFor(wanted));
      wait();
    },
  );
  if (words.length > 0) await runAll(stepsFor(words));
  wait();
}

async function finish(exitCode: number): Promise<never> {
  endSteps();
  await lender.end();
  folder.remove();
  process.exit(exitCode);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => finish(130));
// Where a launcher stands between npm and this process, its death is seen as the end of this stream.
const launcher = Number(process.env.FAREGATE_LAUNCHER_FD ?? 0);
if (launcher)
  createReadStream("", { fd: launcher })
    .on("close", () => finish(130))
    .resume();

if (flags.has("--watch")) await watchAndRun();
else {
  const whole = words.length === 0 ? [CONSOLE, ...checks(full)] : [];
  for (const word of words.filter((each) => stepsFor([each]).length === 0)) {
    console.error(`No path of a test contains "${word}".`);
  }
  const { failed, passed } = await runAll([...whole, ...stepsFor(words)]);
  await finish(failed > 0 || passed === 0 ? 1 : 0);
}
