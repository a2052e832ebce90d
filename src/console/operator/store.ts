import type { Account } from "../../accounts/account.ts";
import type { NanoUsd } from "../../catalogue/money.ts";
import type { Receipt } from "../../ledger/receipt.ts";
import type { PageQuery } from "../../lib/listing.ts";
import type { Usage } from "../../protocols/usage.ts";
import type { Funds } from "../store.ts";
import type { SystemFacts } from "./contract/system.ts";

export interface AccountRow extends Account, Funds {
  /** Those that are not deleted, of whatever kind. */
  readonly keys: number;
}

type OfRequest = Pick<Receipt, "accountId" | "keyId" | "model" | "createdAtMs">;

export interface HoldRow extends OfRequest, Pick<Receipt, "endpoint" | "stream"> {
  readonly id: string;
  readonly amount: NanoUsd;
  readonly channel: string;
}

/** Days since 1970 in UTC, the last one not included. */
export interface DayRange {
  readonly fromDay: number;
  readonly toDay: number;
}

/** What all accounts did in an hour since 1970 in UTC. */
export interface HourSum {
  readonly hour: number;
  readonly requests: number;
  readonly failures: number;
  readonly spend: NanoUsd;
}

/** What was charged by one channel for one model at one price, within some days. */
export interface ChannelSum
  extends Omit<Usage, "reasoning" | "vendorCost" | "clamped" | "missing"> {
  readonly channel: string;
  readonly model: string;
  readonly priceVersion: string;
  readonly requests: number;
  readonly failures: number;
  readonly charged: NanoUsd;
  readonly loss: NanoUsd;
  /** What was charged beyond the holds. */
  readonly overage: NanoUsd;
}

/** A request that cost more than was held for it at admission. */
export interface OverageRow extends OfRequest, Pick<Receipt, "held"> {
  readonly id: string;
  readonly charged: NanoUsd;
}

/** What the input of an account lost the house on a UTC day, or the requests by a channel did. */
export interface InputLossRow {
  /** Days since 1970. */
  readonly day: number;
  /** The id of the account or of the channel. */
  readonly of: string;
  readonly requests: number;
  readonly loss: NanoUsd;
}

export interface InputLosses {
  readonly total: NanoUsd;
  readonly byChannel: readonly InputLossRow[];
  readonly byAccount: readonly InputLossRow[];
}

/** The largest of those that were looked at. */
interface Overages {
  readonly rows: readonly OverageRow[];
  /** Where there were more than may be looked at, the oldest one that was: before it, none was. */
  readonly sinceMs: number | undefined;
}

export type DatabaseFacts = SystemFacts["database"];

/** What operators read of the money, without ever reading all of a table that grows by requests. */
export interface OperatorBooks {
  /** The newest first; one more than asked for, where there is one. So are the pages below. */
  accounts(page: PageQuery, named: string | undefined): Promise<readonly AccountRow[]>;
  account(id: string): Promise<AccountRow | undefined>;
  /** What accounts and keys are called, of those that there are, by their ids. */
  namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** How many of these keys are not deleted, by their accounts. */
  keysAmong(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  holds(page: PageQuery): Promise<readonly HoldRow[]>;
  openHolds(): Promise<number>;
  channelSums(span: DayRange): Promise<readonly ChannelSum[]>;
  /** All requests of these days, whether they reached a channel or not. */
  requestSums(span: DayRange): Promise<{ readonly requests: number; readonly failures: number }>;
  /** The largest first, of the newest `looked`. */
  overages(
    span: DayRange,
    most: { readonly looked: number; readonly shown: number },
  ): Promise<Overages>;
  /** By day and channel, and by day and account: the newest days first, of a day the largest, up to `limit` of each. */
  inputLosses(span: DayRange, limit: number): Promise<InputLosses>;
  /** Accounts whose balance is below nothing, the deepest first. */
  overdrawn(limit: number): Promise<readonly AccountRow[]>;
  /**
   * The hours from one on, of accounts with a key that was used since then, and how many accounts there are
   * and were active.
   */
  lately(
    fromHour: number,
    activeSinceMs: number,
  ): Promise<{
    readonly accounts: number;
    readonly active: number;
    readonly hours: readonly HourSum[];
  }>;
  database(): Promise<DatabaseFacts>;
}
