import type { Calls } from "../telemetry/calls.ts";

/** Where money is concerned, whole nano-dollars. */
export interface AccountFacts {
  readonly accountId: string;
  readonly credited: bigint;
  readonly charged: bigint;
  /** What was credited last; zero where nothing ever was. */
  readonly lastCredit: bigint;
  readonly spentThisHour: bigint;
  /** The models that were used this hour. */
  readonly models: readonly string[];
  readonly budgets: readonly BudgetFacts[];
}

export interface BudgetFacts {
  readonly id: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly period: "total" | "day" | "week" | "month";
  readonly max: bigint;
  /** Within the window that runs now. */
  readonly used: bigint;
  /** When that window ends, which tells it from the next; null for one that never does. */
  readonly resetsAtMs: number | null;
}

/** The hours with spend of the last week, the running one left out. */
export interface UsualHours {
  readonly total: bigint;
  readonly hours: number;
}

export interface ChannelFacts {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly enabled: boolean;
  readonly state: "untried" | "failing" | "ok" | "cooled" | "trial" | "refused";
  /** Why it is cooled. */
  readonly reason?: "faults" | "quota" | "rate" | undefined;
  /** Calls since its process started; they only rise while the same process runs. */
  readonly totals?: Calls | undefined;
  /** Calls of the last minutes. */
  readonly recent?: Calls | undefined;
  /** The vendor's last words, without anything secret. */
  readonly message: string | undefined;
}

/** What vendors counted beyond our bounds of the input on a day, by a channel or for an account. */
export interface InputLossFacts {
  readonly of: "channel" | "account";
  readonly id: string;
  readonly name: string;
  /** A day of UTC, as in "2026-12-31". */
  readonly day: string;
  readonly amount: bigint;
}

export interface ModelEnd {
  readonly model: string;
  /** A day, as in "2026-12-31". */
  readonly on: string;
  readonly replacement: string | undefined;
}

/** What the rules look at. Whoever puts the house together knows where it comes from. */
export interface AlertFacts {
  /** Accounts with a key that was used since then, and the hour that `nowMs` is in. */
  active(sinceMs: number, nowMs: number): Promise<readonly AccountFacts[]>;
  usualHours(accountId: string, nowMs: number): Promise<UsualHours>;
  /** Finds each channel and each account whose input loss is larger than `beyond` on the UTC day of `nowMs`. */
  inputLosses(nowMs: number, beyond: bigint): Promise<readonly InputLossFacts[]>;
}

/** What only this process knows. */
export interface HouseFacts {
  /** The account that notices about vendors belong to. */
  operatorAccountId(): Promise<string | undefined>;
  channels(): Promise<readonly ChannelFacts[]>;
  modelEnds(): readonly ModelEnd[];
}

export interface Recipient {
  readonly email: string;
  /** "zh" or anything that begins so is Chinese; everything else is English. */
  readonly language: string;
  /** What times are written in; null for UTC. */
  readonly timeZone: string | null;
}

export interface Recipients {
  /** Those who answer for the account's money. */
  owners(accountId: string): Promise<readonly Recipient[]>;
  operators(): Promise<readonly Recipient[]>;
}
