// Rounds of load on each server in turn, and the numbers that one run reports from them.
import { ANSWER_TOKENS, MODEL, messagesBody, requestBody, SNAPSHOT } from "./answer.ts";
import { checkCompletion, checkMessageStream, checkStream } from "./check-answer.ts";
import { type LoadResult, postRequest, runLoad } from "./load.ts";
import { cpuMs, treeCpuMs } from "./process-cost.ts";

/** The last two are the gateway too: on PostgreSQL, and asked in another wire than the vendor speaks. */
export type ServerName = "direct" | "relay" | "gateway" | "postgresql" | "translated";
export type AnswerKind = "whole" | "stream";

export interface Server {
  name: ServerName;
  pid: number;
  port: number;
  key: string;
  /** The database server that works for it, where there is one. */
  databaseRoots?: readonly number[];
}

export interface Round {
  server: ServerName;
  kind: AnswerKind;
  connections: number;
  requests: number;
  perSecond: number;
  cpuUs: number;
  /** Of the database's own processes, which `cpuUs` is without. */
  databaseUs: number;
  p50Ms: number;
  p99Ms: number;
  firstByteP50Ms: number;
  readsPerAnswer: number;
}

const DEADLINE_MS = 120_000;
/** After the last answer a server may still tidy up; that work belongs to the round as well. */
const SETTLE_MS = 100;

/** The gateway answers under the name that was asked for; the others show the vendor's. */
export function modelFrom(server: ServerName): string {
  return server === "direct" || server === "relay" ? SNAPSHOT : MODEL;
}

/** What is sent, and what must come back. */
function question({ name, port, key }: Server, kind: AnswerKind) {
  if (name === "translated") {
    const request = postRequest(port, "/v1/messages", key, messagesBody());
    return { request, check: checkMessageStream };
  }
  const body = requestBody(kind === "stream");
  const request = postRequest(port, "/v1/chat/completions", key, body);
  return { request, check: kind === "stream" ? checkStream : checkCompletion };
}

/** Sends one round to one server. Every answer is checked in full; a wrong one throws. */
export async function runRound(
  server: Server,
  kind: AnswerKind,
  connections: number,
  requests: number,
): Promise<Round> {
  const expected = { model: modelFrom(server.name), tokens: ANSWER_TOKENS };
  const { request, check } = question(server, kind);
  const before = costOf(server);
  const result = await runLoad({
    name: server.name,
    port: server.port,
    request,
    connections,
    requests,
    deadlineMs: DEADLINE_MS,
    check: (response) => check(response, expected),
  });
  await Bun.sleep(SETTLE_MS);
  const after = costOf(server);
  return {
    server: server.name,
    kind,
    connections,
    requests,
    cpuUs: ((after.ownMs - before.ownMs) / requests) * 1_000,
    databaseUs: ((after.databaseMs - before.databaseMs) / requests) * 1_000,
    ...figures(result, requests),
  };
}

function costOf({ pid, databaseRoots = [] }: Server): { ownMs: number; databaseMs: number } {
  const databaseMs = databaseRoots.reduce((sum, root) => sum + treeCpuMs(root), 0);
  return { ownMs: cpuMs(pid), databaseMs };
}

function figures(result: LoadResult, requests: number) {
  return {
    perSecond: (requests / result.elapsedMs) * 1_000,
    p50Ms: percentile(result.latenciesMs, 0.5),
    p99Ms: percentile(result.latenciesMs, 0.99),
    firstByteP50Ms: percentile(result.firstByteMs, 0.5),
    readsPerAnswer: result.reads / requests,
  };
}

/** The smallest value that at least `share` of the values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export interface Summary {
  cpuUs: number;
  /** Against the bare relay's. */
  cpuRatio: number;
  databaseUs: number;
  perSecond: number;
  addedP50Ms: number;
  addedP99Ms: number;
  addedFirstByteMs: number;
}

/**
 * Takes the median round of each measure, so that one disturbed round does not count. What is added
 * at one connection is taken within each interleaved set of rounds, against its own direct round, and so is the ratio
 * to the relay: the speed of a shared machine may change for good in the middle of a run.
 */
export function summarise(rounds: readonly Round[], server: ServerName, kind: AnswerKind): Summary {
  const pick = (name: ServerName, one: boolean) =>
    rounds.filter((r) => r.server === name && r.kind === kind && (r.connections === 1) === one);
  const busy = pick(server, false);
  const alone = pick(server, true);
  const direct = pick("direct", true);
  const relay = pick("relay", false);
  const median = (values: number[]) => percentile(values, 0.5);
  const added = (measure: (round: Round) => number) =>
    median(alone.map((round, set) => measure(round) - measure(direct[set] ?? round)));
  return {
    cpuUs: median(busy.map((round) => round.cpuUs)),
    cpuRatio: median(busy.map((round, set) => round.cpuUs / (relay[set]?.cpuUs ?? Number.NaN))),
    databaseUs: median(busy.map((round) => round.databaseUs)),
    perSecond: median(busy.map((round) => round.perSecond)),
    addedP50Ms: added((round) => round.p50Ms),
    addedP99Ms: added((round) => round.p99Ms),
    addedFirstByteMs: added((round) => round.firstByteP50Ms),
  };
}
