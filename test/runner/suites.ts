// Which commands make up a run: the checks of the whole tree, and the suites in steps of their own.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { PART_VARIABLE } from "../support/counts.ts";
import type { Step } from "./step.ts";

const TEST_FILES = "{src,test,bench,web}/**/*.test.ts";
/** Suites that take minutes whatever the counts: only where there is time, or where they are named. */
const LONG_SUITES = /\.full\.test\.ts$/;

/** Seconds that each step took, as `npm test -- --record` wrote them down; with the full counts others are the long ones. */
const secondsFile = (full: boolean) =>
  join(import.meta.dir, full ? "seconds.full.json" : "seconds.json");
/** What nobody has timed begins early: it may be long. */
const UNTIMED_SECONDS = 60;

function timed(full: boolean): Readonly<Record<string, number>> {
  return JSON.parse(readFileSync(secondsFile(full), "utf8"));
}

export async function record(seconds: ReadonlyMap<string, number>, full: boolean): Promise<void> {
  const rows = [...seconds].map(([title, each]) => [title, Number(each.toFixed(1))] as const);
  const sorted = Object.fromEntries(rows.sort(([, one], [, two]) => two - one));
  await Bun.write(secondsFile(full), `${JSON.stringify(sorted, null, 2)}\n`);
}

/** Built once, before the servers of several suites would each do it; first, since they wait for it. */
export const CONSOLE: Step = {
  title: "console",
  command: [process.execPath, "web/build.ts", "--if-stale", "--weigh"],
  seconds: Number.POSITIVE_INFINITY,
};

export function checks(full: boolean): Step[] {
  const seconds = timed(full);
  const node = process.env.npm_node_execpath ?? "node";
  const tool = (path: string) => [node, join("node_modules", path)];
  // Several checkers would each read what they share: half as much again of a machine that is busy with the suites.
  const tsc = [...tool("typescript/bin/tsc"), "--noEmit", "--singleThreaded"];
  const biome = tool("@biomejs/biome/bin/biome");
  const commands = {
    "format and lint": full
      ? [...biome, "check", "--error-on-warnings", "."]
      : [process.execPath, "test/runner/lint.ts"],
    // Needs the types of the whole tree, which takes longer than all other rules together.
    ...(full && {
      "promises that nobody waits for": [
        ...[...biome, "lint", "--config-path=dev/promises.biome.json"],
        ...["--only=nursery/noFloatingPromises", "."],
      ],
    }),
    types: tsc,
    "types of web": [...tsc, "-p", "web"],
  };
  return Object.entries(commands).map(([title, command]) => ({
    title,
    command,
    seconds: seconds[title] ?? UNTIMED_SECONDS,
  }));
}

/**
 * Suites that share a process where the counts are small: to load the code that they all need, and to get it warm,
 * takes a second of a core. No group is so long that the others would end before it.
 */
const TOGETHER: Readonly<Record<string, RegExp>> = {
  "bench, web, and test of the tree":
    /^(?:bench|web)\/|^test\/(?:clients|engines|runner|support|tree)\//,
  "test/browser, pages over fixtures":
    /^test\/browser\/(?:amounts|answers|pages|shell|tables)\.test/,
  "test/browser, walks": /^test\/browser\/(?:drafts|three|walk|ways-in)\.test/,
  "test, of starts and stops": /^test\/(?:office|starting|stopping)\//,
  "test, of pages and records": /^test\/(?:console|pages|records)\//,
  "test, of wires": /^test\/(?:budgets|conformance|websocket|wires)\//,
  "test, of requests": /^test\/(?:contract|requests|storage|translation)\//,
  "src, the way of a request": /^src\/(?:gateway|protocols|upstream)\//,
  "src, rooms of few seconds":
    /^src\/(?:admission|catalogue|cli|compose|config|console|conversations|http|installation|ledger|lib|notices|payments|sandbox|telemetry|wechat)\//,
};

/** Folders whose suites are long with the full counts: there each has a process to itself. */
const LONG = /^test\/(?:bounds|browser|crashes|races)\//;

/** Suites of one folder of test/, and tests of one room beside their code, share a process. */
function stepOf(path: string, full: boolean): string {
  if (full && LONG.test(path)) return path;
  const together = Object.entries(TOGETHER).find(([, paths]) => paths.test(path));
  return together?.[0] ?? /^(?:src|test)\/[^/]+(?=\/)/.exec(path)?.[0] ?? path;
}

/** Suites that would be a lane by themselves with the full counts, and in how many parts they run beside each other. */
const PARTS: Readonly<Record<string, number>> = { "test/browser/pages.test.ts": 4 };

interface Wanted {
  readonly projectDir: string;
  /** Where the counts go. */
  readonly outputDir: string;
  /** Only files whose path contains one of these; all of them where there is none. */
  readonly words: readonly string[];
  readonly full: boolean;
  readonly testTimeoutMs: number;
}

function isWanted(path: string, { words, full }: Wanted): boolean {
  if (words.length > 0) return words.some((word) => path.includes(word));
  return full || !LONG_SUITES.test(path);
}

export function suites(wanted: Wanted): Step[] {
  const { projectDir, outputDir, testTimeoutMs, full } = wanted;
  const files = [...new Glob(TEST_FILES).scanSync(projectDir)]
    .filter((path) => isWanted(path, wanted))
    .sort();
  const seconds = timed(full);
  const steps = [...Map.groupBy(files, (path) => stepOf(path, full))].flatMap(([step, paths]) => {
    // A suite that runs without its neighbours is called by its own name.
    const title = paths.length === 1 ? (paths[0] ?? step) : step;
    const parts = full ? (PARTS[title] ?? 1) : 1;
    return Array.from({ length: parts }, (_, part) => ({
      title: parts === 1 ? title : `${title}, part ${part + 1} of ${parts}`,
      paths,
      env: parts === 1 ? {} : { [PART_VARIABLE]: `${part + 1}/${parts}` },
    }));
  });
  return steps.map(({ title, paths, env }, index) => {
    const report = join(outputDir, `${index}.xml`);
    const flags = [
      ...[`--timeout=${testTimeoutMs}`, "--only-failures", "--reporter=junit"],
      "--preload=./test/runner/kept-threads.ts",
    ];
    const command = [process.execPath, "test", ...flags, `--reporter-outfile=${report}`];
    return {
      title,
      command: [...command, ...paths.map((path) => `./${path}`)],
      env,
      report,
      seconds: seconds[title] ?? UNTIMED_SECONDS,
      behind: CONSOLE,
    };
  });
}

/** The words by which the suites near a file are found: its own, or those of its room. */
export function wordsNear(path: string): readonly string[] {
  if (path.endsWith(".test.ts")) return [path];
  const room = /^(?:src\/[^/]+|web|bench)\//.exec(path)?.[0];
  return room ? [room] : [];
}
