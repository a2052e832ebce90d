import { Shape } from "../../members/shape.ts";

/** What may go to a vendor that bills for it: what the wire describes and tokens pay for. */
export const CHAT_PASSED: ReadonlySet<string> = new Set([
  ...["model", "messages", "stream", "stream_options", "n", "stop", "seed", "user"],
  ...["max_completion_tokens", "max_tokens", "temperature", "top_p"],
  ...["presence_penalty", "frequency_penalty", "logit_bias", "logprobs", "top_logprobs"],
  ...["tools", "tool_choice", "parallel_tool_calls", "functions", "function_call"],
  ...["response_format", "reasoning_effort", "verbosity", "prediction", "modalities"],
  ...["web_search_options", "safety_identifier", "prompt_cache_key", "prompt_cache_retention"],
  ...["metadata", "store", "service_tier", "usage"],
  ...["reasoning", "include_reasoning", "thinking"],
]);

const CALLED = new Shape(["name", "arguments", "input"]);
const CALL = new Shape(["id", "type", "index", "extra_content"], {
  function: CALLED,
  custom: CALLED,
});
const PART = new Shape(["type", "text", "refusal", "input_audio", "video_url", "cache_control"], {
  image_url: new Shape(["url", "detail"]),
  file: new Shape(["file_id", "file_data", "filename"]),
});
const MESSAGE = new Shape(
  [
    ...["role", "name", "tool_call_id", "refusal", "audio", "cache_control"],
    ...["reasoning", "reasoning_content", "reasoning_details"],
  ],
  { content: PART, tool_calls: CALL, function_call: CALLED },
);
const DECLARED = new Shape(["name", "description", "parameters", "strict", "format"]);
const TOOL = new Shape(["type"], { function: DECLARED, custom: DECLARED });

/** What is read of a request, down to where its words are the client's own. */
export const CHAT_MEMBERS = new Shape(
  [...CHAT_PASSED, "models", "audio", "top_k", "max_tool_calls"],
  {
    messages: MESSAGE,
    stream_options: new Shape(["include_usage", "include_obfuscation"]),
    usage: new Shape(["include"]),
    tools: TOOL,
    tool_choice: TOOL.with(["name"], { allowed_tools: new Shape(["mode"], { tools: TOOL }) }),
    functions: DECLARED,
    function_call: new Shape(["name"]),
    response_format: new Shape(["type"], {
      json_schema: new Shape(["name", "schema", "strict", "description"]),
    }),
    reasoning: new Shape(["effort", "enabled", "max_tokens", "summary", "exclude"]),
    thinking: new Shape(["type", "budget_tokens"]),
    web_search_options: new Shape(["search_context_size", "user_location"]),
  },
);

/** What a request asks for that its answer would not be without; no vendor's price list has it here. */
export const CHAT_REFUSED: Readonly<Record<string, string>> = {
  guided_json: "Use 'response_format' with a JSON schema instead.",
  guided_regex: "Answers cannot be held to a pattern here; leave it out.",
  guided_choice: "Use 'response_format' with a JSON schema that has an 'enum' instead.",
  guided_grammar: "Answers cannot be held to a grammar here; leave it out.",
  structured_outputs: "Use 'response_format' with a JSON schema instead.",
};
