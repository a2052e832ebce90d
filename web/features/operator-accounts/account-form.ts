import type { Translate } from "../../i18n/language.tsx";
import { compareDecimals } from "../../lib/decimal.ts";
import { readAmount } from "../../lib/forms/amount.ts";

const OVERDRAFT_USD_MAX = "100000000";

interface AccountValues {
  readonly name: string;
  readonly overdraft: string;
}

/** The overdraft as the API writes it, so that an unchanged one is not sent. Empty is none. */
export function overdraftOf({ overdraft }: Pick<AccountValues, "overdraft">): string {
  const amount = overdraft.trim() === "" ? "0" : (readAmount(overdraft) ?? overdraft);
  return amount.includes(".") ? amount : `${amount}.0`;
}

/** The problems of a form, by its fields. */
export function badAccount(values: AccountValues, t: Translate) {
  const amount = readAmount(overdraftOf(values));
  const isBad = amount === undefined || compareDecimals(amount, OVERDRAFT_USD_MAX) > 0;
  return {
    ...(values.name.trim() === "" && { name: t("errors.required") }),
    ...(isBad && { overdraft: t("operatorAccounts.overdraftBad") }),
  };
}
