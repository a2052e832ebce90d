import type { NanoUsd } from "../../../catalogue/money.ts";
import { afterReset, type BudgetRow, readBudget } from "../../money/budget-rows.ts";
import { rowAsRead } from "../../money/interrupted.ts";
import type { HoldRow } from "../../money/money-rows.ts";
import { isAstray } from "../../reads/astray.ts";
import { ChannelDays } from "../../reads/channel-days.ts";
import { Rollups } from "../../reads/rollups.ts";
import { AT, type Cell, type ReceiptRow } from "../../rows.ts";
import type { JournalStatements } from "./journal-statements.ts";
import type { JournalRecord } from "./record.ts";

interface Move {
  used: NanoUsd;
  held: NanoUsd;
  running: bigint;
}

/** What the budgets of a key need to turn at the right place among its posts. */
interface Turning {
  readonly usedBefore: NanoUsd;
  rows: readonly BudgetRow[];
}

/**
 * Records of the journal as rows, inside of one transaction: rows as they come, sums once at the end. A
 * budget turns with the first post of its new window, so that all earlier ones are in its base.
 */
export class AppliedRecords {
  readonly #sql: JournalStatements;
  /** Holds that have a row, which goes with the end of the hold. */
  readonly #holds: ReadonlyMap<string, HoldRow>;
  readonly #moves = new Map<string, Move>();
  readonly #turning = new Map<string, Turning>();
  readonly #rollups = new Rollups();
  readonly #channelDays = new ChannelDays();
  readonly #keysUsed = new Map<string, number>();
  /** Of the holds that had a row, those that have ended. */
  readonly ended: string[] = [];

  constructor(sql: JournalStatements, holds: ReadonlyMap<string, HoldRow>) {
    this.#sql = sql;
    this.#holds = holds;
  }

  add({ kind, atMs, row }: JournalRecord): void {
    const charges = kind === "post" || kind === "correction";
    if (!charges && row[AT.cost] !== 0n) {
      throw new Error(`receipt ${row[AT.id]} says ${row[AT.cost]}, but nothing is charged`);
    }
    if (!this.#record(kind, atMs, row)) return;
    if (isAstray(row)) this.#sql.noteAstray.run(row[AT.accountId], row[AT.id]);
    this.#rollups.add(row);
    this.#channelDays.add(row);
  }

  /** False when nothing of it is to be added up. */
  #record(kind: JournalRecord["kind"], atMs: number, row: ReceiptRow): boolean {
    if (kind === "correction") {
      if (!this.#correct(atMs, row)) return false;
    } else if (kind !== "refuse" && !this.#end(kind, atMs, row)) return false;
    const keyId = row[AT.keyId];
    this.#keysUsed.set(keyId, Math.max(atMs, this.#keysUsed.get(keyId) ?? 0));
    return kind === "correction" || this.#recordReceipt(row);
  }

  /** The end of a request whose hold was voided before: its receipt takes the place of the first. */
  #correct(atMs: number, row: ReceiptRow): boolean {
    const [id, accountId, keyId, cost] = [
      row[AT.id],
      row[AT.accountId],
      row[AT.keyId],
      row[AT.cost],
    ];
    const entry = this.#sql.insertCorrection.run(accountId, keyId, cost, id, atMs);
    if (entry.changes === 0) return false;
    const cells = this.#sql.interrupted.get(id);
    if (!cells) throw new Error(`${id} was not interrupted, and is not corrected`);
    const before = rowAsRead(cells);
    this.#rollups.takeBack(before);
    this.#channelDays.takeBack(before);
    this.#sql.replaceReceipt.run(...(row as readonly Cell[] as Cell[]));
    this.#turn(keyId, atMs);
    for (const scopeId of [accountId, keyId]) this.#move(scopeId, cost, 0n, 0n);
    return true;
  }

  /** False when the hold was resolved before: the first record of an id is the one that counts. */
  #end(kind: "post" | "void", atMs: number, row: ReceiptRow): boolean {
    const [id, accountId, keyId, cost] = [
      row[AT.id],
      row[AT.accountId],
      row[AT.keyId],
      row[AT.cost],
    ];
    const entry = this.#sql.insertEntry.run(accountId, keyId, kind, cost, id, atMs);
    if (entry.changes === 0) return false;
    const hold = this.#holds.get(id);
    if (hold) {
      this.#sql.dropHold.run(id);
      this.ended.push(id);
    }
    const held = hold ? -hold.amount : 0n;
    const running = held < 0n ? -1n : 0n;
    if (kind === "post") this.#turn(keyId, atMs);
    for (const scopeId of [accountId, keyId]) this.#move(scopeId, cost, held, running);
    return true;
  }

  #move(scopeId: string, used: NanoUsd, held: NanoUsd, running: bigint): void {
    const move = this.#moves.get(scopeId);
    if (!move) {
      this.#moves.set(scopeId, { used, held, running });
      return;
    }
    move.used += used;
    move.held += held;
    move.running += running;
  }

  #turningOf(keyId: string): Turning {
    let turning = this.#turning.get(keyId);
    if (!turning) {
      const usedBefore = this.#sql.used.get(keyId)?.used ?? 0n;
      turning = { usedBefore, rows: this.#sql.budgets.all(keyId).map(readBudget) };
      this.#turning.set(keyId, turning);
    }
    return turning;
  }

  #turn(keyId: string, atMs: number): void {
    const turning = this.#turningOf(keyId);
    if (!turning.rows.some(({ resetsAtMs }) => resetsAtMs !== null && resetsAtMs <= atMs)) return;
    const used = turning.usedBefore + (this.#moves.get(keyId)?.used ?? 0n);
    turning.rows = turning.rows.map((row) => {
      const next = afterReset(row, used, atMs);
      if (!next) return row;
      this.#sql.resetBudget.run(next.base, next.windowStartMs, next.resetsAtMs, keyId, next.id);
      return next;
    });
  }

  /** False for a row that is there already, and so has been added up already. */
  #recordReceipt(row: ReceiptRow): boolean {
    const cells = row as readonly Cell[] as Cell[];
    if (row[AT.lastAt] === null) return this.#sql.insertReceipt.run(...cells).changes > 0;
    this.#sql.addToReceipt.run(...cells);
    return true;
  }

  /** Writes what the records added up to. */
  finish(): void {
    for (const [id, { used, held, running }] of this.#moves) {
      const moved = this.#sql.moveScope.run(used, held, running, id);
      if (moved.changes === 0) throw new Error(`there are no sums of ${id}`);
    }
    for (const cells of this.#rollups.all()) this.#sql.addRollup.run(...(cells as Cell[]));
    for (const cells of this.#channelDays.all()) this.#sql.addChannelDay.run(...(cells as Cell[]));
    for (const [keyId, atMs] of this.#keysUsed) this.#sql.touchKey.run(atMs, keyId);
  }
}
