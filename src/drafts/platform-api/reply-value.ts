import { Fault } from "../../lib/faults.ts";
import type { Reply } from "./platform-http.ts";
import { refusalFault, unreached } from "./refusal.ts";

export const UNKNOWN_MEDIA_ID = 40007;

/** The box has no such draft. */
export function isGone(reply: Reply<unknown>): boolean {
  return reply.kind === "refused" && reply.refusal.errcode === UNKNOWN_MEDIA_ID;
}

/** The value, or the fault that the reply is. */
export function replyValue<T>(reply: Reply<T>, facts: Readonly<Record<string, unknown>> = {}): T {
  if (reply.kind === "ok") return reply.value;
  if (reply.kind === "refused") throw refusalFault(reply.refusal, facts);
  if (!reply.sent) throw refusalFault(unreached(reply.reason, "unreachable"), facts);
  throw unknownFault(reply.reason, facts);
}

export function unknownFault(reason: string, facts: Readonly<Record<string, unknown>>): Fault {
  const message = `It is not known what the platform did: ${reason}`;
  return new Fault("platform_unknown", message, { facts: { reason, ...facts } });
}
