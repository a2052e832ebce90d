// What a filter costs of each event that passes: `npm run bench:streams`, on one machine, in one table.
//
// The filters of the working tree and those of a git ref take turns in one process, on the same bytes,
// so that their ratio says something on a machine that has other work as well.
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { ClientRequest, Endpoint, StreamFilter } from "../src/protocols/wire.ts";
import { given } from "../test/support/clients/given.ts";
import { percentile } from "./rounds.ts";
import { DELTAS, STREAMS } from "./streams/vendor-streams.ts";

const USAGE = "usage: npm run bench:streams -- [--ref REF] [--rounds N] [--only WIRE]";
const EVENTS_PER_READ = [1, 4, 16];
const STREAMS_PER_ROUND = 60;
/** The engine compiles what it runs while it runs; that is no part of what an event costs. */
const WARM_UP_ROUNDS = 30;

interface Options {
  readonly ref: string;
  readonly rounds: number;
  readonly only: string | undefined;
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ref: { type: "string", default: "HEAD" },
      rounds: { type: "string", default: "25" },
      only: { type: "string" },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds is a count from 1 on");
  if (values.only !== undefined && !(values.only in STREAMS)) {
    throw new Error(`--only is one of ${Object.keys(STREAMS).join(", ")}`);
  }
  return { ref: values.ref, rounds, only: values.only };
}

/** The sources as they stand at `ref`, in a folder of their own. */
async function sourcesAt(ref: string, folder: string): Promise<string> {
  const archive = Bun.spawn(["git", "archive", ref, "src", "package.json", "tsconfig.json"], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const unpack = Bun.spawn(["tar", "-x", "-C", folder], { stdin: archive.stdout });
  if ((await archive.exited) !== 0 || (await unpack.exited) !== 0) {
    throw new Error(`the sources of ${ref} cannot be read`);
  }
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  return folder;
}

type Opener = () => StreamFilter;

/** Opens the filters of the sources in a folder. */
async function openersOf(folder: string): Promise<(endpoint: Endpoint) => Opener> {
  const source = (path: string) => import(join(folder, "src", path));
  const { openWires } = (await source(
    "protocols/wires.ts",
  )) as typeof import("../src/protocols/wires.ts");
  const { readConfig } = (await source(
    "config/config.ts",
  )) as typeof import("../src/config/config.ts");
  const wires = openWires(readConfig({}).limits);
  return (endpoint) => {
    const body = STREAMS[endpoint].request;
    const path = { model: "ours-1.0", stream: true };
    const request: ClientRequest = wires[endpoint].readRequest(body, JSON.stringify(body), path);
    return () => wires[endpoint].openStream(request, { model: "ours-1.0", echo: {} });
  };
}

/** The beginning of a stream, and its deltas as they come with so many to a read. */
function readsOf(endpoint: Endpoint, eventsPerRead: number): Uint8Array[] {
  const { beginning, delta } = STREAMS[endpoint];
  const reads = [Buffer.from(beginning)];
  for (let i = 0; i < DELTAS; i += eventsPerRead) {
    const events = Array.from({ length: eventsPerRead }, (_, k) => delta(i + k));
    reads.push(Buffer.from(events.join("")));
  }
  return reads;
}

/** Processor time of an event, all threads: what collects the garbage counts as well. */
function nanosecondsPerEvent(open: Opener, reads: readonly Uint8Array[]): number {
  const before = process.cpuUsage();
  for (let i = 0; i < STREAMS_PER_ROUND; i++) {
    const filter = open();
    for (const read of reads) filter.push(read);
  }
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1_000) / (STREAMS_PER_ROUND * DELTAS);
}

/** Both must say the same before it means anything how long they take. */
function outputOf(open: Opener, reads: readonly Uint8Array[]): string {
  const filter = open();
  const out = reads.map((read) => given(filter.push(read)).toString());
  return `${out.join("")} ${filter.outputTokens.toFixed(3)}`;
}

interface Compared {
  readonly before: number;
  readonly now: number;
  readonly ratio: number;
}

function compare(before: Opener, now: Opener, reads: Uint8Array[], rounds: number): Compared {
  if (outputOf(before, reads) !== outputOf(now, reads)) throw new Error("the filters disagree");
  const befores: number[] = [];
  const nows: number[] = [];
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    const turns = round % 2 === 0 ? [before, now] : [now, before];
    for (const open of turns) {
      const took = nanosecondsPerEvent(open, reads);
      if (round >= 0) (open === before ? befores : nows).push(took);
    }
  }
  const median = (values: readonly number[]) => percentile(values, 0.5);
  const ratio = median(nows.map((took, i) => took / (befores[i] as number)));
  return { before: median(befores), now: median(nows), ratio };
}

const row = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;

async function run({ ref, rounds, only }: Options): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "faregate-streams-"));
  try {
    const before = await openersOf(await sourcesAt(ref, folder));
    const now = await openersOf(resolve("."));
    console.log(
      row(["wire", "events a read", `${ref} ns / event`, "now ns / event", "now / before"]),
    );
    console.log(row(["---", "---:", "---:", "---:", "---:"]));
    const endpoints = Object.keys(STREAMS) as Endpoint[];
    for (const endpoint of endpoints.filter((each) => only === undefined || each === only)) {
      for (const eventsPerRead of EVENTS_PER_READ) {
        const reads = readsOf(endpoint, eventsPerRead);
        const took = compare(before(endpoint), now(endpoint), reads, rounds);
        const cells = [took.before.toFixed(0), took.now.toFixed(0), `${took.ratio.toFixed(2)} ×`];
        console.log(row([endpoint, eventsPerRead, ...cells]));
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  await run(readOptions(Bun.argv.slice(2)));
} catch (thrown) {
  console.error(`bench: ${thrown instanceof Error ? thrown.message : thrown}\n${USAGE}`);
  process.exit(1);
}
