// `npm run bench`: bare relay and gateway in one run, on one machine, in one table; on PostgreSQL too if asked.
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { ANSWER_TOKENS, SLOW_STREAM_GAP_MS, SLOW_STREAM_TOKENS } from "./answer.ts";
import { type Child, type Children, freePort } from "./children.ts";
import { type Answered, checkLedger, createTenant, startGateway, type Tenant } from "./gateway.ts";
import { countSyscalls, type KernelCalls, syscallsText } from "./kernel/syscalls.ts";
import { runBench, say } from "./main.ts";
import { openPostgresHouse } from "./postgres/house.ts";
import { memoryMb } from "./process-cost.ts";
import {
  cpuVerdict,
  type Measured,
  mainTable,
  postgresVerdict,
  slowStreamsText,
  translationVerdict,
} from "./report.ts";
import { type AnswerKind, type Round, runRound, type Server, type ServerName } from "./rounds.ts";
import { runSlowStreams, type SlowStreams, whyTooMany } from "./slow-streams.ts";

const BUSY_CONNECTIONS = 64;

interface Counts {
  sets: number;
  /** Until the compiler has little left to do: it works for the first tens of thousands of requests of a process. */
  warmUp: Record<AnswerKind, number>;
  alone: Record<AnswerKind, number>;
  busy: Record<AnswerKind, number>;
  /** Whole answers of each server while its calls of the kernel are counted. */
  syscalls: number;
  slowStreams: number;
}

const FULL: Counts = {
  sets: 7,
  warmUp: { whole: 20_000, stream: 5_000 },
  alone: { whole: 1_000, stream: 500 },
  busy: { whole: 10_000, stream: 3_000 },
  syscalls: 1_000,
  slowStreams: 5_000,
};

const QUICK: Counts = {
  sets: 3,
  warmUp: { whole: 500, stream: 500 },
  alone: { whole: 100, stream: 50 },
  busy: { whole: 1_500, stream: 400 },
  syscalls: 300,
  slowStreams: 200,
};

interface Options {
  counts: Counts;
  postgres: boolean;
  jsonFile: string | undefined;
}

const USAGE = "usage: npm run bench -- [--quick] [--postgres] [--streams N] [--json FILE]";

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean" },
      postgres: { type: "boolean", default: false },
      streams: { type: "string" },
      json: { type: "string" },
    },
  });
  const counts = values.quick ? QUICK : FULL;
  const slowStreams = Number(values.streams ?? counts.slowStreams);
  if (!Number.isInteger(slowStreams) || slowStreams < 0 || slowStreams > 20_000) {
    throw new Error("--streams is a count from 0 (skips them) to 20000");
  }
  const { postgres, json: jsonFile } = values;
  return { counts: { ...counts, slowStreams }, postgres, jsonFile };
}

function startMock(children: Children, name: string, env: Record<string, string>): Promise<Child> {
  const port = freePort();
  const script = ["bench/mock-upstream.ts"];
  return children.start(name, script, port, { ...env, PORT: String(port) }, "/healthz");
}

function startRelay(children: Children, upstreamPort: number): Promise<Child> {
  const port = freePort();
  const env = { PORT: String(port), UPSTREAM_URL: `http://127.0.0.1:${upstreamPort}/v1` };
  return children.start("relay", ["bench/bare-relay.ts"], port, env, "/healthz");
}

