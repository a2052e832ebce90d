import type { KeyChanges, KeySummary } from "../accounts/account.ts";
import type { NanoUsd } from "../catalogue/money.ts";
import type { Balance, UsageRow } from "../ledger/books.ts";
import type { Receipt } from "../ledger/receipt.ts";
import type { RequestStatus } from "./contract/requests.ts";
import type { Hit as ShownHit } from "./contract/search.ts";

/** What requests add up to. */
export interface UsageSums extends Omit<UsageRow, "day" | "accountId" | "keyId" | "model"> {
  /** Of the input, what the vendor had kept. */
  readonly cachedTokens: number;
}

/** Hours since 1970 in UTC, the last one not included. */
export interface HourRange {
  readonly fromHour: number;
  readonly toHour: number;
}

export type UsageFilter = HourRange & Omit<RequestFilter, "status">;

export interface HourUsage extends UsageSums {
  readonly hour: number;
}

interface ModelUsage extends UsageSums {
  readonly model: string;
}

interface KeyUsage extends UsageSums {
  readonly keyId: string;
  readonly keyName: string;
}

/** The money of an account at one moment. */
export type Funds = Omit<Balance, "running" | "trialOnly">;

/** Money and usage of the same moment, so that they agree. */
export interface Standing extends Funds {
  /** How far the balance may go below zero. */
  readonly overdraft: NanoUsd;
  readonly hasKey: boolean;
  readonly hours: readonly HourUsage[];
}

export interface RequestFilter {
  readonly accountId: string;
  readonly keyId?: string | undefined;
  readonly model?: string | undefined;
  readonly status?: RequestStatus | undefined;
}

export interface RequestQuery extends RequestFilter {
  /** Of the time at which requests came; the end is not included. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  /** Only requests that came before the one with this id, or at that place in the order of ids. */
  readonly beforeId?: string | undefined;
  readonly limit: number;
}

export interface RequestRow
  extends Pick<Receipt, "createdAtMs" | "keyId" | "model" | "servedModel" | "endpoint" | "stream">,
    Pick<Receipt, "billingReason" | "errorCode" | "channel" | "durationMs" | "firstByteMs">,
    Pick<Receipt, "requests" | "lastAtMs">,
    Pick<UsageSums, "inputTokens" | "outputTokens" | "cost"> {
  readonly id: string;
  readonly keyName: string;
  readonly httpStatus: number;
}

/**
 * The newest first. A search for what is rare looks at a bounded number of rows and may give fewer
 * than asked for, or none; as long as there is a `next`, there may be more behind it.
 */
export interface RequestPage {
  readonly rows: readonly RequestRow[];
  readonly next: string | null;
}

/** What a hold ended with. One that was voided because its process seemed dead may be corrected later. */
export interface RequestEnd {
  readonly kind: "post" | "void" | "correction";
  readonly amount: NanoUsd;
  readonly createdAtMs: number;
}

/** A receipt with what became of its hold, in order. A refused request had none. */
export interface RequestDetail {
  readonly receipt: Receipt;
  readonly keyName: string;
  readonly ends: readonly RequestEnd[];
}

/** An entry of the ledger that is not the end of a request. */
export interface MoneyEntry {
  readonly seq: number;
  readonly kind: string;
  /** What it did to the balance. */
  readonly amount: NanoUsd;
  readonly note: string;
  readonly ref: string | null;
  readonly createdAtMs: number;
}

export interface StatementQuery {
  readonly accountId: string;
  /** Entries older than this one; those of the same millisecond by their number. */
  readonly before: { readonly atMs: number; readonly seq: number };
  readonly entriesMax: number;
  /** Days since 1970 in UTC, not included. */
  readonly beforeDay: number;
  /** How many days, the newest with usage and those before it, are looked at. */
  readonly days: number;
}

/** One moment's view of the ledger, newest first. */
export interface StatementPart {
  readonly funds: Funds;
  readonly entries: readonly MoneyEntry[];
  /** What requests that came on a day were charged. Days that cost nothing are not there. */
  readonly days: readonly { readonly day: number; readonly cost: NanoUsd }[];
  /** The first day that was looked at; null when there is no usage before any more. */
  readonly fromDay: number | null;
}

/** What the console reads of the money database. Nothing here runs on the loop that relays bytes. */
export interface ConsoleStore {
  /** `besides` are keys that do not count as one that the account has. */
  standing(
    accountId: string,
    range: HourRange,
    besides?: readonly string[],
  ): Promise<Standing | undefined>;
  usageByHour(filter: UsageFilter): Promise<readonly HourUsage[]>;
  /** The dearest first. */
  usageByModel(filter: UsageFilter): Promise<readonly ModelUsage[]>;
  usageByKey(filter: UsageFilter): Promise<readonly KeyUsage[]>;
  listRequests(query: RequestQuery): Promise<RequestPage>;
  /**
   * The requests that came or ended after the one named, newest first. Some that were given before
   * may come again: what ends at the same time is written in any order.
   */
  requestsSince(filter: RequestFilter, id: string, limit: number): Promise<readonly RequestRow[]>;
  /** By the id of the request or of its answer. */
  requestsById(accountId: string, id: string): Promise<readonly RequestRow[]>;
  findRequest(accountId: string, id: string): Promise<RequestDetail | undefined>;
  statement(query: StatementQuery): Promise<StatementPart | undefined>;
  /** In the order in which they were made, without those that are deleted. */
  listKeys(accountId: string): Promise<readonly KeySummary[]>;
  /** A deleted one too: receipts and sums still name it. */
  findKey(accountId: string, id: string): Promise<KeySummary | undefined>;
}

/** Something that was looked for by its name or id. */
export interface Hit extends Pick<ShownHit, "id" | "name" | "hint"> {
  readonly accountId: string;
}

export interface SearchQuery {
  readonly text: string;
  /** Where to look; in all accounts where it is absent. */
  readonly accountId?: string | undefined;
  readonly limit: number;
}

/** Finds things by a part of their name, or by their whole id. */
export interface SearchStore {
  accounts(query: SearchQuery): Promise<readonly Hit[]>;
  keys(query: SearchQuery): Promise<readonly Hit[]>;
  /** By the id of the request or of its answer. */
  requests(query: SearchQuery): Promise<readonly Hit[]>;
  people(query: SearchQuery): Promise<readonly Hit[]>;
  /** Titles are looked for within an account only: they are read one after another. */
  drafts(query: SearchQuery): Promise<readonly Hit[]>;
}

/** What the console changes in the money database by itself. */
export interface KeyStore {
  /** False when there is no such key, or none any more. */
  updateKey(id: string, changes: KeyChanges): Promise<boolean>;
  endFormerSecrets(id: string, nowMs: number): Promise<void>;
  /** False when it is gone already. */
  deleteKey(id: string, nowMs: number): Promise<boolean>;
}
