import type { NanoUsd } from "../../../catalogue/money.ts";
import { type BudgetRow, counts, readBudget, turned, turnsTo } from "../../money/budget-rows.ts";
import { rowAsRead } from "../../money/interrupted.ts";
import type { HoldRow } from "../../money/money-rows.ts";
import { isAstray } from "../../reads/astray.ts";
import { ChannelDays } from "../../reads/channel-days.ts";
import { InputLosses } from "../../reads/input-losses.ts";
import { Rollups } from "../../reads/rollups.ts";
import { AT, type Cell, type ReceiptRow } from "../../rows.ts";
import type { EndRows } from "./end-rows.ts";
import { type Charge, type JournalStatements, usedIn } from "./journal-statements.ts";
import type { JournalRecord } from "./record.ts";

interface Move {
  used: NanoUsd;
  held: NanoUsd;
  running: number;
}

/** Few holds have a row, so that few records have more to move than what was used. */
function letGo(move: Move, held: NanoUsd): void {
  move.held -= held;
  if (held > 0n) move.running -= 1;
}

/** What the budgets of a key need to turn at the right place among its posts. */
interface Turning {
  readonly usedBefore: NanoUsd;
  rows: readonly BudgetRow[];
}

/**
 * Records of the journal as rows, inside of one transaction: the rows of a table as they come, sums once at the end. A
 * budget turns with the first post of another window, so that all outside of that are in its base.
 */
export class AppliedRecords {
  readonly #sql: JournalStatements;
  /** Holds that have a row, which goes with the end of the hold. */
  readonly #holds: ReadonlyMap<string, HoldRow>;
  readonly #rows: EndRows;
  readonly #moves = new Map<string, Move>();
  readonly #turning = new Map<string, Turning>();
  readonly #rollups = new Rollups();
  readonly #channelDays = new ChannelDays();
  readonly #inputLosses = new InputLosses();
  readonly #keysUsed = new Map<string, number>();
  /** Written together, behind the entries: the same tables are in the processor's caches from row to row. */
  #receipts: ReceiptRow[] = [];
  /** Of the holds that had a row, those that have ended. */
  readonly ended: string[] = [];

  constructor(sql: JournalStatements, holds: ReadonlyMap<string, HoldRow>, rows: EndRows) {
    this.#sql = sql;
    this.#holds = holds;
    this.#rows = rows;
  }

  add({ kind, atMs, row }: JournalRecord): void {
    const charges = kind === "post" || kind === "correction";
    if (!charges && row[AT.cost] !== 0n) {
      throw new Error(`receipt ${row[AT.id]} says ${row[AT.cost]}, but nothing is charged`);
    }
    if (kind === "correction") {
      // What it takes the place of may have come with the same records.
      this.#writeRows();
      if (!this.#correct(atMs, row)) return;
      this.#addUp(row);
    } else {
      if (kind !== "refuse" && !this.#end(kind, atMs, row)) return;
      this.#receipts.push(row);
    }
    const keyId = row[AT.keyId];
    this.#keysUsed.set(keyId, Math.max(atMs, this.#keysUsed.get(keyId) ?? 0));
  }

  /** The end of a request whose hold was voided before: its receipt takes the place of the first. */
  #correct(atMs: number, row: ReceiptRow): boolean {
    const id = row[AT.id];
    const accountId = row[AT.accountId];
    const keyId = row[AT.keyId];
    const cost = row[AT.cost];
    const entry = this.#sql.insertCorrection.run(accountId, keyId, cost, id, atMs);
    if (entry.changes === 0) return false;
    const cells = this.#sql.interrupted.get(id);
    if (!cells) throw new Error(`${id} was not interrupted, and is not corrected`);
    const before = rowAsRead(cells);
    this.#rollups.takeBack(before);
    this.#channelDays.takeBack(before);
    this.#sql.replaceReceipt.run(...(row as readonly Cell[] as Cell[]));
    this.#turn(keyId, atMs, { id, cost });
    this.#use(accountId, cost);
    this.#use(keyId, cost);
    return true;
  }

  /** False when the hold was resolved before: the first record of an id is the one that counts. */
  #end(kind: "post" | "void", atMs: number, row: ReceiptRow): boolean {
    const id = row[AT.id];
    const accountId = row[AT.accountId];
    const keyId = row[AT.keyId];
    const cost = row[AT.cost];
    if (!this.#rows.enter([accountId, keyId, kind, cost, id, atMs])) return false;
    if (kind === "post") this.#turn(keyId, atMs, { id, cost });
    const ofAccount = this.#use(accountId, cost);
    const ofKey = this.#use(keyId, cost);
    const hold = this.#holds.get(id);
    if (!hold) return true;
    this.#sql.dropHold.run(id);
    this.ended.push(id);
    letGo(ofAccount, hold.amount);
    letGo(ofKey, hold.amount);
    return true;
  }

  #use(scopeId: string, used: NanoUsd): Move {
    const move = this.#moves.get(scopeId);
    if (move) {
      move.used += used;
      return move;
    }
    const first = { used, held: 0n, running: 0 };
    this.#moves.set(scopeId, first);
    return first;
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

  /** With a charge whose entry is there already. */
  #turn(keyId: string, atMs: number, charge: Charge): void {
    const turning = this.#turningOf(keyId);
    if (turning.rows.every((row) => counts(row, atMs))) return;
    this.#rows.flush();
    const used = turning.usedBefore + (this.#moves.get(keyId)?.used ?? 0n) + charge.cost;
    turning.rows = turning.rows.map((row) => {
      const window = turnsTo(row, atMs);
      if (!window) return row;
      const next = turned(row, window, used, usedIn(this.#sql, keyId, window, charge));
      this.#sql.resetBudget.run(next.base, next.windowStartMs, next.resetsAtMs, keyId, next.id);
      return next;
    });
  }

  #writeRows(): void {
    this.#rows.flush();
    for (const row of this.#rows.record(this.#receipts)) this.#addUp(row);
    this.#receipts = [];
  }

  #addUp(row: ReceiptRow): void {
    if (isAstray(row)) this.#sql.noteAstray.run(row[AT.accountId], row[AT.id]);
    this.#rollups.add(row);
    this.#channelDays.add(row);
    this.#inputLosses.add(row);
  }

  /** Writes what the records added up to. */
  finish(): void {
    this.#writeRows();
    for (const [id, { used, held, running }] of this.#moves) {
      const moved = this.#sql.moveScope.run(used, held, running, id);
      if (moved.changes === 0) throw new Error(`there are no sums of ${id}`);
    }
    for (const cells of this.#rollups.all()) this.#sql.addRollup.run(...(cells as Cell[]));
    for (const cells of this.#channelDays.all()) this.#sql.addChannelDay.run(...(cells as Cell[]));
    for (const cells of this.#inputLosses.all()) this.#sql.addInputLoss.run(...(cells as Cell[]));
    for (const [keyId, atMs] of this.#keysUsed) this.#sql.touchKey.run(atMs, keyId);
  }
}
