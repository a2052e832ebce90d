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

export interface ClaimedNotice extends NewNotice {
  /** With this one counted. */
  readonly attempts: number;
}
