// The table behind src/catalogue/bounds/word-cuts.ts: of all cuts of a word that no known group of
// letters forbids, how many tokens the one with the most has, letter by letter.
import {
  EIGHTHS,
  EIGHTHS_BITS,
  GROUP_MAX,
  INPUT_BITS,
  MORE_SPACE,
  SECOND_SPACE,
  SPACE,
} from "../../src/catalogue/bounds/word-cuts.ts";

/** Where spaces stand in a row, sixteen at least are a token together; half of that is safe. */
const EIGHTHS_PER_SPACE = 1;

const NEVER = Number.NEGATIVE_INFINITY;

/** The most tokens so far, for each way in which a cut can go on. */
interface Cuts {
  /**
   * By the length of the last token that is whole and of the one that is not yet. A token of four
   * letters or more makes up no group with another; it stands at 0 as one before, at 4 as one open.
   */
  readonly open: readonly (readonly number[])[];
  /** By the length of the open token, where it may end here. */
  readonly closed: readonly number[];
}

function nothing(): number[][] {
  return Array.from({ length: GROUP_MAX }, () => new Array<number>(GROUP_MAX + 1).fill(NEVER));
}

/** Two tokens may not meet where together they are one of the groups, up to so long, that end here. */
function withEnds(open: number[][], known: number): Cuts {
  const closed = new Array<number>(GROUP_MAX + 1).fill(NEVER);
  for (const [before, row] of open.entries()) {
    for (const [length, most] of row.entries()) {
      if (before > 0 && before + length <= known) continue;
      if (most > (closed[length] as number)) closed[length] = most;
    }
  }
  return { open, closed };
}

function raise(row: number[] | undefined, length: number, most: number): void {
  if (row && most > (row[length] as number)) row[length] = most;
}

/** One letter more, which ends known groups of up to so many letters. */
function withLetter(cuts: Cuts, known: number): Cuts {
  const open = nothing();
  for (const [before, row] of cuts.open.entries()) {
    for (const [length, most] of row.entries()) {
      const longer = Math.min(length + 1, GROUP_MAX);
      raise(open[before + longer > GROUP_MAX ? 0 : before], longer, most);
    }
  }
  for (const [length, most] of cuts.closed.entries()) raise(open[length % GROUP_MAX], 1, most + 1);
  // What is bound by the token before it and has no more tokens is of no use.
  const free = open[0] as number[];
  for (const row of open.slice(1)) {
    for (const [length, most] of row.entries()) {
      if (most <= (free[length] as number)) row[length] = NEVER;
    }
  }
  return withEnds(open, known);
}

/** A cut whose last token has one length and so many tokens in all, or else is a long one. */
function single(length: number, tokens: number, tokensIfLong = NEVER): Cuts {
  const open = nothing();
  raise(open[0], GROUP_MAX, tokensIfLong);
  raise(open[0], length, tokens);
  return withEnds(open, 0);
}

const most = (counts: readonly number[]) => Math.max(...counts);

interface Step {
  readonly cuts: Cuts;
  readonly eighths: number;
}

function step(cuts: Cuts, input: number): Step {
  const closed = most(cuts.closed);
  if (input < GROUP_MAX) return withTokens(withLetter(cuts, input + 1));
  // No token goes on from anything else into a space.
  if (input === SPACE) return withTokens(single(1, closed + 1));
  // The last one stands alone or with a word, unless those before it have taken it in.
  if (input === SECOND_SPACE) return withTokens(single(1, closed + 1, closed));
  if (input === MORE_SPACE) return { cuts, eighths: EIGHTHS_PER_SPACE };
  return withTokens(single(GROUP_MAX, most(cuts.open.flat()) + 1));
}

/** The same with the count taken out, so that there are few of them. */
function withTokens(cuts: Cuts): Step {
  const tokens = most(cuts.closed);
  const less = (counts: readonly number[]) => counts.map((count) => count - tokens);
  const rest = { open: cuts.open.map(less), closed: less(cuts.closed) };
  return { cuts: rest, eighths: tokens * EIGHTHS };
}

interface States {
  readonly steps: readonly (readonly { readonly to: number; readonly eighths: number }[])[];
  /** What an open token adds to each. */
  readonly open: readonly number[];
}

function allStates(): States {
  const states = [single(GROUP_MAX, 0)];
  const numbers = new Map([[JSON.stringify(states[0]), 0]]);
  const steps: { to: number; eighths: number }[][] = [];
  for (const cuts of states) {
    const inputs = Array.from({ length: 1 << INPUT_BITS }, (_, input) => {
      const reached = step(cuts, input);
      const key = JSON.stringify(reached.cuts);
      const to = numbers.get(key) ?? states.push(reached.cuts) - 1;
      numbers.set(key, to);
      return { to, eighths: reached.eighths };
    });
    steps.push(inputs);
  }
  return { steps, open: states.map((cuts) => most(cuts.open.flat()) * EIGHTHS) };
}

function numbered(keys: readonly string[]): number[] {
  const numbers = new Map<string, number>();
  return keys.map((key) => {
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
}

/** The same with one state for all that no further input tells apart. */
function fewest({ steps, open }: States): States {
  let kinds = numbered(open.map(String));
  for (let count = 0; count < Math.max(...kinds) + 1; ) {
    count = Math.max(...kinds) + 1;
    kinds = numbered(
      steps.map((inputs, state) => {
        const led = inputs.map(({ to, eighths }) => `${kinds[to]}:${eighths}`);
        return `${kinds[state]} ${led.join()}`;
      }),
    );
  }
  const first = [...new Set(kinds)].map((kind) => kinds.indexOf(kind));
  return {
    steps: first.map((state) =>
      (steps[state] ?? []).map(({ to, eighths }) => ({ to: kinds[to] as number, eighths })),
    ),
    open: first.map((state) => open[state] as number),
  };
}

/** As the table has it: each step with the next state, numbered in steps of 8, and what it adds. */
export function makeWordCuts() {
  const { steps, open } = fewest(allStates());
  const eighthsMask = (1 << EIGHTHS_BITS) - 1;
  return {
    steps: steps.flatMap((inputs) =>
      inputs.map(
        ({ to, eighths }) => (to << (INPUT_BITS + EIGHTHS_BITS)) | (eighths & eighthsMask),
      ),
    ),
    open,
  };
}
