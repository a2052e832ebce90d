import type { Database } from "bun:sqlite";
import type { InputLoss } from "../../../accounts/account.ts";
import type { Clock } from "../../../lib/clock.ts";
import { DAY_MS } from "../../reads/channel-days.ts";
import { dayOf, inputLossSql } from "../../reads/input-losses.ts";
import { AT, type ReceiptRow } from "../../rows.ts";

type WritableLoss = { -readonly [name in keyof InputLoss]: InputLoss[name] };

/**
 * What each account has lost the house today, in the process that keeps the books. The file is asked once for an
 * account, before the process settles anything of it; then the sum grows with each settlement.
 */
export class DayLosses {
  readonly #find;
  readonly #clock: Clock;
  readonly #byAccount = new Map<string, WritableLoss>();

  constructor(db: Database, clock: Clock) {
    this.#clock = clock;
    this.#find = db.prepare<{ loss: string | null }, [string, number]>(
      `select ${inputLossSql("?1", "?2")} as loss`,
    );
  }

  /** The same object each time, so that a key that is cached has the loss of now. */
  of(accountId: string): InputLoss {
    return this.#of(accountId);
  }

  #of(accountId: string): WritableLoss {
    const known = this.#byAccount.get(accountId);
    if (known) return known;
    const day = Math.floor(this.#clock() / DAY_MS);
    const loss = { day, amount: BigInt(this.#find.get(accountId, day)?.loss ?? 0) };
    this.#byAccount.set(accountId, loss);
    return loss;
  }

  /** A receipt is on disk. A request that began before midnight may end behind one that began after it. */
  add(row: ReceiptRow): void {
    const amount = row[AT.inputLoss];
    if (amount === 0n) return;
    const loss = this.#of(row[AT.accountId]);
    const day = dayOf(row);
    if (day < loss.day) return;
    loss.amount = day === loss.day ? loss.amount + amount : amount;
    loss.day = day;
  }
}
