import type { Log } from "../../telemetry/log.ts";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export type SendMail = (mail: Mail) => Promise<void>;

/** Where nothing can send mail, the operator finds what would have been sent in the log. */
export function mailToLog(log: Log): SendMail {
  return async ({ to, subject, text }) => log.warn("mail_not_sent", { to, subject, text });
}