/** Another order in every set, so that no server always follows the same neighbour. */
function turned<Item>(items: readonly Item[], by: number): Item[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

async function measureRounds(
  servers: Server[],
  translated: Server,
  counts: Counts,
): Promise<Round[]> {
  const behind = servers.filter((server) => server.name !== "direct");
  say("warming up translated");
  await runRound(translated, "stream", BUSY_CONNECTIONS, counts.warmUp.stream);
  for (const kind of ["whole", "stream"] as const) {
    for (const server of servers) {
      say(`warming up ${server.name}, ${kind}`);
      await runRound(server, kind, BUSY_CONNECTIONS, counts.warmUp[kind]);
    }
  }
  const rounds: Round[] = [];
  const measure = async (server: Server, kind: AnswerKind, connections: number, count: number) => {
    const round = await runRound(server, kind, connections, count);
    rounds.push(round);
    say(
      `${kind} × ${connections} ${server.name}: p50 ${round.p50Ms.toFixed(3)} ms, ` +
        `${round.perSecond.toFixed(0)}/s, ${round.cpuUs.toFixed(0)} µs CPU` +
        (server.databaseRoots ? ` + ${round.databaseUs.toFixed(0)} µs database` : ""),
    );
  };
  for (let set = 0; set < counts.sets; set += 1) {
    say(`set ${set + 1} of ${counts.sets}`);
    for (const kind of ["whole", "stream"] as const) {
      for (const server of turned(servers, set)) await measure(server, kind, 1, counts.alone[kind]);
      for (const server of turned(behind, set)) {
        await measure(server, kind, BUSY_CONNECTIONS, counts.busy[kind]);
      }
    }
    await measure(translated, "stream", BUSY_CONNECTIONS, counts.busy.stream);
  }
  return rounds;
}

/** Apart from the rounds that are timed: a process that is watched so closely is several times slower. */
async function measureSyscalls(servers: readonly Server[], requests: number) {
  const counted: KernelCalls[] = [];
  let answered = 0;
  for (const server of servers) {
    say(`counting the calls of the kernel by the ${server.name}`);
    const calls = await countSyscalls(server.pid, async () => {
      await runRound(server, "whole", BUSY_CONNECTIONS, requests);
      if (server.name === "gateway") answered += requests;
    });
    counted.push({ server: server.name, requests, calls });
  }
  return { counted, answered };
}

/** How much was answered under these names in all rounds, those of the warm-up included. */
function answers(rounds: readonly Round[], names: readonly ServerName[], warmedUp: number): number {
  const measured = rounds.filter(({ server }) => names.includes(server));
  return measured.reduce((sum, round) => sum + round.requests, warmedUp);
}

/** The second start is on the same ledger, so the final proof covers both halves of the run. */
async function measureSlowStreams(
  children: Children,
  tenant: Tenant,
  answered: Answered,
  streams: number,
): Promise<SlowStreams[]> {
  const { key } = tenant;
  const pace = { GAP_MS: String(SLOW_STREAM_GAP_MS), TOKENS: String(SLOW_STREAM_TOKENS) };
  const mock = await startMock(children, "slow-mock", pace);
  const relay = await startRelay(children, mock.port);
  say(`${streams} slow streams through the relay`);
  const relayed = await runSlowStreams({ name: "relay", ...whereabouts(relay), key }, streams);
  await children.stop(relay);
  const gateway = await startGateway(children, mock.port);
  say(`${streams} slow streams through the gateway`);
  const gated = await runSlowStreams({ name: "gateway", ...whereabouts(gateway), key }, streams);
  answered.set(SLOW_STREAM_TOKENS, streams);
  await checkLedger(children, gateway.port, tenant, answered);
  return [relayed, gated];
}

function whereabouts({ pid, port }: Child): { pid: number; port: number } {
  return { pid, port };
}

async function run(options: Options, children: Children): Promise<void> {
  const { counts } = options;
  const loadBefore = loadavg()[0] ?? 0;
  if (loadBefore > 0.5) say(`the machine is busy (load ${loadBefore.toFixed(2)}): expect noise`);
  const mock = await startMock(children, "mock", {});
  const relay = await startRelay(children, mock.port);
  const gateway = await startGateway(children, mock.port);
  const tenant = await createTenant(children);
  const beside = options.postgres ? await openPostgresHouse(children, mock.port) : undefined;
  const { key } = tenant;
  const servers: Server[] = [
    { name: "direct", ...whereabouts(mock), key },
    { name: "relay", ...whereabouts(relay), key },
    { name: "gateway", ...whereabouts(gateway), key },
    ...(beside ? [beside.server] : []),
  ];
  const translated: Server = { name: "translated", ...whereabouts(gateway), key };
  const rounds = await measureRounds(servers, translated, counts);
  const memory = servers.slice(1).map(({ name, pid }) => [name, memoryMb(pid).now]);
  const measured: Measured = { rounds, memoryMb: Object.fromEntries(memory) };
  const syscalls = await measureSyscalls(servers.slice(1, 3), counts.syscalls);
  const { whole, stream } = counts.warmUp;
  const total = answers(rounds, ["gateway", "translated"], whole + 2 * stream);
  const answered: Answered = new Map([[ANSWER_TOKENS, total + syscalls.answered]]);
  const ledger = await checkLedger(children, gateway.port, tenant, answered);
  await beside?.prove(answers(rounds, ["postgresql"], whole + stream));
  await beside?.stop();
  await children.stop(gateway);
  await children.stop(relay);

  const tooMany = whyTooMany(counts.slowStreams);
  if (tooMany) say(`slow streams skipped: ${tooMany}`);
  const slow =
    counts.slowStreams > 0 && !tooMany
      ? await measureSlowStreams(children, tenant, answered, counts.slowStreams)
      : [];
  const raw = {
    ...machineFacts(loadBefore),
    counts,
    ledger,
    ...measured,
    syscalls: syscalls.counted,
    slow,
  };
  printReport(raw, tooMany);
  if (options.jsonFile) await Bun.write(options.jsonFile, `${JSON.stringify(raw, null, 2)}\n`);
}

function machineFacts(loadBefore: number) {
  const [first] = cpus();
  return {
    machine: `${cpus().length} × ${first?.model ?? "unknown"}, Bun ${Bun.version}`,
    loadBefore,
    endedAt: new Date().toISOString(),
  };
}

interface Report extends ReturnType<typeof machineFacts>, Measured {
  ledger: { receipts: number; chargedUsd: string };
  syscalls: readonly KernelCalls[];
  slow: SlowStreams[];
}

/** Only called once the ledger was proved; the numbers of a wrong run are never shown. */
function printReport(report: Report, skipped: string | null): void {
  const { machine, loadBefore, endedAt, ledger, slow } = report;
  console.log(`${machine}, load before ${loadBefore.toFixed(2)}, ${endedAt}\n`);
  console.log(`${mainTable(report)}\n\n${cpuVerdict(report)}\n${translationVerdict(report)}`);
  if (report.memoryMb.postgresql !== undefined) console.log(postgresVerdict(report));
  for (const one of report.syscalls) console.log(syscallsText(one));
  for (const one of slow) console.log(slowStreamsText(one));
  if (slow.length === 0) console.log(`slow streams skipped: ${skipped ?? "none asked for"}`);
  console.log(
    `ledger: ${ledger.receipts} answers = receipts, ${ledger.chargedUsd} USD = price × tokens; ` +
      `${slow.length > 0 ? "slow streams likewise; " : ""}verify ok`,
  );
}

process.exit(await runBench({ usage: USAGE, readOptions, run }));
