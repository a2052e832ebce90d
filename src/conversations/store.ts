import type { Reader, ResponseRecord } from "./record.ts";

export interface ConversationStore {
  /** Makes room by forgetting the account's oldest records once it keeps more than `accountBytesMax`. */
  save(record: ResponseRecord, accountBytesMax: number): Promise<void>;
  find(id: string, reader: Reader, nowMs: number): Promise<ResponseRecord | undefined>;
  /** The record and what it continues, oldest first, at most `turnsMax` of them. */
  chain(
    id: string,
    reader: Reader,
    nowMs: number,
    turnsMax: number,
  ): Promise<readonly ResponseRecord[]>;
  /** The record that holds an item. */
  findByItem(itemId: string, reader: Reader, nowMs: number): Promise<ResponseRecord | undefined>;
  /** False when there was nothing to remove. */
  remove(id: string, reader: Reader): Promise<boolean>;
  /** Forgets what has expired; returns how many. */
  sweep(nowMs: number): Promise<number>;
}
