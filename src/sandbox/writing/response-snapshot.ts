import type { TokenCounts } from "../faults.ts";
import { isRecord, type JsonRecord, listOf } from "../json.ts";
import type { Prompt } from "../reading/prompt.ts";

export interface Outcome {
  readonly incomplete: boolean;
  readonly output: readonly JsonRecord[];
  readonly counts: TokenCounts | null;
}

/** The response object with every field the wire requires; no outcome means it has just begun. */
export function responseSnapshot(
  prompt: Prompt,
  id: string,
  nowMs: number,
  outcome: Outcome | null,
): JsonRecord {
  const seconds = Math.floor(nowMs / 1_000);
  const incomplete = outcome?.incomplete === true;
  const status = outcome === null ? "in_progress" : incomplete ? "incomplete" : "completed";
  return {
    id,
    object: "response",
    created_at: seconds,
    completed_at: status === "completed" ? seconds : null,
    status,
    incomplete_details: incomplete ? { reason: "max_output_tokens" } : null,
    model: prompt.model.id,
    previous_response_id: null,
    output: outcome?.output ?? [],
    error: null,
    ...echoedFields(prompt),
    usage: outcome === null || outcome.counts === null ? null : usageOf(outcome.counts),
  };
}

/** What the request said, or what holds when it said nothing. */
function echoedFields(prompt: Prompt): JsonRecord {
  const { body } = prompt;
  const text = isRecord(body.text) ? body.text : {};
  const tier = body.service_tier;
  return {
    instructions: body.instructions ?? null,
    tools: listOf(body.tools).map(echoTool),
    tool_choice: body.tool_choice ?? "auto",
    truncation: body.truncation ?? "disabled",
    parallel_tool_calls: prompt.parallelToolCalls,
    text: { ...text, format: text.format ?? { type: "text" } },
    top_p: body.top_p ?? 1,
    presence_penalty: body.presence_penalty ?? 0,
    frequency_penalty: body.frequency_penalty ?? 0,
    top_logprobs: prompt.topLogprobs ?? 0,
    temperature: body.temperature ?? 1,
    reasoning: echoReasoning(prompt),
    max_output_tokens: prompt.outputTokensMax,
    max_tool_calls: body.max_tool_calls ?? null,
    store: body.store ?? true,
    background: false,
    service_tier: typeof tier === "string" && tier !== "auto" ? tier : "default",
    metadata: body.metadata ?? {},
    safety_identifier: body.safety_identifier ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
  };
}

/** A model that cannot reason says so by echoing no effort. */
function echoReasoning(prompt: Prompt): JsonRecord {
  const given = isRecord(prompt.body.reasoning) ? prompt.body.reasoning : {};
  const effort = given.effort === "none" ? "none" : prompt.effort;
  return { effort, summary: given.summary ?? null };
}

function echoTool(tool: unknown): unknown {
  if (!isRecord(tool) || tool.type !== "function") return tool;
  return {
    ...tool,
    description: tool.description ?? null,
    parameters: tool.parameters ?? null,
    strict: tool.strict ?? null,
  };
}

function usageOf(counts: TokenCounts): JsonRecord {
  return {
    input_tokens: counts.input,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: counts.output,
    output_tokens_details: { reasoning_tokens: counts.reasoning },
    total_tokens: counts.input + counts.output,
  };
}
