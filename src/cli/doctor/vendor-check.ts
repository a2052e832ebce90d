import type { examineVendors } from "../../compose/vendor-examination.ts";
import { systemClock } from "../../lib/clock.ts";
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

/** What vendors say to each key, what their clocks say, and how old the prices are that are charged. */
export function vendorCheck({ keys, prices, closed }: Examined): Finding[] {
  const shut = [...closed].map(([channel, reason]) =>
    found(CHECK, "problem", "channelClosed", { channel, reason }),
  );
  const none = keys.length === 0 && shut.length === 0;
  return [
    ...vendorClock(keys),
    ...(none ? [found(CHECK, "warning", "vendorNone")] : []),
    ...keys.map(keyFinding),
    ...shut,
    priceFinding(prices, systemClock()),
  ];
}
