import type { examineVendors } from "../../compose/vendor-examination.ts";
import { systemClock } from "../../lib/clock.ts";
import type { LiveCall } from "../../upstream/live/live-check.ts";
import { type OtherClock, otherFinding } from "./clock-check.ts";
import { type Finding, found } from "./finding.ts";

type Examined = Awaited<ReturnType<typeof examineVendors>>;
type KeyCheck = Examined["keys"][number];

const CHECK = "vendors";
const DAY_MS = 86_400_000;
/** How long vendors may be trusted not to have changed a price. */
const PRICE_DAYS = 90;
const NAMED_MAX = 5;
/** Of the header `Date`. */
const SECOND_MS = 1_000;

function keyFinding({ channel, lastFour, word, status, reason }: KeyCheck): Finding {
  const key = `…${lastFour}`;
  switch (word) {
    case "taken":
      return lastFour === ""
        ? found(CHECK, "ok", "vendorAnswers", { channel })
        : found(CHECK, "ok", "keyTaken", { channel, key });
    case "unasked":
      return found(CHECK, "ok", "keyUnasked", { channel, key });
    case "refused":
      return found(CHECK, "problem", "keyRefused", { channel, key, status });
    case "limited":
      return found(CHECK, "warning", "keyLimited", { channel, key, status });
    case "failing":
      return found(CHECK, "problem", "vendorFails", { channel, status });
    case "unreachable":
      return found(CHECK, "problem", "vendorAway", { channel, reason });
  }
}

export function priceFinding(prices: Examined["prices"], nowMs: number): Finding {
  const days = PRICE_DAYS;
  if (prices.length === 0) return found("prices", "ok", "pricesNone");
  const dated = prices.flatMap(({ model, checkedMs }) =>
    checkedMs === undefined ? [] : [{ model, checkedMs }],
  );
  const all = dated.length;
  if (all === 0) return found("prices", "ok", "pricesUndated", { count: prices.length });
  const old = dated.filter(({ checkedMs }) => nowMs - checkedMs > days * DAY_MS);
  const count = old.length;
  if (count === 0) return found("prices", "ok", "pricesFresh", { count: all, days });
  const named = old.slice(0, NAMED_MAX).map(({ model }) => model);
  const models = [...named, ...(count > NAMED_MAX ? ["…"] : [])].join(", ");
  return found("prices", "warning", "pricesOld", { count, all, days, models });
}

/** The vendor whose answer took the shortest has the clock that says most. */
function vendorClock(keys: Examined["keys"]): Finding[] {
  const told = keys.flatMap(({ channel, theirMs, askedMs, answeredMs }): OtherClock[] =>
    theirMs === undefined
      ? []
      : [{ name: channel, theirMs, askedMs, answeredMs, stepMs: SECOND_MS }],
  );
  const took = ({ askedMs, answeredMs }: OtherClock) => answeredMs - askedMs;
  const [best] = told.toSorted((a, b) => took(a) - took(b));
  return best ? [otherFinding(best)] : [];
}

/** The paths that a finding names; a stream that went wrong may have many more. */
const PATHS_MAX = 8;

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, PATHS_MAX).join(", ");
  return paths.length > PATHS_MAX ? `${shown}, …` : shown;
}

function liveFindings({
  channel,
  wire,
  call,
  model,
  failure,
  ...differences
}: LiveCall): Finding[] {
  const { lacks, other, more } = differences;
  if (call === undefined) return [found("live", "ok", "liveUnsent", { channel, wire })];
  const at = { channel, wire, call, model: model ?? "*" };
  const findings = [
    ...(failure === undefined
      ? []
      : [found("live", "problem", "liveFails", { ...at, reason: failure })]),
    ...(lacks.length > 0
      ? [found("live", "problem", "liveLacks", { ...at, members: named(lacks) })]
      : []),
    ...(other.length > 0
      ? [found("live", "problem", "liveOther", { ...at, members: named(other) })]
      : []),
    ...(more.length > 0
      ? [found("live", "warning", "liveMore", { ...at, members: named(more) })]
      : []),
  ];
  return findings.length > 0 ? findings : [found("live", "ok", "liveSame", at)];
}

/** What vendors say to each key, what their clocks say, and how old the prices are that are charged. */
export function vendorCheck({ keys, prices, closed, live }: Examined): Finding[] {
  const shut = [...closed].map(([channel, reason]) =>
    found(CHECK, "problem", "channelClosed", { channel, reason }),
  );
  const none = keys.length === 0 && shut.length === 0;
  return [
    ...vendorClock(keys),
    ...(none ? [found(CHECK, "warning", "vendorNone")] : []),
    ...keys.map(keyFinding),
    ...shut,
    ...live.flatMap(liveFindings),
    priceFinding(prices, systemClock()),
  ];
}
