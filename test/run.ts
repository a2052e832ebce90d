// Runs everything that must hold: format and lint, types, unit tests, cross-cutting suites.
//
//   npm test                 all of it, with small counts
//   npm run test:full        all of it, with the counts that take minutes
//   npm test -- src/ledger   only the tests whose path contains one of the words
import { closeSync, createReadStream, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Glob } from "bun";
import { postgresEnded } from "./postgres.ts";

interface Step {
  title: string;
  command: string[];
  /** Where `bun test` writes its counts; a step without it counts as one test. */
  report?: string;
}

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

const MAX_HTTP_REQUESTS = "65336";
const SUITES_AT_ONCE = 2;

const projectDir = fileURLToPath(new URL("..", import.meta.url));
const full = process.argv.includes("--full");
const words = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const testTimeoutMs = full ? 1_200_000 : 120_000;
const stepTimeoutMs = full ? 3_600_000 : 900_000;
const outputDir = mkdtempSync(join(tmpdir(), "faregate-test-"));
const running = new Set<number>();
const total: Tally = { passed: 0, failed: 0, skipped: 0 };

/** The settings of whoever runs the tests must not change what is tested. */
function cleanEnvironment(): Record<string, string | undefined> {
  const ours = /^(FAREGATE_|DATABASE_URL$|PG[A-Z]+$)|_(API_KEY|BASE_URL)$/;
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name));
  return {
    ...Object.fromEntries(kept),
    ...(full && { FAREGATE_TEST_FULL: "1" }),
    ...(process.stdout.isTTY && { FORCE_COLOR: "1" }),
    // Bun reads it before it starts, so a test cannot set it for itself.
    BUN_CONFIG_MAX_HTTP_REQUESTS: MAX_HTTP_REQUESTS,
  };
}

function checks(): Step[] {
  const node = process.env.npm_node_execpath ?? "node";
  const tool = (path: string) => [node, join("node_modules", path)];
  const biome = [...tool("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."];
  return [
    { title: "format and lint", command: biome },
    { title: "types", command: [...tool("typescript/bin/tsc"), "--noEmit"] },
    { title: "types of web", command: [...tool("typescript/bin/tsc"), "--noEmit", "-p", "web"] },
    // Once, before the servers of several suites would each do it.
    { title: "console", command: [process.execPath, "web/build.ts"] },
  ];
}

/** Tests beside their code share one process; each suite of test/ has one to itself. */
function suites(): Step[] {
  const files = [...new Glob("{src,test,bench,web}/**/*.test.ts").scanSync(projectDir)]
    .filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
    .sort();
  const groups = Map.groupBy(files, (path) => /^(?:src|bench|web)(?=\/)/.exec(path)?.[0] ?? path);
  return [...groups].map(([title, paths], index) => {
    const report = join(outputDir, `${index}.xml`);
    const flags = [`--timeout=${testTimeoutMs}`, "--only-failures", "--reporter=junit"];
    const command = [process.execPath, "test", ...flags, `--reporter-outfile=${report}`];
    return { title, command: [...command, ...paths.map((path) => `./${path}`)], report };
  });
}

async function run(step: Step): Promise<void> {
  const logPath = join(outputDir, `${step.title.replaceAll("/", "_")}.log`);
  const log = openSync(logPath, "a");
  const startedAt = performance.now();
  const child = Bun.spawn(step.command, {
    cwd: projectDir,
    env: cleanEnvironment(),
    stdio: ["ignore", log, log],
    timeout: stepTimeoutMs,
    killSignal: "SIGKILL",
    // A process group of its own: one signal then reaches whatever a suite has started.
    detached: true,
  });
  running.add(child.pid);
  await child.exited;
  const ended = await postgresEnded(child.pid);
  killGroup(child.pid);
  running.delete(child.pid);
  closeSync(log);

  const tally = count(step, child.exitCode === 0 && ended);
  for (const kind of ["passed", "failed", "skipped"] as const) total[kind] += tally[kind];
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`\n== ${step.title}: ${describe(tally)} in ${seconds} s`);
  if (child.signalCode) console.log(`The process was ended by ${child.signalCode}.`);
  const output = readFileSync(logPath, "utf8").trim();
  if (output) console.log(output);
}

/** A process that failed although no test did, or that died before its report, is one failure. */
function count(step: Step, succeeded: boolean): Tally {
  const one = { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, skipped: 0 };
  if (!step.report) return one;
  const report = Bun.file(step.report).size > 0 ? readFileSync(step.report, "utf8") : "";
  const head = /<testsuites [^>]*>/.exec(report)?.[0] ?? "";
  const number = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  const skipped = number("skipped");
  const failures = number("failures");
  const passed = number("tests") - failures - skipped;
  return { passed, skipped, failed: succeeded ? failures : Math.max(failures, 1) };
}

function describe({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group is gone already, as it should be.
  }
}

function finish(exitCode: number): never {
  for (const pid of running) killGroup(pid);
  rmSync(outputDir, { recursive: true, force: true });
  process.exit(exitCode);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => finish(130));
// Where a launcher stands between npm and this process, its death is seen as the end of this stream.
const launcher = Number(process.env.FAREGATE_LAUNCHER_FD ?? 0);
if (launcher)
  createReadStream("", { fd: launcher })
    .on("close", () => finish(130))
    .resume();

if (words.length === 0) for (const step of checks()) await run(step);
const queue = suites();
const lanes = Array.from({ length: SUITES_AT_ONCE }, async () => {
  for (let step = queue.shift(); step; step = queue.shift()) await run(step);
});
await Promise.all(lanes);
console.log(`\n${describe(total)}`);
finish(total.failed > 0 || total.passed === 0 ? 1 : 0);
