import type { KeyChanges } from "../../accounts/account.ts";
import { Fault } from "../../lib/faults.ts";
import type { ReadKeyBody } from "../contract/keys.ts";

/** What a form is checked against beside its contract. */
export interface KeyFormContext {
  readonly nowMs: number;
  readonly modelExists: (id: string) => boolean;
}

/** What only this moment can tell: whether models are there, and whether a time has passed. */
export function checkForm<Form extends ReadKeyBody>(form: Form, context: KeyFormContext): Form {
  const unknown = form.models?.findIndex((id) => !context.modelExists(id)) ?? -1;
  if (unknown >= 0) {
    const message = "There is no model of this name; the list of models has them all.";
    throw new Fault("invalid_value", message, { param: `models.${unknown}` });
  }
  if (form.expires_at && Date.parse(form.expires_at) <= context.nowMs) {
    const message = "This time has passed; choose a later one.";
    throw new Fault("invalid_value", message, { param: "expires_at" });
  }
  return form;
}

/** A form as the settings of a key. What was not said is not there. */
export function toChanges(form: ReadKeyBody): KeyChanges {
  const said = {
    name: form.name,
    enabled: form.enabled,
    budgets: form.budgets,
    models: form.models,
    networks: form.networks,
    requestsPerMinute: form.rpm === null ? 0 : form.rpm,
    tokensPerMinute: form.tpm === null ? 0 : form.tpm,
    concurrency: form.concurrency === null ? 0 : form.concurrency,
    expiresAtMs:
      typeof form.expires_at === "string" ? Date.parse(form.expires_at) : form.expires_at,
    hard: form.hard,
    accountRead: form.account_read,
    showCost: form.show_cost,
  };
  const entries = Object.entries(said).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as KeyChanges;
}
