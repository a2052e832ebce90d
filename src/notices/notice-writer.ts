import type { Clock } from "../lib/clock.ts";
import { newId } from "../lib/ids.ts";
import type { Recipient, Recipients } from "./facts.ts";
import { type Language, languageOf } from "./letter.ts";
import type { NewNotice, ReportedAlert } from "./notice.ts";
import type { Occurrence } from "./occurrence.ts";
import type { AlertSettings } from "./settings.ts";
import { eventFor, wordsFor } from "./words.ts";

type Ways = Pick<AlertSettings, "email" | "webhook">;

/** What operators alone hear. */
function isOfVendors(kind: Occurrence["kind"]): boolean {
  return kind === "vendor_down" || kind === "input_loss";
}

/** Turns an occurrence into the notices that tell it, one for each address. */
export class NoticeWriter {
  readonly #recipients: Recipients;
  readonly #consoleUrl: string;
  readonly #clock: Clock;

  constructor(recipients: Recipients, consoleUrl: string, clock: Clock) {
    this.#recipients = recipients;
    this.#consoleUrl = consoleUrl;
    this.#clock = clock;
  }

  async write(accountId: string, occurrence: Occurrence, settings: Ways): Promise<NewNotice[]> {
    const { email, webhook } = await this.#ways(accountId, occurrence, settings);
    const notices: NewNotice[] = [];
    if (email) {
      const people = await this.#people(accountId, occurrence);
      notices.push(...people.map((person) => this.#mail(accountId, occurrence, person)));
    }
    if (webhook?.enabled) notices.push(this.#event(accountId, occurrence));
    return notices;
  }

  /** The row of the history that says that this was told. */
  reportedAlert(occurrence: Occurrence): ReportedAlert {
    const titleIn = (language: Language) =>
      wordsFor(occurrence, language, this.#consoleUrl).subject;
    return {
      id: newId("alr_"),
      kind: occurrence.kind,
      title: titleIn("en"),
      titleZh: titleIn("zh"),
      toldAtMs: this.#clock(),
    };
  }

  /** What vendors tell the house is for operators: where no webhook of theirs hears it, they get mail. */
  async #ways(accountId: string, { kind }: Occurrence, ways: Ways): Promise<Ways> {
    if (!isOfVendors(kind)) return ways;
    const { webhook } = ways;
    const isHeard = webhook?.enabled && (webhook.byOperator || (await this.#isTheirs(accountId)));
    return isHeard ? ways : { email: true, webhook: null };
  }

  /** Whether operators alone own the account, and so a webhook of which nobody knows who has set it. */
  async #isTheirs(accountId: string): Promise<boolean> {
    const operators = new Set((await this.#recipients.operators()).map(({ email }) => email));
    return (await this.#recipients.owners(accountId)).every(({ email }) => operators.has(email));
  }

  #people(accountId: string, occurrence: Occurrence): Promise<readonly Recipient[]> {
    return isOfVendors(occurrence.kind)
      ? this.#recipients.operators()
      : this.#recipients.owners(accountId);
  }

  #mail(accountId: string, occurrence: Occurrence, person: Recipient): NewNotice {
    const { email, language, timeZone } = person;
    return {
      ...this.#blank(accountId, occurrence),
      channel: "email",
      address: email,
      ...wordsFor(occurrence, languageOf(language), this.#consoleUrl, timeZone),
    };
  }

  #event(accountId: string, occurrence: Occurrence): NewNotice {
    const blank = this.#blank(accountId, occurrence);
    const { subject, link } = wordsFor(occurrence, "en", this.#consoleUrl);
    const text = eventFor(occurrence, blank, link);
    return { ...blank, channel: "webhook", address: "", subject, text, html: "", link };
  }

  #blank(accountId: string, { kind }: Occurrence) {
    return { id: newId("ntc_"), accountId, kind, createdAtMs: this.#clock() };
  }
}
