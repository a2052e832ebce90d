import type { PresentedKey } from "../../accounts/account.ts";
import { type HoldTerms, judge, type Scope } from "../../admission/judge.ts";
import { ratesFor } from "../../catalogue/models.ts";
import { formatUsd, worstCase } from "../../catalogue/money.ts";
import { planVersion } from "../../catalogue/price-version.ts";
import type { AnswerOf } from "../../lib/contract.ts";
import type { Incoming } from "../../lib/route.ts";
import { isObject, missing } from "../../protocols/fields.ts";
import type { Wire } from "../../protocols/wire.ts";
import type { Wires } from "../../protocols/wires.ts";
import type { Caller } from "../admitted-request.ts";
import { findCandidates } from "../arriving/find-model.ts";
import { identify, identifyAgain, isLate } from "../arriving/identify.ts";
import { readRequest } from "../arriving/read-request.ts";
import { takeBody } from "../arriving/take-body.ts";
import type { ESTIMATE } from "../contract/spending.ts";
import { scopesOf } from "../money/scopes.ts";
import { holdTerms, isHeldAtContext, outputFor, type Size, size } from "../money/sizing.ts";
import type { Services } from "../services.ts";
import { openStoredTurn } from "../stored-turn.ts";

/** How far back the account's own requests say what is typical. */
const TYPICAL_MS = 30 * 86_400_000;

/** Which call a body is for: each of the two has a member that the other has not. */
function wireOf(body: unknown, wires: Wires): Wire {
  if (isObject(body) && body.messages !== undefined) return wires.chat;
  if (isObject(body) && body.input === undefined) throw missing("input");
  return wires.responses;
}

/** Output tokens of an average request of this account to this model; undefined without one. */
async function typicalOutput(
  services: Services,
  { key, timeBudget }: Caller,
  model: string,
): Promise<number | undefined> {
  const asked = {
    accountId: key.accountId,
    keyId: key.accountRead ? undefined : key.id,
    ...{ model, sinceMs: services.clock() - TYPICAL_MS, keysTogether: true },
  };
  const rows = await services.books.usage(asked, timeBudget);
  let requests = 0;
  let tokens = 0;
  for (const row of rows) {
    requests += row.requests - row.failures;
    tokens += row.outputTokens;
  }
  return requests > 0 ? Math.ceil(tokens / requests) : undefined;
}

/** What a call would hold if it were made at this moment, as far as its key may know; or what stands in its way. */
function admissionOf({ accountRead }: PresentedKey, scopes: readonly Scope[], terms: HoldTerms) {
  const verdict = judge(scopes, terms);
  if (verdict.kind === "admit") {
    const mayKnow = accountRead || !verdict.byBalance;
    return { admitted: true, held: mayKnow ? verdict.allowance : null, reason: null };
  }
  const reason = verdict.kind === "wait" ? ("budget_busy" as const) : ("budget_exceeded" as const);
  return { admitted: false, held: null, reason };
}

/** What a call would cost, without making it. The body is the one of the call itself. */
export async function estimate(
  services: Services,
  incoming: Incoming,
): Promise<AnswerOf<typeof ESTIMATE>> {
  let caller = await identify(services, "estimate", incoming);
  const body = await takeBody(services, caller, incoming);
  try {
    if (isLate(services, caller)) caller = await identifyAgain(services, caller, incoming);
    const wire = wireOf(body.value, services.wires);
    const request = await readRequest(wire, body);
    const candidates = findCandidates(services, caller.key, request, wire.endpoint);
    const { request: whole } =
      wire.endpoint === "responses"
        ? await openStoredTurn(services, caller, request, body)
        : { request };
    const { routes, limits, clock } = services;
    const atContext = isHeldAtContext(caller.key, limits, clock());
    const sizing = size({ routes, limits, atContext }, wire, whole, candidates);
    const [{ model, priced }] = candidates;
    const own = sizing.sizes[0] as Size;
    const known = await typicalOutput(services, caller, model.id);
    const unknown = services.limits.typical_output_tokens_default * request.choices;
    const output = Math.min(known ?? unknown, own.output);
    const input = sizing.inputTokens;
    const rates = ratesFor(priced, input);
    const scopes = await scopesOf(services, caller);
    const terms = holdTerms(caller.key, services.limits, sizing);
    const { admitted, held, reason } = admissionOf(caller.key, scopes, terms);
    return {
      object: "estimate",
      model: model.id,
      input_tokens: input,
      max_input_tokens: own.input,
      max_output_tokens: own.output,
      room_output_tokens: held === null ? null : (outputFor(own, held) ?? own.output),
      typical_output_tokens: output,
      currency: "usd",
      price_version: planVersion(priced.version),
      worst_case: formatUsd(sizing.worst),
      typical: formatUsd(worstCase(rates, { input, output, webSearches: 0 }) + own.fee),
      typical_source: known === undefined ? "default" : "history",
      admitted,
      reason,
      held: held === null ? null : formatUsd(held),
    };
  } finally {
    body.release();
  }
}
