// `npm run bench:peers`: gateways of others beside this one, before one mock, on one machine.
import { cpus, loadavg, release, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { MODEL, SNAPSHOT } from "../answer.ts";
import { type Child, type Children, freePort } from "../children.ts";
import { runBench, say } from "../main.ts";
import { treeMemoryMb } from "../process-cost.ts";
import { proveBooks } from "./books.ts";
import { chartOf } from "./chart.ts";
import { chosenPeers } from "./list.ts";
import {
  BUSY_CONNECTIONS,
  type Contestant,
  measurePeers,
  type Pace,
  untilAnswering,
} from "./measure.ts";
import { chatServer, type Peer, siteOf } from "./peer.ts";
import { type Machine, type PeerReport, type Report, tableOf, whereAndWhen } from "./report.ts";
import { DIRECT, figuresOf, type PeerRound } from "./statistics.ts";
import { endTools, plainReason } from "./tools.ts";

const USAGE =
  "usage: npm run bench:peers -- [--only ID,ID] [--sets 3] [--seconds 2] [--json FILE] " +
  "[--chart FILE.svg]\n       npm run bench:peers -- --from FILE --chart FILE.svg";

const SETTLE_MS = 200;

interface Options {
  peers: Peer[];
  pace: Pace;
  jsonFile: string | undefined;
  chartFile: string | undefined;
  /** A run that is already there: nothing is measured. */
  fromFile: string | undefined;
}

interface Entrant extends Contestant {
  peer: Peer;
  version: string;
  runtime: string;
}

function countFrom(name: string, text: string, max: number): number {
  const value = Number(text);
  if (value > 0 && value <= max) return value;
  throw new Error(`${name} is a number above 0 and up to ${max}, not ${JSON.stringify(text)}`);
}

function readOptions(args: readonly string[]): Options {
  const text = { type: "string" } as const;
  const options = { only: text, sets: text, seconds: text, json: text, chart: text, from: text };
  const { values } = parseArgs({ args, options });
  if (values.from !== undefined && values.chart === undefined) {
    throw new Error("--from draws a run that was measured before, so it needs --chart");
  }
  return {
    peers: chosenPeers(values.only),
    pace: {
      sets: Math.ceil(countFrom("--sets", values.sets ?? "3", 50)),
      settleMs: SETTLE_MS,
      roundSeconds: countFrom("--seconds", values.seconds ?? "2", 60),
    },
    jsonFile: values.json,
    chartFile: values.chart,
    fromFile: values.from,
  };
}

type Skipped = Report["skipped"];

function namesOf({ id, title, variant }: Peer) {
  return variant === undefined ? { id, title } : { id, title, variant };
}

/** Installs and starts one after the other; who cannot take part is told of and left out. */
async function enter(
  peers: Peer[],
  children: Children,
  vendorPort: number,
  skipped: Skipped,
): Promise<Entrant[]> {
  const entrants: Entrant[] = [];
  for (const peer of peers) {
    const { id } = peer;
    try {
      say(`installing ${id}`);
      const site = siteOf(children, peer, vendorPort);
      const installed = await peer.install(site);
      const running = await peer.start(site);
      const entrant = { id, peer, running, answered: 0, ...installed };
      await untilAnswering(entrant);
      entrants.push(entrant);
      say(`${id} ${installed.version} answers`);
    } catch (fault) {
      const reason = plainReason(fault);
      skipped.push({ ...namesOf(peer), reason });
      say(`${id} is left out: ${reason}`);
    }
  }
  return entrants;
}

function machineOf(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    kernel: release(),
    bun: Bun.version,
  };
}

function loadNow(): number {
  return loadavg()[0] ?? 0;
}

function startMock(children: Children): Promise<Child> {
  const port = freePort();
  const env = { PORT: String(port) };
  return children.start("mock", ["bench/mock-upstream.ts"], port, env, "/healthz");
}

function peerReport(
  entrant: Entrant,
  rounds: PeerRound[],
  proved: PeerReport["proved"],
): PeerReport {
  const { id, peer, version, runtime, running } = entrant;
  return {
    ...namesOf(peer),
    version,
    runtime,
    books: peer.books,
    proved,
    memoryMb: running.roots.reduce((sum, root) => sum + treeMemoryMb(root), 0),
    whole: figuresOf(rounds, id, "whole"),
    stream: figuresOf(rounds, id, "stream"),
  };
}

async function measure(options: Options, children: Children): Promise<Report> {
  const startedAt = new Date().toISOString();
  const mock = await startMock(children);
  const skipped: Skipped = [];
  const entrants = await enter(options.peers, children, mock.port, skipped);
  try {
    if (entrants.length === 0) throw new Error("nobody could take part");
    const before = loadNow();
    if (before > 0.5) say(`the machine is busy (load ${before.toFixed(2)}): expect noise`);
    const asked = { ...chatServer(children, mock), model: MODEL, answersAs: SNAPSHOT };
    const direct: Contestant = { id: DIRECT, running: asked, answered: 0 };
    const rounds = await measurePeers(direct, entrants, options.pace, say);
    const after = loadNow();
    const proofs = await proveBooks(entrants, say);
    const stayed = entrants.filter(({ fault }) => fault === undefined);
    for (const { peer, fault } of entrants) {
      if (fault !== undefined) skipped.push({ ...namesOf(peer), reason: fault });
    }
    return {
      startedAt,
      endedAt: new Date().toISOString(),
      machine: machineOf(),
      load: { before, after },
      pace: { ...options.pace, busyConnections: BUSY_CONNECTIONS },
      peers: stayed.map((one) => peerReport(one, rounds, proofs.get(one.id) ?? null)),
      skipped,
      rounds,
    };
  } finally {
    await Promise.allSettled(entrants.map(({ running }) => running.stop()));
  }
}

async function run(options: Options, children: Children): Promise<void> {
  const { fromFile, jsonFile, chartFile } = options;
  const report: Report = fromFile
    ? await Bun.file(fromFile).json()
    : await measure(options, children);
  console.log(`${whereAndWhen(report)}\n\n${tableOf(report)}`);
  if (jsonFile) await Bun.write(jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  if (chartFile) await Bun.write(chartFile, chartOf(report));
}

process.exit(await runBench({ usage: USAGE, readOptions, run, atExit: endTools }));
