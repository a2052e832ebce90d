import { BadPrompt } from "./reading/prompt.ts";

/** What the `x-sandbox-fault` header asks to go wrong. */
export interface Faults {
  readonly status: 429 | 500 | null;
  readonly reset: boolean;
  /** The events after which the stream stops for ever; 0 stalls at once. */
  readonly stallAfter: number | null;
  /** The events after which the body ends as if it were whole. */
  readonly cutAfter: number | null;
  /** The events after which the connection breaks. */
  readonly resetAfter: number | null;
  readonly delayMs: number | null;
  readonly usage: "true" | "none" | "negative" | "absurd";
}

const NONE: Faults = {
  status: null,
  reset: false,
  stallAfter: null,
  cutAfter: null,
  resetAfter: null,
  delayMs: null,
  usage: "true",
};

const DELAY_MS_MAX = 3_600_000;

type FaultReader = (value: string) => Partial<Faults> | null;

const plain =
  (faults: Partial<Faults>): FaultReader =>
  (value) =>
    value === "" ? faults : null;

const counted =
  (make: (count: number) => Partial<Faults>): FaultReader =>
  (value) =>
    /^\d{1,9}$/.test(value) ? make(Number(value)) : null;

const READERS: Readonly<Record<string, FaultReader>> = {
  http_500: plain({ status: 500 }),
  http_429: plain({ status: 429 }),
  reset: plain({ reset: true }),
  stall: plain({ stallAfter: 0 }),
  no_usage: plain({ usage: "none" }),
  stall_after: counted((count) => ({ stallAfter: count })),
  cut_after: counted((count) => ({ cutAfter: count })),
  reset_after: counted((count) => ({ resetAfter: count })),
  delay_ms: counted((count) => ({ delayMs: Math.min(count, DELAY_MS_MAX) })),
  usage: (value) => (value === "negative" || value === "absurd" ? { usage: value } : null),
};

/** Reads faults separated by commas. An unknown one is refused: a typo must not pass a test. */
export function readFaults(header: string | null): Faults {
  let faults = NONE;
  for (const piece of (header ?? "").split(",")) {
    const [name = "", value = ""] = piece.trim().split("=");
    if (name === "") continue;
    const read = Object.hasOwn(READERS, name) ? READERS[name]?.(value) : null;
    if (read === null || read === undefined) {
      throw new BadPrompt(`Unknown fault '${piece.trim()}'.`, "x-sandbox-fault", "invalid_value");
    }
    faults = { ...faults, ...read };
  }
  return faults;
}

export interface TokenCounts {
  readonly input: number;
  readonly output: number;
  readonly reasoning: number;
}

const ABSURD_TOKENS = 9_000_000_000_000;

/** The counts as reported: null when the vendor is to forget them. */
export function reportedCounts(counts: TokenCounts, faults: Faults): TokenCounts | null {
  if (faults.usage === "none") return null;
  if (faults.usage === "negative") {
    return { input: -counts.input, output: -counts.output, reasoning: counts.reasoning };
  }
  if (faults.usage === "absurd") {
    return { input: ABSURD_TOKENS, output: ABSURD_TOKENS, reasoning: counts.reasoning };
  }
  return counts;
}
