/** One message to one address, as it will be sent. */
export interface NewNotice {
  readonly id: string;
  readonly accountId: string;
  readonly kind: string;
  readonly channel: "email" | "webhook";
  /** An e-mail address; empty for a webhook, whose address is looked up when it is called. */
  readonly address: string;
  readonly subject: string;
  /** The body of a webhook, or the plain part of a mail. */
  readonly text: string;
  readonly html: string;
  /** Where the reader can do something about it. */
  readonly link: string;
  readonly createdAtMs: number;
}

/** An alert as the history keeps it. */
export interface ReportedAlert {
  readonly id: string;
  readonly kind: string;
  /** Its subject in English and in Chinese. */
  readonly title: string;
  readonly titleZh: string;
  readonly toldAtMs: number;
}

/** One message about an alert, and how far it came. */
interface AlertNotice {
  readonly channel: "email" | "webhook";
  readonly address: string;
  readonly state: "queued" | "sent" | "failed";
  readonly error: string | null;
}

export interface PastAlert extends ReportedAlert {
  readonly accountId: string;
  readonly subject: string;
  /** Null while it still holds. What happens in a moment is over at once. */
  readonly endedAtMs: number | null;
  readonly notices: readonly AlertNotice[];
}

/** How the outbox does: messages that were tried in vain and wait, or were given up lately. */
export interface OutboxTrouble {
  readonly waiting: number;
  readonly givenUp: number;
  readonly sinceMs: number;
  readonly error: string | null;
}

export interface ClaimedNotice extends NewNotice {
  /** With this one counted. */
  readonly attempts: number;
}
