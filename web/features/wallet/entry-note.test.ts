import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Translate } from "../../i18n/language.tsx";
import { noteWords } from "./entry-note.ts";

const t = ((key: string) => `<${key}>`) as Translate;
/** Who writes what, by the files of the server. */
const WRITTEN: readonly (readonly [file: string, ...notes: string[]])[] = [
  ["payments/orders.ts", "Stripe", "Epay", "Test payment (no real money)"],
  ["payments/codes.ts", "Redeem code"],
  ["payments/routes/operator-routes.ts", "Credit by the operator"],
  ["payments/refunds.ts", "Refund by Stripe", "Refund that did not happen"],
  ["payments/disputes.ts", "Payment disputed by the payer's bank", "Dispute won"],
  ["payments/providers/test-payment.ts", "Test credit reversed"],
  ["cli/account.ts", "command line"],
  ["cli/first-run.ts", "trial credit of a new installation"],
  ["accounts/sign-in/sign-up.ts", "sign-up credit of "],
];

describe("the note of an entry", () => {
  test("is translated where the house wrote it", () => {
    expect(noteWords("Redeem code", t)).toBe("<wallet.note_code>");
    expect(noteWords("Stripe, automatic", t)).toBe("<wallet.note_stripeAutomatic>");
    expect(noteWords("sign-up credit of 0.5 USD", t)).toBe("<wallet.note_signUp>");
  });

  test.each(["Goodwill for Tuesday", "", "toString"])("is shown as it is: %p", (note) => {
    expect(noteWords(note, t)).toBe(note);
  });

  test.each(WRITTEN)("of %s is known as it is written there", (file, ...notes) => {
    const source = readFileSync(new URL(`../../../src/${file}`, import.meta.url), "utf8");
    for (const note of notes) {
      expect(source).toContain(note);
      expect(noteWords(note, t)).toStartWith("<wallet.note_");
    }
  });
});
