import { exactUsd } from "./amounts.ts";
import { type Language, type WrittenLetter, writeLetter } from "./letter.ts";
import { momentsIn } from "./moment.ts";
import type { Occurrence } from "./occurrence.ts";
import { ENGLISH } from "./words-en.ts";
import { CHINESE } from "./words-zh.ts";

interface Phrase {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** What the link is called. */
  readonly action: string;
}

type Of<Kind extends Occurrence["kind"]> = Extract<Occurrence, { readonly kind: Kind }>;

/** One language. Each kind of occurrence has its words, or the table does not compile. */
export type Phrases = {
  readonly [Kind in Occurrence["kind"]]: (
    occurrence: Of<Kind>,
    moment: (atMs: number) => string,
  ) => Phrase;
};

const LANGUAGES: Readonly<Record<Language, Phrases>> = { en: ENGLISH, zh: CHINESE };

const FOOTERS: Readonly<Record<Language, string>> = {
  en: "You get this because alerts are on for your Faregate account. Change them in Wallet, under Alerts.",
  zh: "您收到这封邮件，是因为您的 Faregate 账户开启了提醒。可在「钱包」的「提醒」中更改。",
};

const PAGES: Partial<Record<Occurrence["kind"], string>> = {
  low_balance: "/wallet",
  auto_topup_failed: "/wallet",
  payment_disputed: "/wallet",
  spend_spike: "/usage",
  model_deprecation: "/models",
  vendor_down: "/operator/channels",
  input_loss: "/operator/ledger?tab=input",
};

/** The page of the console where something can be done about it. */
function pageOf(occurrence: Occurrence): string {
  if (occurrence.kind === "budget") return `/keys/${encodeURIComponent(occurrence.budget.keyId)}`;
  return PAGES[occurrence.kind] ?? "/wallet?tab=alerts";
}

function phrase<Kind extends Occurrence["kind"]>(
  phrases: Phrases,
  kind: Kind,
  occurrence: Of<Kind>,
  timeZone: string | null,
): Phrase {
  return phrases[kind](occurrence, momentsIn(timeZone));
}

/**
 * @param consoleUrl Where the console is, such as "https://example.com/console".
 * @param timeZone The reader's; times are in UTC without one.
 */
export function wordsFor(
  occurrence: Occurrence,
  language: Language,
  consoleUrl: string,
  timeZone: string | null = null,
): WrittenLetter {
  const phrases = LANGUAGES[language];
  const { subject, paragraphs, action } = phrase(phrases, occurrence.kind, occurrence, timeZone);
  const url = consoleUrl + pageOf(occurrence);
  const letter = { subject, paragraphs, action: { label: action, url }, footer: FOOTERS[language] };
  return writeLetter(letter, language);
}

/** The facts of an occurrence as programs read them. */
function dataOf(occurrence: Occurrence): Record<string, unknown> {
  switch (occurrence.kind) {
    case "low_balance":
      return {
        balance: exactUsd(occurrence.balance),
        threshold: exactUsd(occurrence.threshold),
      };
    case "budget": {
      const { id, keyId, keyName, period, max, used, resetsAtMs } = occurrence.budget;
      return {
        percent: occurrence.percent,
        key_id: keyId,
        key_name: keyName,
        budget: { id, amount: exactUsd(max), used: exactUsd(used), period },
        resets_at: resetsAtMs === null ? null : new Date(resetsAtMs).toISOString(),
      };
    }
    case "spend_spike":
      return { spent: exactUsd(occurrence.spent), usual: exactUsd(occurrence.usual) };
    case "model_deprecation": {
      const { model, on, replacement = null } = occurrence.end;
      return { model, deprecates_on: on, replacement };
    }
    case "vendor_down": {
      const { id, name, vendor, state, reason = null, message = null } = occurrence.channel;
      const { burst = null } = occurrence;
      return { channel: id, name, vendor, state, reason, message, calls: burst };
    }
    case "input_loss": {
      const { of, id, name, day, amount } = occurrence.loss;
      return { of, id, name, day, loss: exactUsd(amount) };
    }
    case "auto_topup_failed": {
      const { amount, reason, off } = occurrence;
      return { amount: exactUsd(amount), reason, switched_off: off };
    }
    case "payment_disputed":
      return { amount: exactUsd(occurrence.amount), taken: exactUsd(occurrence.taken) };
    case "webhook_disabled":
      return { url: occurrence.url, error: occurrence.error };
    case "test":
      return {};
  }
}

/** The body of a webhook. Receivers see the same id again when they are called again. */
export function eventFor(
  occurrence: Occurrence,
  event: { readonly id: string; readonly accountId: string; readonly createdAtMs: number },
  link: string,
): string {
  return JSON.stringify({
    id: event.id,
    object: "event",
    type: `alert.${occurrence.kind}`,
    created_at: new Date(event.createdAtMs).toISOString(),
    account_id: event.accountId,
    data: dataOf(occurrence),
    link,
  });
}
