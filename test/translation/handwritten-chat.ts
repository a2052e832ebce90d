// What a vendor of the chat wire sends, written by hand from the documented shapes: OpenAI's, and
// OpenRouter's `reasoning` and `reasoning_details` for thoughts. Nothing here was recorded.
import type { JsonObject } from "../support/samples/wires.ts";
import {
  COUNTS,
  callId,
  halves,
  type Play,
  type PlayedCall,
  SOURCE,
  STATES,
  VENDOR_COMPLAINT,
} from "./scenes.ts";
import type { VendorScript } from "./vendor-script.ts";

const HEAD = {
  id: "chatcmpl-0a1b2c",
  created: 1_790_000_000,
  model: "vendor-chat-2026-11-01",
  service_tier: "default",
  system_fingerprint: "fp_44709d6fcb",
};

const USAGE = {
  prompt_tokens: COUNTS.input,
  completion_tokens: COUNTS.output,
  total_tokens: COUNTS.input + COUNTS.output,
  prompt_tokens_details: {
    cached_tokens: COUNTS.cached,
    cache_write_tokens: COUNTS.cacheWrite,
    audio_tokens: 0,
  },
  completion_tokens_details: {
    reasoning_tokens: COUNTS.reasoning,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
};

function finishOf({ ending, calls }: Play): string {
  if (ending === "limit") return "length";
  if (ending === "safety") return "content_filter";
  return calls ? "tool_calls" : "stop";
}

/** A tool of a group, or one that takes free text, is a plain function to this vendor. */
function functionOf(played: PlayedCall): { name: string; arguments: string } {
  const { name, namespace, arguments: given } = played;
  const input = typeof given === "string" ? { input: given } : given;
  const flat = namespace === undefined ? name : `${namespace}__${name}`;
  return { name: flat, arguments: JSON.stringify(input) };
}

function annotationsOf({ searched, text = "" }: Play): JsonObject[] {
  if (!searched) return [];
  const url_citation = { start_index: 0, end_index: text.length, ...SOURCE };
  return [{ type: "url_citation", url_citation }];
}

function whole(play: Play): JsonObject {
  const { thought, text, refusal, calls, searched } = play;
  const tool_calls = calls?.map((each) => ({
    id: callId("chat", each.id),
    type: "function",
    function: functionOf(each),
  }));
  const message = {
    role: "assistant",
    content: text ?? null,
    refusal: refusal ?? null,
    ...(thought === undefined ? {} : { reasoning: thought, reasoning_details: STATES.chat }),
    ...(tool_calls ? { tool_calls } : {}),
    ...(searched ? { annotations: annotationsOf(play) } : {}),
  };
  const choice = { index: 0, message, logprobs: null, finish_reason: finishOf(play) };
  return { ...HEAD, object: "chat.completion", choices: [choice], usage: USAGE };
}

function frame(members: JsonObject): string {
  const chunk = { ...HEAD, object: "chat.completion.chunk", ...members };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

function chunk(delta: JsonObject, finish_reason: string | null = null): string {
  return frame({ choices: [{ index: 0, delta, logprobs: null, finish_reason }], usage: null });
}

function thoughtChunks(thought: string): string[] {
  const [detail] = STATES.chat;
  const pieces = halves(thought).map((text) =>
    chunk({ reasoning: text, reasoning_details: [{ type: detail.type, text, index: 0 }] }),
  );
  const { text: _, ...signature } = detail;
  return [...pieces, chunk({ reasoning_details: [signature] })];
}

/** Calls that are made at once come mixed: the first half of each, then the second half of each. */
function callChunks(calls: readonly PlayedCall[]): string[] {
  const opened = calls.map((each, index) => {
    const { name } = functionOf(each);
    const opening = { index, id: callId("chat", each.id), type: "function" };
    return chunk({ tool_calls: [{ ...opening, function: { name, arguments: "" } }] });
  });
  const pieces = [0, 1].flatMap((half) =>
    calls.map((each, index) => {
      const piece = halves(functionOf(each).arguments)[half];
      return chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
    }),
  );
  return [...opened, ...pieces];
}

function answerChunks(play: Play): string[] {
  const { thought, text = "", refusal, calls = [] } = play;
  const said =
    refusal === undefined
      ? halves(text).map((content) => chunk({ content }))
      : halves(refusal).map((piece) => chunk({ refusal: piece }));
  return [
    chunk({ role: "assistant", content: "", refusal: null }),
    ...(thought === undefined ? [] : thoughtChunks(thought)),
    ...(text === "" && refusal === undefined ? [] : said),
    ...annotationsOf(play).map((annotation) => chunk({ annotations: [annotation] })),
    ...callChunks(calls),
  ];
}

const OUTAGE = { error: { message: "It broke.", type: "server_error", param: null, code: null } };

export const handwrittenChat: VendorScript = {
  whole,
  events: (play) => [
    ...answerChunks(play),
    chunk({}, finishOf(play)),
    frame({ choices: [], usage: USAGE }),
    "data: [DONE]\n\n",
  ],
  cutEvents: (play) => [...answerChunks(play), `data: ${JSON.stringify(OUTAGE)}\n\n`],
  rejection: {
    error: {
      message: VENDOR_COMPLAINT,
      type: "invalid_request_error",
      param: "colour",
      code: "unknown_parameter",
    },
  },
  outage: OUTAGE,
};
