import { systemClock } from "../../../lib/clock.ts";
import { newId } from "../../../lib/ids.ts";
import type { AnswerStatus } from "../../canon.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { type LongMembers, longMembers } from "../../members/long-members.ts";
import { present, text } from "../../optional.ts";
import type { Usage } from "../../usage.ts";
import type { AnswerOptions, ClientRequest } from "../../wire.ts";
import { writeResponseUsage } from "../usage.ts";

function seconds(): number {
  return Math.floor(systemClock() / 1_000);
}

function writeTool(tool: unknown): unknown {
  if (!isObject(tool) || tool.type !== "function") return tool;
  return { description: null, parameters: null, strict: null, ...tool };
}

/**
 * What a response repeats of its request: what that said, or what holds where it said nothing. Numbers are never null
 * here.
 */
export function echoOf({ body }: ClientRequest): JsonObject {
  const shape = isObject(body.text) ? body.text : {};
  const reasoning = isObject(body.reasoning) ? body.reasoning : {};
  return {
    previous_response_id: body.previous_response_id ?? null,
    instructions: body.instructions ?? null,
    tools: Array.isArray(body.tools) ? body.tools.map(writeTool) : [],
    tool_choice: body.tool_choice ?? "auto",
    truncation: body.truncation ?? "disabled",
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    text: { ...shape, format: shape.format ?? { type: "text" } },
    top_p: body.top_p ?? 1,
    presence_penalty: body.presence_penalty ?? 0,
    frequency_penalty: body.frequency_penalty ?? 0,
    top_logprobs: body.top_logprobs ?? 0,
    temperature: body.temperature ?? 1,
    reasoning: { effort: reasoning.effort ?? null, summary: reasoning.summary ?? null },
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    store: body.store ?? true,
    background: false,
    service_tier: "default",
    metadata: body.metadata ?? {},
    safety_identifier: body.safety_identifier ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    ...present({ user: text(body.user) }),
  };
}

/** Of that, what is long. What we say instead of it is never. */
export function encodeEcho(
  request: ClientRequest,
  { echo, isKept = false }: AnswerOptions,
): Promise<LongMembers | undefined> {
  const repeated = Object.entries(echoOf(request)).filter(([name]) => !Object.hasOwn(echo, name));
  return longMembers(Object.fromEntries(repeated), isKept);
}

/**
 * The response object at its beginning, with every member that the wire requires. Other wires' ids
 * are not handed on: clients take what begins otherwise for something else.
 */
export function beginResponse(
  echo: JsonObject,
  { model }: AnswerOptions,
  id: string | undefined,
): JsonObject {
  return {
    id: id?.startsWith("resp_") ? id : newId("resp_"),
    object: "response",
    created_at: seconds(),
    completed_at: null,
    status: "in_progress",
    incomplete_details: null,
    model,
    output: [],
    error: null,
    ...echo,
    usage: null,
  };
}

interface Outcome extends AnswerStatus {
  readonly output: readonly JsonObject[];
  readonly usage: Usage | undefined;
}

/** The same object at its end. */
export function endResponse(begun: JsonObject, outcome: Outcome): JsonObject {
  const { status, output, usage } = outcome;
  const reason = outcome.reason ?? "max_output_tokens";
  return {
    ...begun,
    status,
    completed_at: status === "completed" ? seconds() : null,
    incomplete_details: status === "incomplete" ? { reason } : null,
    output,
    usage: usage ? writeResponseUsage(usage) : null,
  };
}
