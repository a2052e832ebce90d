import type { Translate } from "../../i18n/language.tsx";

/** What the house itself writes beside an entry. The books keep it in English for ever. */
const HOUSE_NOTES = {
  Stripe: "wallet.note_stripe",
  "Stripe, automatic": "wallet.note_stripeAutomatic",
  Epay: "wallet.note_epay",
  "Test payment (no real money)": "wallet.note_test",
  "Redeem code": "wallet.note_code",
  "Credit by the operator": "wallet.note_operator",
  "command line": "wallet.note_operator",
  "trial credit of a new installation": "wallet.note_trial",
  "Refund by Stripe": "wallet.note_refund",
  "Refund by the operator": "wallet.note_operator",
  "Refund that did not happen": "wallet.note_refundFailed",
  "Payment disputed by the payer's bank": "wallet.note_disputed",
  "Dispute won": "wallet.note_disputeWon",
  "Test credit reversed": "wallet.note_reversed",
} as const satisfies Record<string, Parameters<Translate>[0]>;

/** The note of an entry in the visitor's language. What a person wrote is shown as it is. */
export function noteWords(note: string, t: Translate): string {
  if (note.startsWith("sign-up credit of ")) return t("wallet.note_signUp");
  const known = Object.entries(HOUSE_NOTES).find(([text]) => text === note);
  return known ? t(known[1]) : note;
}
