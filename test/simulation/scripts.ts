import type { Dice } from "./dice.ts";

/** What goes wrong with one call to a vendor, and how often, against all others. */
const FAULTS = {
  none: 70,
  status_400: 2,
  status_401: 1.5,
  status_403: 1.5,
  status_404: 2,
  status_408: 2,
  status_409: 2,
  status_413: 2,
  status_429: 2,
  status_429_after: 2,
  status_500: 2,
  status_503: 2,
  error_body: 2,
  error_first: 2,
  error_mid: 3,
  failed_with_usage: 3,
  usage_missing: 5,
  usage_twice: 6,
  usage_negative: 3,
  usage_absurd: 3,
  cut_in_character: 3,
  no_end: 3,
  no_marker: 3,
  stall_before: 2,
  stall_headers: 2,
  stall_mid: 3,
  reset_before: 2,
  reset_mid: 3,
  drip: 3,
  garbage: 3,
} as const;

export type VendorFault = keyof typeof FAULTS;
export const VENDOR_FAULTS = Object.keys(FAULTS) as VendorFault[];

export interface Counts {
  readonly input: number;
  readonly output: number;
}

/** What a vendor does with one call, whatever wire it speaks. */
export interface Script {
  readonly fault: VendorFault;
  /** The answer in the pieces in which it is written. */
  readonly texts: readonly string[];
  /** What the vendor says it used, before anybody has put it right. */
  readonly usage: Counts | undefined;
  /** After so many pieces the fault strikes, where it strikes in the middle. */
  readonly breaksAt: number;
  readonly headersMs: number;
  readonly pauseMs: number;
  /** Where frames are torn apart on their way, as a share of their length; 0 for nowhere. */
  readonly tornAt: number;
}

const WORDS = ["alpha ", "beta ", "gamma, ", "delta. ", "epsilon ", "naïve ", "数 ", "\n", '"q" '];

function pieceOf(dice: Dice): string {
  let text = "";
  for (let left = dice.between(1, 12); left > 0; left--) text += dice.pick(WORDS);
  return text;
}

const FALSE_INPUT = 5_000;

function usageOf(fault: VendorFault, dice: Dice): Counts | undefined {
  const usage = { input: dice.between(1, 400), output: dice.between(1, 300) };
  if (fault === "usage_missing") return undefined;
  if (fault === "usage_negative") return { ...usage, output: -usage.output };
  // Half of them count more than any prompt here has, and less than a model reads.
  const isFalse = fault === "usage_absurd" && usage.input % 2 === 0;
  if (isFalse) return { ...usage, input: FALSE_INPUT + 20 * usage.input };
  if (fault === "usage_absurd") return { input: 5_000_000_000, output: 1e12 };
  return usage;
}

export function drawScript(dice: Dice): Script {
  const fault = dice.weighted(FAULTS);
  const drips = fault === "drip";
  const pieces = drips ? dice.between(10, 45) : dice.between(1, 12);
  // Some answers are far longer than what was held for them.
  const times = dice.chance(0.06) ? 40 : 1;
  const texts = Array.from({ length: pieces }, () => pieceOf(dice).repeat(times));
  return {
    fault,
    texts,
    usage: usageOf(fault, dice),
    breaksAt: dice.between(1, pieces),
    headersMs: dice.between(5, dice.chance(0.1) ? 9_000 : 900),
    pauseMs: drips ? dice.between(1_000, 2_500) : dice.between(1, dice.chance(0.2) ? 1_500 : 120),
    tornAt: dice.chance(0.4) ? dice.next() : 0,
  };
}

/** The status that a script refuses with, if it does. */
export function statusOf(fault: VendorFault): number | undefined {
  const match = /^status_(\d+)/.exec(fault);
  return match ? Number(match[1]) : undefined;
}
