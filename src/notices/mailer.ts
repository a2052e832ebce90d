import { within } from "../lib/clock.ts";
import type { Log } from "../telemetry/log.ts";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** What the reader is asked to open; where it is known, a log line needs no more than that. */
  readonly link?: string;
  /** The same for every attempt, so that a mailbox can tell a second copy. */
  readonly id?: string;
}

interface MailSettings {
  /** `smtp://user:password@host:587` or `smtps://…` */
  readonly smtpUrl: string | undefined;
  /** `Faregate <no-reply@example.com>` */
  readonly from: string;
  readonly sendMs: number;
}

/** Nothing will make this arrive. */
export class UndeliverableError extends Error {
  override readonly name = "UndeliverableError";
}

/**
 * Whether the mail server has refused this mail or its address for good. A login that is refused is
 * not: that is about our settings, which somebody may put right.
 */
function isForGood(thrown: unknown): thrown is Error {
  if (!(thrown instanceof Error)) return false;
  const { code, responseCode } = thrown as { code?: unknown; responseCode?: unknown };
  const status = Number(responseCode);
  return (code === "EENVELOPE" || code === "EMESSAGE") && status >= 500 && status < 600;
}

/** Sends mail by SMTP. */
export class Mailer {
  readonly #settings: MailSettings;
  readonly #log: Log;

  constructor(settings: MailSettings, log: Log) {
    this.#settings = settings;
    this.#log = log;
  }

  /** Whether there is a mail server; without one, mail becomes log lines. */
  get configured(): boolean {
    return this.#settings.smtpUrl !== undefined;
  }

  /** Resolves once the mail server has taken it, and throws when it has not or never will. */
  async send(mail: Mail): Promise<void> {
    const { smtpUrl, from, sendMs } = this.#settings;
    if (smtpUrl === undefined) {
      const { to, subject, text, link } = mail;
      const content = link === undefined ? { text } : { link };
      this.#log.warn("mail_not_sent", { to, subject, ...content });
      return;
    }
    // Large, and of no use to whoever sends no mail.
    const { createTransport } = await import("nodemailer");
    const transport = createTransport({
      url: smtpUrl,
      connectionTimeout: sendMs,
      greetingTimeout: sendMs,
      socketTimeout: sendMs,
      dnsTimeout: sendMs,
      // What is in a mail comes from us; nothing in it may name a file or an address to read.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      const sending = transport.sendMail({
        from,
        // As an object, or a comma in it would make two.
        to: { name: "", address: mail.to },
        subject: mail.subject,
        text: mail.text,
        ...(mail.html === undefined ? {} : { html: mail.html }),
        headers: { "auto-submitted": "auto-generated" },
        ...(mail.id === undefined ? {} : { messageId: `<${mail.id}@faregate>` }),
      });
      await within(sending, sendMs, `the mail server took longer than ${sendMs} ms`);
    } catch (thrown) {
      throw isForGood(thrown) ? new UndeliverableError(thrown.message, { cause: thrown }) : thrown;
    } finally {
      transport.close();
    }
  }
}
