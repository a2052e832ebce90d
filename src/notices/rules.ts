import { type Calls, isBurst } from "../telemetry/calls.ts";
import { centsToNano } from "./amounts.ts";
import type {
  AccountFacts,
  BudgetFacts,
  ChannelFacts,
  InputLossFacts,
  ModelEnd,
  UsualHours,
} from "./facts.ts";
import { BUDGET_STAGES, type BudgetStage, type Occurrence } from "./occurrence.ts";
import type { AlertSettings } from "./settings.ts";

/** A twentieth would come too late and a half too often. */
const LOW_BALANCE_PERCENT = 20n;
const SPIKE_FACTOR = 5n;
const DEPRECATION_DAYS = [7, 30] as const;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Every hour begins at nothing, so a spike over several hours is silent between its hours. */
const SPIKE_QUIET_MS = 2 * HOUR_MS;
/** A failing vendor comes and goes, and each process of the installation sees it for itself. */
const VENDOR_QUIET_MS = 15 * 60_000;

type RuleName =
  | "low_balance"
  | `budget_${BudgetStage}`
  | "spend_spike"
  | "model_deprecation"
  | "vendor_down"
  | "input_loss";

/** What one rule says of one subject at this moment. */
export interface Reading {
  readonly rule: RuleName;
  readonly subject: string;
  /** Two occurrences that differ in this are two, even if nobody saw the first one end. */
  readonly mark: string;
  readonly state: "on" | "off" | "unknown";
  readonly occurrence: Occurrence;
  /** It has ended once nobody has seen it for so long. */
  readonly quietMs: number;
  /** Counts as told without a word, since something that says more is told at the same time. */
  readonly silent: boolean;
}

/** The last time that a rule fired for a subject. */
export interface AlertMark {
  readonly accountId: string;
  readonly rule: string;
  readonly subject: string;
  readonly mark: string;
  readonly seenAtMs: number;
}

/** `see`: it still holds. `arm`: it is over, and the next one is news again. */
export type Verdict = "fire" | "see" | "arm" | "nothing";

export function judge(reading: Reading, last: AlertMark | undefined, nowMs: number): Verdict {
  if (last === undefined) return reading.state === "on" ? "fire" : "nothing";
  // What was seen so far ahead was seen before a clock was set back, and says as little.
  const isQuiet = Math.abs(nowMs - last.seenAtMs) >= reading.quietMs;
  // Nobody looks while nothing happens, so what is seen after so long may be the next one already.
  const isAnother = last.mark !== reading.mark || (reading.quietMs > 0 && isQuiet);
  if (reading.state === "on" && isAnother) return "fire";
  if (reading.state !== "off") return reading.quietMs > 0 ? "see" : "nothing";
  return isQuiet ? "arm" : "nothing";
}

function plain(fields: Pick<Reading, "rule" | "subject" | "mark" | "occurrence">, on: boolean) {
  return { ...fields, state: on ? "on" : "off", quietMs: 0, silent: false } satisfies Reading;
}

/**
 * The mark is what had been credited when it fired. A later credit above the threshold has lifted the
 * balance over it, though it may be spent again before anybody looked.
 */
function lowBalance(
  facts: AccountFacts,
  chosen: bigint | null,
  last: AlertMark | undefined,
): Reading {
  const { credited, charged, lastCredit } = facts;
  const threshold = chosen ?? (lastCredit * LOW_BALANCE_PERCENT) / 100n;
  const balance = credited - charged;
  const lifted = last === undefined || credited - BigInt(last.mark) > threshold;
  return plain(
    {
      rule: "low_balance",
      subject: "",
      mark: lifted ? String(credited) : last.mark,
      occurrence: { kind: "low_balance", balance, threshold },
    },
    // Who never had anything has not run low.
    credited > 0n && (balance < threshold || balance <= 0n),
  );
}

function budgetStages(budget: BudgetFacts): Reading[] {
  const reached = BUDGET_STAGES.filter(
    (percent) => budget.used > 0n && budget.used * 100n >= budget.max * BigInt(percent),
  );
  return BUDGET_STAGES.map((percent) => ({
    ...plain(
      {
        rule: `budget_${percent}`,
        subject: budget.id,
        mark: String(budget.resetsAtMs),
        occurrence: { kind: "budget", percent, budget },
      },
      reached.includes(percent),
    ),
    silent: percent !== reached.at(-1),
  }));
}

