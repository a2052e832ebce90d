import type { Log } from "../../telemetry/log.ts";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The command that does the same where nothing can send mail. */
  readonly instead?: string | undefined;
}

export type SendMail = (mail: Mail) => Promise<void>;

/**
 * Where nothing can send mail, the operator finds in the log what to do. What stands in a mail lets
 * people in, so it is not there: a log is read by more than one, and kept for long.
 */
export function mailToLog(log: Log): SendMail {
  return async ({ to, subject, instead = "set FAREGATE_SMTP_URL" }) =>
    log.warn("mail_not_sent", { to, subject, instead });
}
