import { Shape } from "../../members/shape.ts";

/** What may go to a vendor that bills for it: what the wire describes and tokens pay for. */
export const RESPONSES_PASSED: ReadonlySet<string> = new Set([
  ...["model", "input", "instructions", "stream", "stream_options", "include", "truncation"],
  ...["tools", "tool_choice", "parallel_tool_calls", "max_output_tokens", "max_tool_calls"],
  ...["temperature", "top_p", "top_logprobs", "text", "reasoning", "user", "safety_identifier"],
  ...["prompt_cache_key", "prompt_cache_retention", "metadata", "client_metadata", "store"],
  ...["previous_response_id", "background", "conversation", "prompt", "service_tier"],
  ...["presence_penalty", "frequency_penalty"],
]);

const PART = new Shape([
  ...["type", "text", "refusal", "detail", "image_url", "file_id", "file_url", "file_data"],
  ...["filename", "annotations", "logprobs", "input_audio", "video_url"],
]);
const TOOL = new Shape(
  [
    ...["type", "name", "namespace", "description", "parameters", "strict", "format"],
    ...["filters", "search_context_size", "user_location", "external_web_access"],
  ],
  { tools: "same" },
);
const ITEM = new Shape(
  [
    ...["type", "id", "role", "status", "phase", "call_id", "name", "namespace", "arguments"],
    ...["input", "encrypted_content", "action"],
  ],
  {
    content: PART,
    summary: PART,
    output: PART,
    tools: TOOL,
  },
);

/** What is read of a request, down to where its words are the client's own. */
export const RESPONSES_MEMBERS = new Shape([...RESPONSES_PASSED, "models"], {
  input: ITEM,
  tools: TOOL,
  tool_choice: TOOL.with(["mode"]),
  stream_options: new Shape(["include_obfuscation", "include_usage"]),
  text: new Shape(["verbosity"], {
    format: new Shape(["type", "name", "schema", "strict", "description"]),
  }),
  reasoning: new Shape(["effort", "summary", "generate_summary", "max_tokens", "mode"]),
});
