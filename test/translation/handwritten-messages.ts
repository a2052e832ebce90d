// What a vendor of the Messages wire sends, written by hand from the documented shapes. Nothing here
// was recorded and nothing is made by the code under test.
import type { JsonObject } from "../support/samples/wires.ts";
import {
  COUNTS,
  callId,
  HIDDEN_STATE,
  halves,
  type Play,
  type PlayedCall,
  QUERY,
  SOURCE,
  STATES,
  STOP,
  VENDOR_COMPLAINT,
} from "./scenes.ts";
import type { VendorScript } from "./vendor-script.ts";

const HEAD = {
  id: "msg_01XFDUDYJgAACzvnptvVoYEL",
  type: "message",
  role: "assistant",
  model: "vendor-messages-2026-11-01",
};

const INPUT_USAGE = {
  input_tokens: COUNTS.input - COUNTS.cached - COUNTS.cacheWrite,
  cache_creation_input_tokens: COUNTS.cacheWrite,
  cache_read_input_tokens: COUNTS.cached,
  cache_creation: {
    ephemeral_5m_input_tokens: COUNTS.cacheWrite,
    ephemeral_1h_input_tokens: 0,
  },
  service_tier: "standard",
};

function outputUsage({ searched }: Play): JsonObject {
  return {
    output_tokens: COUNTS.output,
    output_tokens_details: { thinking_tokens: COUNTS.reasoning },
    ...(searched ? { server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 } } : {}),
  };
}

function stopOf({ ending, calls }: Play): JsonObject {
  if (ending === "limit") return { stop_reason: "max_tokens", stop_sequence: null };
  if (ending === "safety") return { stop_reason: "refusal", stop_sequence: null };
  if (ending === "stop") return { stop_reason: "stop_sequence", stop_sequence: STOP };
  return { stop_reason: calls ? "tool_use" : "end_turn", stop_sequence: null };
}

/** A tool of a group, or one that takes free text, is a plain tool to this vendor. */
function toolUse({ id, name, namespace, arguments: given }: PlayedCall): JsonObject {
  const flat = namespace === undefined ? name : `${namespace}__${name}`;
  const input = typeof given === "string" ? { input: given } : given;
  return { type: "tool_use", id: callId("messages", id), name: flat, input };
}

const SEARCH_ID = "srvtoolu_01WYG3ziw53XMcoyKL4XcZmE";
const SEARCH = {
  type: "server_tool_use",
  id: SEARCH_ID,
  name: "web_search",
  input: { query: QUERY },
};
const FOUND = {
  type: "web_search_tool_result",
  tool_use_id: SEARCH_ID,
  content: [
    {
      type: "web_search_result",
      ...SOURCE,
      encrypted_content: "EqgfCioIARgBIiQ3YTAwMjY1Mi1mZjM5",
      page_age: "April 30, 2026",
    },
  ],
};

function textBlock({ text = "", searched }: Play): JsonObject {
  if (!searched) return { type: "text", text };
  const citation = {
    type: "web_search_result_location",
    ...SOURCE,
    encrypted_index: "Eo8BCioIAhgBIiQyYjQ0OWJmZi1lNm",
    cited_text: text,
  };
  return { type: "text", text, citations: [citation] };
}

function blocksOf(play: Play): JsonObject[] {
  const { thought, text, refusal, calls = [] } = play;
  const said = text ?? refusal;
  return [
    ...(thought === undefined ? [] : [{ type: "thinking", ...STATES.messages }]),
    ...(play.hiddenThought ? [{ type: "redacted_thinking", ...HIDDEN_STATE }] : []),
    ...(play.searched ? [SEARCH, FOUND] : []),
    ...(said === undefined ? [] : [textBlock({ ...play, text: said })]),
    ...calls.map(toolUse),
  ];
}

function event(type: string, members: JsonObject = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
}

/** How a block begins, and the deltas that fill it. */
function pieces(block: JsonObject): { start: JsonObject; deltas: JsonObject[] } {
  switch (block.type) {
    case "thinking": {
      const thinking = halves(String(block.thinking)).map((piece) => ({
        type: "thinking_delta",
        thinking: piece,
      }));
      const signature = { type: "signature_delta", signature: block.signature };
      return {
        start: { type: "thinking", thinking: "", signature: "" },
        deltas: [...thinking, signature],
      };
    }
    case "text": {
      const citations = (block.citations ?? []) as JsonObject[];
      const texts = halves(String(block.text)).map((text) => ({ type: "text_delta", text }));
      const cited = citations.map((citation) => ({ type: "citations_delta", citation }));
      return { start: { type: "text", text: "" }, deltas: [...cited, ...texts] };
    }
    case "tool_use":
    case "server_tool_use": {
      const text = JSON.stringify(block.input);
      // A tool that takes nothing is given nothing.
      const json = text === "{}" ? [""] : ["", ...halves(text)];
      const deltas = json.map((partial_json) => ({ type: "input_json_delta", partial_json }));
      return { start: { ...block, input: {} }, deltas };
    }
    default:
      return { start: block, deltas: [] };
  }
}

function blockEvents(block: JsonObject, index: number): string[] {
  const { start, deltas } = pieces(block);
  return [
    event("content_block_start", { index, content_block: start }),
    ...(index === 0 ? [event("ping")] : []),
    ...deltas.map((delta) => event("content_block_delta", { index, delta })),
    event("content_block_stop", { index }),
  ];
}

function opening(): string {
  const empty = { content: [], stop_reason: null, stop_sequence: null };
  const usage = { ...INPUT_USAGE, output_tokens: 1 };
  return event("message_start", { message: { ...HEAD, ...empty, usage } });
}

const OUTAGE = {
  type: "error",
  error: { type: "overloaded_error", message: "It broke." },
  request_id: "req_011CSHoEeqs5C35K2UUqR7Fy",
};

export const handwrittenMessages: VendorScript = {
  whole: (play) => ({
    ...HEAD,
    content: blocksOf(play),
    ...stopOf(play),
    usage: { ...INPUT_USAGE, ...outputUsage(play) },
  }),
  events: (play) => [
    opening(),
    ...blocksOf(play).flatMap(blockEvents),
    event("message_delta", { delta: stopOf(play), usage: outputUsage(play) }),
    event("message_stop"),
  ],
  cutEvents: (play) => [
    opening(),
    ...blocksOf(play).flatMap(blockEvents).slice(0, -1),
    `event: error\ndata: ${JSON.stringify(OUTAGE)}\n\n`,
  ],
  rejection: {
    ...OUTAGE,
    error: { type: "invalid_request_error", message: VENDOR_COMPLAINT },
  },
  outage: { ...OUTAGE, error: { type: "api_error", message: "It broke." } },
};
