// Load on the peers in turn. Whoever answers wrongly leaves the run, and the others go on.
import { ANSWER_TOKENS, requestBody } from "../answer.ts";
import { checkCompletion, checkStream } from "../check-answer.ts";
import { postRequest, runLoad } from "../load.ts";
import { treeCpuMs } from "../process-cost.ts";
import { type AnswerKind, percentile } from "../rounds.ts";
import type { Running } from "./peer.ts";
import { type PeerRound, requestsFor, turned } from "./statistics.ts";
import { plainReason } from "./tools.ts";

export const BUSY_CONNECTIONS = 64;
const KINDS: readonly AnswerKind[] = ["whole", "stream"];
const DEADLINE_MS = 120_000;
/** The first load finds the rate, at which the rounds then get their lengths. */
const PROBE_REQUESTS = 256;
const READY_MS = 90_000;
const READY_POLL_MS = 200;

export interface Contestant {
  id: string;
  running: Running;
  /** All requests that it has answered, which its books must show. */
  answered: number;
  /** Why it left the run. */
  fault?: string;
}

export interface Pace {
  sets: number;
  /** The length of a round with many connections; one with a single one takes half of it. */
  roundSeconds: number;
  /** Work that a server puts off until after the answer belongs to the round, so it gets this time. */
  settleMs: number;
}

export type Say = (text: string) => void;

/** One round of load on one server; every answer is read in full. */
async function loadRound(
  contestant: Contestant,
  kind: AnswerKind,
  connections: number,
  requests: number,
  settleMs: number,
): Promise<Omit<PeerRound, "set">> {
  const { id, running } = contestant;
  const body = requestBody(kind === "stream", running.model);
  const check = kind === "stream" ? checkStream : checkCompletion;
  const expected = { model: running.answersAs, tokens: ANSWER_TOKENS };
  const cpu = () => running.roots.reduce((sum, root) => sum + treeCpuMs(root), 0);
  const before = cpu();
  const result = await runLoad({
    name: id,
    port: running.port,
    request: postRequest(running.port, running.path, running.key, body, running.headers),
    connections,
    requests,
    deadlineMs: DEADLINE_MS,
    check: (response) => check(response, expected),
  });
  contestant.answered += requests;
  await Bun.sleep(settleMs);
  return {
    peer: id,
    kind,
    connections,
    requests,
    perSecond: (requests / result.elapsedMs) * 1_000,
    cpuUs: ((cpu() - before) / requests) * 1_000,
    p50Ms: percentile(result.latenciesMs, 0.5),
    p99Ms: percentile(result.latenciesMs, 0.99),
    firstByteP50Ms: percentile(result.firstByteMs, 0.5),
  };
}

/** Asks until a question is answered; what the peer has no answer to does not count. */
export async function untilAnswering(contestant: Contestant): Promise<void> {
  const { port, path, key, headers, model } = contestant.running;
  const deadline = performance.now() + READY_MS;
  let last = "nobody listens";
  while (performance.now() < deadline) {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: "POST",
        headers: { ...headers, authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: requestBody(false, model),
      });
      const text = await answer.text();
      if (answer.ok) {
        contestant.answered += 1;
        return;
      }
      last = `status ${answer.status}: ${text.slice(0, 200)}`;
    } catch {
      // It does not listen yet.
    }
    await Bun.sleep(READY_POLL_MS);
  }
  throw new Error(`it did not become ready: ${last}`);
}

/** Runs one step of a contestant that is still in the run; a failure is written down and ends its part. */
async function attempt(contestant: Contestant, step: () => Promise<void>, say: Say): Promise<void> {
  if (contestant.fault !== undefined) return;
  try {
    await step();
  } catch (fault) {
    contestant.fault = plainReason(fault);
    say(`${contestant.id} leaves the run: ${contestant.fault}`);
  }
}

type Rates = Map<string, number>;
const rateName = (id: string, kind: AnswerKind, connections: number) =>
  `${id} ${kind} ${connections}`;

/** Warms everyone up and finds how many requests fill a round. */
async function findRates(contestants: Contestant[], pace: Pace, say: Say): Promise<Rates> {
  const rates: Rates = new Map();
  for (const kind of KINDS) {
    for (const contestant of contestants) {
      const warm = async () => {
        const load = (connections: number, requests: number) =>
          loadRound(contestant, kind, connections, requests, pace.settleMs);
        const probe = await load(BUSY_CONNECTIONS, PROBE_REQUESTS);
        const filling = requestsFor(probe.perSecond, pace.roundSeconds, BUSY_CONNECTIONS);
        const busy = await load(BUSY_CONNECTIONS, filling);
        const few = requestsFor(busy.perSecond / 8, pace.roundSeconds / 4, 1);
        const alone = await load(1, few);
        rates.set(rateName(contestant.id, kind, BUSY_CONNECTIONS), busy.perSecond);
        rates.set(rateName(contestant.id, kind, 1), alone.perSecond);
        say(`warmed up ${contestant.id}, ${kind}: ${busy.perSecond.toFixed(0)}/s`);
      };
      await attempt(contestant, warm, say);
    }
  }
  return rates;
}

/** Without the mock's own time nothing can be said of what anyone adds to it. */
function demandMock({ fault }: Contestant): void {
  if (fault !== undefined) throw new Error(`the mock itself failed: ${fault}`);
}

/** All rounds of all sets. Those of a contestant that left are not among them. */
export async function measurePeers(
  direct: Contestant,
  contestants: Contestant[],
  pace: Pace,
  say: Say,
): Promise<PeerRound[]> {
  const everyone = [direct, ...contestants];
  const rates = await findRates(everyone, pace, say);
  demandMock(direct);
  const rounds: PeerRound[] = [];
  const measure = (contestant: Contestant, kind: AnswerKind, connections: number, set: number) =>
    attempt(
      contestant,
      async () => {
        const rate = rates.get(rateName(contestant.id, kind, connections)) ?? 0;
        const seconds = connections === 1 ? pace.roundSeconds / 2 : pace.roundSeconds;
        const requests = requestsFor(rate, seconds, connections);
        const round = await loadRound(contestant, kind, connections, requests, pace.settleMs);
        rounds.push({ ...round, set });
        say(
          `${kind} × ${connections} ${contestant.id}: p50 ${round.p50Ms.toFixed(3)} ms, ` +
            `${round.perSecond.toFixed(0)}/s, ${round.cpuUs.toFixed(0)} µs CPU`,
        );
      },
      say,
    );
  for (let set = 0; set < pace.sets; set += 1) {
    say(`set ${set + 1} of ${pace.sets}`);
    for (const kind of KINDS) {
      for (const one of turned(everyone, set)) await measure(one, kind, 1, set);
      for (const one of turned(contestants, set)) await measure(one, kind, BUSY_CONNECTIONS, set);
    }
    demandMock(direct);
  }
  const left = new Set(everyone.filter(({ fault }) => fault !== undefined).map(({ id }) => id));
  return rounds.filter(({ peer }) => !left.has(peer));
}
