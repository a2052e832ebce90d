// From single rounds to the numbers that are published.
import { type AnswerKind, percentile, type Round } from "../rounds.ts";

/** The mock itself, asked without anyone between. */
export const DIRECT = "direct";

export interface PeerRound extends Omit<Round, "server" | "readsPerAnswer" | "databaseUs"> {
  peer: string;
  /** Rounds of one set follow each other and are compared with each other. */
  set: number;
}

/** A median with the lowest and the highest round beside it. */
export interface Figure {
  median: number;
  low: number;
  high: number;
}

export interface Figures {
  cpuUs: Figure;
  perSecond: Figure;
  addedP50Ms: Figure;
  addedFirstByteMs: Figure;
}

export function figureOf(values: readonly number[]): Figure {
  if (values.length === 0) throw new Error("there is no figure without a round");
  return {
    median: percentile(values, 0.5),
    low: Math.min(...values),
    high: Math.max(...values),
  };
}

/**
 * What one peer's rounds say of one kind of answer. What it adds at one connection is a difference within
 * a set, against the mock asked directly a moment before or after.
 */
export function figuresOf(rounds: readonly PeerRound[], peer: string, kind: AnswerKind): Figures {
  const ofKind = rounds.filter((round) => round.kind === kind);
  const own = ofKind.filter((round) => round.peer === peer);
  const busy = own.filter(({ connections }) => connections > 1);
  const alone = own.filter(({ connections }) => connections === 1);
  const direct = new Map(
    ofKind
      .filter((round) => round.peer === DIRECT && round.connections === 1)
      .map((round) => [round.set, round]),
  );
  const added = (measure: (round: PeerRound) => number) =>
    figureOf(
      alone.map((round) => {
        const beside = direct.get(round.set);
        if (!beside) throw new Error(`set ${round.set} has no direct round of ${kind} answers`);
        return measure(round) - measure(beside);
      }),
    );
  return {
    cpuUs: figureOf(busy.map((round) => round.cpuUs)),
    perSecond: figureOf(busy.map((round) => round.perSecond)),
    addedP50Ms: added((round) => round.p50Ms),
    addedFirstByteMs: added((round) => round.firstByteP50Ms),
  };
}

/** How many requests fill a round of so many seconds, for a server that answers at this rate. */
export function requestsFor(perSecond: number, seconds: number, connections: number): number {
  // Even the slowest answers twice on every connection, or the round would measure its start.
  return Math.max(2 * connections, 20, Math.round(perSecond * seconds));
}

/** Another order in every set, so that nobody always follows the same neighbour. */
export function turned<Item>(items: readonly Item[], by: number): Item[] {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}
