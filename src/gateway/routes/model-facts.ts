import { type Model, priceAt } from "../../catalogue/models.ts";
import { formatPico } from "../../catalogue/money.ts";
import type { JsonObject } from "../../protocols/fields.ts";

/** What is never sent to a model here, whatever it could read: nobody can price it. */
const UNPRICED = ["audio", "video"];

/** Dollars for one token, one request or one search, as decimals. Of a long prompt the receipt may have another price. */
function pricing(model: Model, nowMs: number): JsonObject {
  const rates = priceAt(model, nowMs)?.rates;
  if (!rates) return {};
  return {
    prompt: formatPico(rates.input),
    completion: formatPico(rates.output),
    input_cache_read: formatPico(rates.cacheRead),
    input_cache_write: formatPico(rates.cacheWrite),
    request: "0",
    image: "0",
    ...(model.webSearch ? { web_search: formatPico(rates.webSearch) } : {}),
  };
}

/** What a chat may ask of a model so that it has an effect, by OpenAI's and OpenRouter's names. */
function parameters({ capabilities, rules, webSearch, maxOutput }: Model): string[] {
  if (maxOutput === 0) return [];
  const can = (capability: Model["capabilities"][number]) => capabilities.includes(capability);
  const thinks = can("reasoning") && !rules.includes("never_thinks");
  return [
    ...["max_tokens", "max_completion_tokens", "stop", "response_format"],
    ...(rules.includes("no_sampling") ? [] : ["temperature", "top_p"]),
    ...(can("tools") ? ["tools", "tool_choice", "parallel_tool_calls"] : []),
    ...(can("json_schema") ? ["structured_outputs"] : []),
    ...(thinks ? ["reasoning", "include_reasoning", "reasoning_effort"] : []),
    ...(webSearch ? ["web_search_options"] : []),
  ];
}

/** What a model costs, holds and can do, in the members that OpenRouter has for it. */
export function modelFacts(model: Model, nowMs: number): JsonObject {
  const { context, maxOutput, modalities } = model;
  const input = modalities.input.filter((kind) => !UNPRICED.includes(kind));
  const output = maxOutput === 0 ? ["embeddings"] : modalities.output;
  return {
    name: model.displayName,
    context_length: context,
    architecture: {
      modality: `${input.join("+")}->${output.join("+")}`,
      input_modalities: input,
      output_modalities: output,
      instruct_type: null,
    },
    pricing: pricing(model, nowMs),
    top_provider: {
      context_length: context,
      max_completion_tokens: maxOutput === 0 ? null : maxOutput,
      is_moderated: false,
    },
    per_request_limits: null,
    supported_parameters: parameters(model),
  };
}