/** Whether the hour is worth comparing at all; the usual ones cost a read. */
export function spendsEnough(facts: AccountFacts, floorCents: number): boolean {
  return facts.spentThisHour > 0n && facts.spentThisHour >= centsToNano(floorCents);
}

function spendSpike(facts: AccountFacts, usual: UsualHours, floorCents: number): Reading {
  const { total, hours } = usual;
  const spent = facts.spentThisHour;
  const on =
    spendsEnough(facts, floorCents) &&
    hours > 0 &&
    total > 0n &&
    spent * BigInt(hours) >= SPIKE_FACTOR * total;
  const mean = hours > 0 ? total / BigInt(hours) : 0n;
  const occurrence = { kind: "spend_spike", spent, usual: mean } as const;
  const reading = plain({ rule: "spend_spike", subject: "", mark: "", occurrence }, on);
  return { ...reading, quietMs: SPIKE_QUIET_MS };
}

/** Told when a month is left, and again when a week is. */
function modelDeprecation(end: ModelEnd, nowMs: number): Reading {
  const days = (Date.parse(end.on) - nowMs) / DAY_MS;
  const stage = DEPRECATION_DAYS.find((least) => days <= least);
  return plain(
    {
      rule: "model_deprecation",
      subject: end.model,
      mark: `${end.on}/${stage}`,
      occurrence: { kind: "model_deprecation", end },
    },
    stage !== undefined,
  );
}

/** The calls to each channel between two looks. */
export class CallsSinceLook {
  readonly #last = new Map<string, Calls>();

  /** The calls since this was asked last. The first time, and after a restart of the gate, those of the last minutes. */
  take({ id, totals, recent }: ChannelFacts): Calls {
    const none = { attempts: 0, failures: 0 };
    const last = this.#last.get(id);
    if (totals) this.#last.set(id, totals);
    if (!totals || !last || totals.attempts < last.attempts) return recent ?? none;
    return {
      attempts: totals.attempts - last.attempts,
      failures: totals.failures - last.failures,
    };
  }
}

/** A rate limit alone is passed by waiting; it counts once most calls fail. */
function vendorDown(channel: ChannelFacts, calls: Calls): Reading {
  const { id, enabled, state, reason } = channel;
  const burst = isBurst(calls) ? calls : undefined;
  const stopped = state === "refused" || (state === "cooled" && reason !== "rate");
  const reading = plain(
    {
      ...{ rule: "vendor_down", subject: id, mark: "" },
      occurrence: { kind: "vendor_down", channel, burst },
    },
    enabled && (stopped || burst !== undefined),
  );
  const onTrial = enabled && state === "trial" && !burst;
  return { ...reading, state: onTrial ? "unknown" : reading.state, quietMs: VENDOR_QUIET_MS };
}

export function isInputLoss({ rule }: Pick<AlertMark, "rule">): boolean {
  return rule === "input_loss";
}

/** Once for each channel and account on a day. */
export function readInputLosses(losses: readonly InputLossFacts[]): Reading[] {
  return losses.map((loss) => {
    const occurrence = { kind: "input_loss", loss } as const;
    const subject = `${loss.of} ${loss.id}`;
    return plain({ rule: "input_loss", subject, mark: loss.day, occurrence }, true);
  });
}

interface AccountView {
  readonly settings: AlertSettings;
  /** Absent where this hour is not worth comparing. */
  readonly usual: UsualHours | undefined;
  readonly modelEnds: readonly ModelEnd[];
  readonly floorCents: number;
  last(rule: RuleName): AlertMark | undefined;
}

export function readAccount(facts: AccountFacts, view: AccountView, nowMs: number): Reading[] {
  const { settings, usual, modelEnds, floorCents } = view;
  const readings: Reading[] = [];
  if (settings.lowBalance) {
    readings.push(lowBalance(facts, settings.lowBalanceThreshold, view.last("low_balance")));
  }
  if (settings.budgets) readings.push(...facts.budgets.flatMap(budgetStages));
  if (settings.spendSpike) {
    readings.push(spendSpike(facts, usual ?? { total: 0n, hours: 0 }, floorCents));
  }
  if (settings.modelDeprecation) {
    const ends = modelEnds.filter(({ model }) => facts.models.includes(model));
    readings.push(...ends.map((end) => modelDeprecation(end, nowMs)));
  }
  return readings;
}

export function readChannels(
  channels: readonly ChannelFacts[],
  callsOf: (channel: ChannelFacts) => Calls,
): Reading[] {
  return channels.map((channel) => vendorDown(channel, callsOf(channel)));
}
