import type { Model } from "../../catalogue/models.ts";
import { isObject } from "../../protocols/fields.ts";
import type { ClientRequest } from "../../protocols/wire.ts";

/** Whether a request says anything of how a model is to think, in the words of any wire. */
function asksToThink({ body }: Pick<ClientRequest, "body">): boolean {
  const { reasoning, reasoning_effort, thinking, generationConfig, output_config } = body;
  const { enable_thinking, thinking_budget, chat_template_kwargs } = body;
  const inside = (value: unknown, name: string) => (isObject(value) ? value[name] : undefined);
  const words = [
    reasoning_effort,
    enable_thinking,
    thinking_budget,
    chat_template_kwargs,
    // Whatever stands in it: an effort, a number of tokens, that it shall at all.
    ...(isObject(reasoning) ? Object.values(reasoning) : []),
    inside(thinking, "type"),
    inside(output_config, "effort"),
    inside(generationConfig, "thinkingConfig"),
  ];
  return words.some(
    (word) => word !== undefined && word !== null && word !== false && word !== "disabled",
  );
}

/** Whether a model may write tokens for this request that nobody but its vendor sees. */
function thinksUnseen(
  request: Pick<ClientRequest, "body">,
  { capabilities, rules }: Model,
): boolean {
  if (!capabilities.includes("reasoning") || rules.includes("open_thinking")) return false;
  return !rules.includes("thinks_when_asked") || asksToThink(request);
}

/**
 * Whether all that a model writes for a request is seen while it is written, so that it can be ended
 * where the money ends. What cannot is asked for no more than the money buys.
 */
export function isMetered(request: Pick<ClientRequest, "stream" | "body">, model: Model): boolean {
  return request.stream && !thinksUnseen(request, model);
}
