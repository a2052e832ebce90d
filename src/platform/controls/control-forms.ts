import type { AccountChanges } from "../account.ts";
import type { AccountWishes, FaultWishes } from "../contract/controls.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { Interruption } from "./interruptions.ts";

/** What is wished for in the words of the platform; what is not there stays as it is. */
export function accountChanges(form: AccountWishes): AccountChanges {
  return {
    ...(form.name !== undefined && { name: form.name }),
    ...(form.type !== undefined && { type: form.type }),
    ...(form.verified !== undefined && { verified: form.verified }),
    ...(form.comments !== undefined && { commentRight: form.comments }),
    ...(form.product !== undefined && { productRight: form.product }),
    ...(form.networks !== undefined && { ipList: form.networks }),
    ...(form.frozen !== undefined && { frozen: form.frozen }),
    ...(form.callback !== undefined && { callbackUrl: form.callback ?? undefined }),
  };
}

function effectOf(form: FaultWishes): Interruption["effect"] {
  if (form.errcode !== undefined) return { kind: "errcode", errcode: form.errcode };
  if (form.http !== undefined) return { kind: "http", status: form.http };
  if (form.answer !== undefined) return { kind: "answer", answer: form.answer as JsonObject };
  return { kind: form.drop_before_commit || form.drop_after_commit ? "drop" : "none" };
}

export function interruptionOf(form: FaultWishes): Interruption {
  const afterCommit = form.after_commit || form.drop_after_commit === true;
  const { route, delay_ms: delayMs } = form;
  return { route, delayMs, afterCommit, effect: effectOf(form) };
}
