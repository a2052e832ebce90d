import { BALANCE_MAX, CREDIT_MAX, formatUsd, type NanoUsd } from "../catalogue/money.ts";
import { Fault } from "../lib/faults.ts";
import type { Credit } from "./books.ts";
import type { LedgerStore } from "./store.ts";

/** As far as both databases count. */
const COUNTED_MAX: NanoUsd = 2n ** 63n - 1n;

/** The most that an account may have been credited before, for this credit to be made. What is given back was there before. */
export function creditedBeforeMax({ kind, amount }: Credit): NanoUsd {
  return (kind === "restore" ? COUNTED_MAX : BALANCE_MAX) - amount;
}

function tooMuch(words: string): Fault {
  return new Fault("decimal_above_max_value", words, { param: "amount" });
}

/** The same ledger, which says why where a credit is more than one may be, or more than its account can take. */
export function withCreditLimit(ledger: LedgerStore): LedgerStore {
  return {
    ...ledger,
    async credit(credit) {
      const { accountId, amount, kind } = credit;
      if (amount > CREDIT_MAX && kind !== "restore") {
        throw tooMuch(`A credit is at most ${formatUsd(CREDIT_MAX)} USD; make several of it.`);
      }
      try {
        return await ledger.credit(credit);
      } catch (thrown) {
        const balance = await ledger.balance(accountId).catch(() => undefined);
        const credited = balance?.credited ?? 0n;
        if (credited <= creditedBeforeMax(credit)) throw thrown;
        throw tooMuch(
          `The account has been credited ${formatUsd(credited)} USD, and an account can be credited ` +
            `${formatUsd(BALANCE_MAX)} in all; credit less, or another account.`,
        );
      }
    },
  };
}
