// What a vendor is asked of a request: no more than it can write, and than there is money for.
import type { Model } from "../../catalogue/models.ts";
import type { NanoUsd } from "../../catalogue/money.ts";
import { unsupported } from "../../protocols/fields.ts";
import { asksNothing } from "../../protocols/unpriced.ts";
import type { ClientRequest, UpstreamBody, UpstreamOptions } from "../../protocols/wire.ts";
import type { UpstreamCall } from "../../upstream/channels/channels.ts";
import type { Attempt } from "../../upstream/plans/attempt.ts";
import { passedHeaders } from "../../upstream/request-headers.ts";
import { isMetered } from "../money/metering.ts";
import { higherSearchLimit } from "../money/sizing.ts";
import type { Services } from "../services.ts";
import type { Dispatch } from "./dispatch.ts";

/** The output maximum of a model, where a client asks for more than the model can write. */
function ownMaximum({ maxOutput = 0 }: ClientRequest, model: Model): number | undefined {
  return maxOutput > model.maxOutput ? model.maxOutput : undefined;
}

/** The client's maxima that are lowered for a vendor, whatever money there is. */
interface Lowered {
  /** The most output of an answer. */
  readonly output: number | undefined;
  /** The most searches, with the client's name of the member: `max_tool_calls=4`. */
  readonly searches: string | undefined;
}

export function loweredFor(
  dispatch: Dispatch,
  model: Model,
  attempt: Attempt,
): Lowered | undefined {
  const output = ownMaximum(dispatch.request, model);
  const searches = loweredSearches(dispatch, model, attempt);
  return output === undefined && searches === undefined ? undefined : { output, searches };
}

/** Gemini's wire has no maximum of searches. */
function loweredSearches(
  { admitted, request }: Dispatch,
  model: Model,
  { endpoint, runsSearches }: Attempt,
): string | undefined {
  if (!request.webSearch || !runsSearches || endpoint === "gemini") return undefined;
  const { searches } = admitted.allowance.sizeOf(model);
  const name = higherSearchLimit(request.body, searches);
  return name && `${name}=${searches}`;
}

/**
 * What cannot be ended where the money ends is asked for no more than it buys: whole answers, those
 * whose tokens are not seen, and those that are billed to their end anyway.
 */
export function clampOf(
  { admitted, request }: Dispatch,
  model: Model,
  { channel }: Attempt,
): number | undefined {
  const ends = isMetered(request, model) && channel.onDisconnect === "abort";
  return ends ? undefined : admitted.allowance.clampOf(model);
}

/** What is asked of this vendor beyond the lists, as it is really asked, and no more than is held for it. */
export function feeOf(
  { admitted }: Dispatch,
  model: Model,
  { channel: { allows } }: Attempt,
  sent: UpstreamBody,
): NanoUsd {
  if (!allows.hasFees) return 0n;
  const fee = allows.fee(sent.value);
  const { fee: held } = admitted.allowance.sizeOf(model);
  return fee < held ? fee : held;
}

/** What the vendor's wire is to know of the request. */
export function optionsOf(
  { admitted, request, turn }: Dispatch,
  model: Model,
  attempt: Attempt,
  clamp: number | undefined,
): UpstreamOptions {
  return {
    model: attempt.upstreamModel,
    outputClamp: clamp ?? ownMaximum(request, model),
    keepReasoning: turn.keepReasoning && model.capabilities.includes("reasoning"),
    maxOutput: model.maxOutput,
    rules: model.rules,
    dialect: attempt.dialect,
    allows: attempt.channel.allows,
    webSearch: attempt.runsSearches && model.webSearch,
    searchesMax: admitted.allowance.sizeOf(model).searches,
  };
}

/** OpenRouter's member for whom a request may go to and who may keep it. */
const PROVIDER = "provider";

/**
 * The members that the vendor is not told, named for the client. A choice of provider is refused instead: an answer
 * from a vendor that keeps the request is not the answer that was asked for.
 */
export function droppedOf(
  { request }: Dispatch,
  { dropped }: Pick<UpstreamBody, "dropped">,
): readonly string[] {
  if (!dropped.includes(PROVIDER)) return dropped;
  if (asksNothing(request.body.provider)) return dropped.filter((name) => name !== PROVIDER);
  throw unsupported(PROVIDER, "The gateway chooses the vendor; leave it out.");
}

export function callOf(
  { wires }: Pick<Services, "wires">,
  { admitted, request, asked }: Dispatch,
  { endpoint, upstreamModel }: Attempt,
  body: UpstreamCall["body"],
): UpstreamCall {
  const { requestId, trace } = admitted.caller;
  const passed = passedHeaders(endpoint, asked);
  return {
    endpoint,
    path: wires[endpoint].path(upstreamModel, request.stream),
    body,
    stream: request.stream,
    requestId,
    headers: trace ? trace.headersWith(passed) : passed,
    sandboxFault: asked.get("x-sandbox-fault") ?? undefined,
  };
}
