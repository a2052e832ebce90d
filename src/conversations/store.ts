import type { TimeBudget } from "../lib/threads/time-budget.ts";
import type { AnswerName, Claim, Claimant, ClaimName, ClaimState } from "./claim.ts";
import type { BodyTable, KeptBody, Reader, ResponseRecord } from "./record.ts";

/** How far back a chain is followed: so many turns, and no further than the one that passes the bytes. */
export interface ChainReach {
  readonly turnsMax: number;
  readonly bytesMax: number;
}

export interface ConversationStore {
  /** Makes room by forgetting the account's oldest records once it keeps more than `accountBytesMax`. */
  save(record: ResponseRecord, accountBytesMax: number, timeBudget?: TimeBudget): Promise<void>;
  find(
    id: string,
    reader: Reader,
    nowMs: number,
    timeBudget?: TimeBudget,
  ): Promise<ResponseRecord | undefined>;
  /** The record and what it continues, oldest first, as far as it may reach. */
  chain(
    id: string,
    reader: Reader,
    nowMs: number,
    reach: ChainReach,
    timeBudget?: TimeBudget,
  ): Promise<readonly ResponseRecord[]>;
  /** The record that holds an item of this name, the latest of them: vendors may repeat the names of items. */
  findByItem(
    itemId: string,
    reader: Reader,
    nowMs: number,
    timeBudget?: TimeBudget,
  ): Promise<ResponseRecord | undefined>;
  /** False when there was nothing to remove. */
  remove(id: string, reader: Reader, timeBudget?: TimeBudget): Promise<boolean>;
  /** Forgets what has expired; returns how many. */
  sweep(nowMs: number): Promise<number>;
}

/** From when a claim counts, and until when. */
export interface ClaimSpan {
  readonly nowMs: number;
  readonly expiresAtMs: number;
}

/** What is kept of an answer: its packed text, or nothing but that it was given. */
export interface PackedAnswer extends ClaimSpan {
  readonly body: Uint8Array | null;
  /** Beyond so much the account's oldest answers are given up, and known as not kept. */
  readonly accountBytesMax: number;
}

export interface KeptAnswerStore {
  /** Takes a value that nobody has, or whose time is over. Gives back who has it now. */
  claim(claimant: Claimant, span: ClaimSpan, timeBudget?: TimeBudget): Promise<Claim>;
  findClaim(name: ClaimName, timeBudget?: TimeBudget): Promise<Claim | undefined>;
  /** Resolves once the answer is on disk. False when the claimant does not have the value any more. */
  keepAnswer(claimant: Claimant, answer: PackedAnswer, timeBudget?: TimeBudget): Promise<boolean>;
  /** The packed answer of the request that has the value. */
  findAnswer(
    name: AnswerName,
    requestId: string,
    timeBudget?: TimeBudget,
  ): Promise<Uint8Array | undefined>;
  /** Lets go of a value, if that request still has it in that state. */
  freeClaim(
    name: ClaimName,
    requestId: string,
    state: ClaimState,
    timeBudget?: TimeBudget,
  ): Promise<void>;
  /** Forgets what has expired; returns how many. */
  sweepAnswers(nowMs: number): Promise<number>;
}

/** Every body that is kept, for whoever seals them anew. */
export interface BodyStore {
  /** Some of them behind a name, in the order of their names; the first ones without it. */
  bodies(table: BodyTable, after: readonly string[] | undefined): Promise<readonly KeptBody[]>;
  /** All or none. One whose row is gone meanwhile is left out. */
  replaceBodies(table: BodyTable, bodies: readonly KeptBody[]): Promise<void>;
}
