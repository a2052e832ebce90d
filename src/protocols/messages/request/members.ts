import { Shape } from "../../members/shape.ts";

/** What may go to a vendor that bills for it: what the wire describes and tokens pay for. */
export const MESSAGES_PASSED: ReadonlySet<string> = new Set([
  ...["model", "messages", "system", "max_tokens", "stream", "stop_sequences", "metadata"],
  ...["temperature", "top_p", "top_k", "tools", "tool_choice", "thinking", "output_config"],
  ...["output_format", "context_management", "cache_control", "inference_geo", "service_tier"],
  ...["container", "mcp_servers", "thread", "speed"],
]);

const CACHE = new Shape(["type", "ttl"]);
const SOURCE_NAMES = ["type", "media_type", "data", "url", "file_id"];
const BLOCK_NAMES = [
  ...["type", "text", "id", "name", "input", "tool_use_id", "is_error", "signature", "thinking"],
  ...["data", "title", "context", "citations", "server_name"],
];
/** What a document is made of may be blocks again, but not documents. */
const INNER_BLOCK = new Shape(BLOCK_NAMES, {
  source: new Shape([...SOURCE_NAMES, "content"]),
  content: "same",
  cache_control: CACHE,
});
const BLOCK = new Shape(BLOCK_NAMES, {
  source: new Shape(SOURCE_NAMES, { content: INNER_BLOCK }),
  content: "same",
  cache_control: CACHE,
});
const TOOL = new Shape(
  [
    ...["type", "name", "description", "input_schema", "strict", "max_uses", "allowed_domains"],
    ...["blocked_domains", "user_location", "allowed_callers", "input_examples"],
    ...["defer_loading", "display_width_px", "display_height_px", "display_number"],
  ],
  { cache_control: CACHE },
);

/** What is read of a request, down to where its words are the client's own. */
export const MESSAGES_MEMBERS = new Shape(
  [...MESSAGES_PASSED, "models", "diagnostics", "fallback_credit_token", "fallbacks"],
  {
    messages: new Shape(["role"], { content: BLOCK }),
    system: BLOCK,
    tools: TOOL,
    tool_choice: new Shape(["type", "name", "disable_parallel_tool_use"]),
    thinking: new Shape(["type", "budget_tokens", "display"]),
    output_config: new Shape(["effort", "task_budget"], {
      format: new Shape(["type", "schema"]),
    }),
    context_management: new Shape([], { edits: new Shape(["type"]) }),
    cache_control: CACHE,
  },
);
