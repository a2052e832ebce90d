import type { AutoTopUp, AutoTopUpChanges } from "../../../src/payments/contract/wallet.ts";
import { readAmount } from "../../lib/forms/amount.ts";
import { changed } from "../../lib/forms/changed.ts";

/** What the form holds, as it was typed. */
type AutoValues = ReturnType<typeof valuesOf>;

export function valuesOf(settings: AutoTopUp | null) {
  return {
    enabled: settings ? settings.enabled || settings.waiting_for_card : false,
    threshold: settings?.threshold ?? "5",
    amount: settings?.amount ?? "20",
    // Empty: as many top-ups as where nobody says how much.
    daily_max: settings?.daily_max ?? "",
  };
}

function settingsOf(values: AutoValues): AutoTopUpChanges {
  return {
    enabled: values.enabled,
    threshold: readAmount(values.threshold),
    amount: readAmount(values.amount),
    daily_max: readAmount(values.daily_max) ?? null,
  };
}

/** What is not said stays as it is: somebody, or a dispute, may have switched it off since it was read. */
export function bodyOf(values: AutoValues, settings: AutoTopUp | null): AutoTopUpChanges {
  const form = settingsOf(values);
  return settings ? changed(form, settingsOf(valuesOf(settings))) : form;
}
