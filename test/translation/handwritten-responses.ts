// What a vendor of the Responses wire sends, written by hand from the documented shapes. Nothing here
// was recorded and nothing is made by the code under test.
import type { JsonObject } from "../support/samples/wires.ts";
import {
  COUNTS,
  callId,
  halves,
  type Play,
  type PlayedCall,
  QUERY,
  SOURCE,
  STATES,
  VENDOR_COMPLAINT,
} from "./scenes.ts";
import type { VendorScript } from "./vendor-script.ts";

const MODEL = "vendor-responses-2026-11-01";

const USAGE = {
  input_tokens: COUNTS.input,
  input_tokens_details: { cached_tokens: COUNTS.cached, cache_write_tokens: COUNTS.cacheWrite },
  output_tokens: COUNTS.output,
  output_tokens_details: { reasoning_tokens: COUNTS.reasoning },
  total_tokens: COUNTS.input + COUNTS.output,
};

const STATUSES = {
  done: "completed",
  stop: "completed",
  limit: "incomplete",
  safety: "incomplete",
};
const REASONS: Readonly<Record<string, string>> = {
  limit: "max_output_tokens",
  safety: "content_filter",
};

function response(status: string, more: JsonObject = {}): JsonObject {
  return {
    id: "resp_0c1d2e",
    object: "response",
    created_at: 1_790_000_000,
    status,
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    model: MODEL,
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    service_tier: "default",
    store: false,
    temperature: 1,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    truncation: "disabled",
    usage: null,
    user: null,
    metadata: {},
    ...more,
  };
}

function annotationsOf({ searched, text = "" }: Play): JsonObject[] {
  if (!searched) return [];
  return [{ type: "url_citation", start_index: 0, end_index: text.length, ...SOURCE }];
}

function message(play: Play, status: string): JsonObject {
  const annotations = annotationsOf(play);
  const content =
    play.refusal === undefined
      ? { type: "output_text", text: play.text, annotations, logprobs: [] }
      : { type: "refusal", refusal: play.refusal };
  return { id: "msg_0a", type: "message", status, role: "assistant", content: [content] };
}

function reasoning(thought: string): JsonObject {
  const summary = [{ type: "summary_text", text: thought }];
  return { type: "reasoning", ...STATES.responses, summary };
}

function call(played: PlayedCall, input: string, status: string): JsonObject {
  const { id, name, namespace } = played;
  const custom = typeof played.arguments === "string";
  return {
    id: `${custom ? "ctc" : "fc"}_${id}`,
    type: custom ? "custom_tool_call" : "function_call",
    status,
    call_id: callId("responses", id),
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(custom ? { input } : { arguments: input }),
  };
}

function inputOf({ arguments: given }: PlayedCall): string {
  return typeof given === "string" ? given : JSON.stringify(given);
}

const SEARCH = {
  id: "ws_0f",
  type: "web_search_call",
  status: "completed",
  action: { type: "search", query: QUERY, sources: [{ type: "url", url: SOURCE.url }] },
};

function outputOf(play: Play): JsonObject[] {
  const said = play.text !== undefined || play.refusal !== undefined;
  return [
    ...(play.thought === undefined ? [] : [reasoning(play.thought)]),
    ...(play.searched ? [SEARCH] : []),
    ...(said ? [message(play, STATUSES[play.ending])] : []),
    ...(play.calls ?? []).map((each) => call(each, inputOf(each), "completed")),
  ];
}

function whole(play: Play): JsonObject {
  const reason = REASONS[play.ending];
  const incomplete_details = reason === undefined ? null : { reason };
  return response(STATUSES[play.ending], {
    output: outputOf(play),
    usage: USAGE,
    incomplete_details,
  });
}

type Write = (type: string, members: JsonObject) => void;

function writeMessage(write: Write, play: Play, output_index: number): void {
  const { refusal, text = "" } = play;
  const item = message(play, "completed");
  const place = { item_id: item.id, output_index, content_index: 0 };
  const kind = refusal === undefined ? "output_text" : "refusal";
  const empty =
    refusal === undefined
      ? { type: kind, text: "", annotations: [], logprobs: [] }
      : { type: kind, refusal: "" };
  const [part] = item.content as JsonObject[];
  write("output_item.added", {
    output_index,
    item: { ...item, status: "in_progress", content: [] },
  });
  write("content_part.added", { ...place, part: empty });
  for (const delta of halves(refusal ?? text)) {
    const logprobs = refusal === undefined ? { logprobs: [] } : {};
    write(`${kind}.delta`, { ...place, delta, ...logprobs });
  }
  annotationsOf(play).forEach((annotation, annotation_index) => {
    write("output_text.annotation.added", { ...place, annotation_index, annotation });
  });
  const done = refusal === undefined ? { text, logprobs: [] } : { refusal };
  write(`${kind}.done`, { ...place, ...done });
  write("content_part.done", { ...place, part });
  write("output_item.done", { output_index, item });
}

function writeReasoning(write: Write, thought: string, output_index: number): void {
  const item = reasoning(thought);
  const place = { item_id: item.id, output_index, summary_index: 0 };
  write("output_item.added", { output_index, item: { ...item, summary: [] } });
  write("reasoning_summary_part.added", { ...place, part: { type: "summary_text", text: "" } });
  for (const delta of halves(thought)) write("reasoning_summary_text.delta", { ...place, delta });
  write("reasoning_summary_text.done", { ...place, text: thought });
  write("reasoning_summary_part.done", { ...place, part: { type: "summary_text", text: thought } });
  write("output_item.done", { output_index, item });
}

function writeCall(write: Write, played: PlayedCall, output_index: number): void {
  const input = inputOf(played);
  const custom = typeof played.arguments === "string";
  const item = call(played, input, "completed");
  const place = { item_id: item.id, output_index };
  const name = custom ? "custom_tool_call_input" : "function_call_arguments";
  write("output_item.added", { output_index, item: call(played, "", "in_progress") });
  for (const delta of halves(input)) write(`${name}.delta`, { ...place, delta });
  write(`${name}.done`, { ...place, ...(custom ? { input } : { arguments: input }) });
  write("output_item.done", { output_index, item });
}

function writeSearch(write: Write, output_index: number): void {
  const place = { item_id: SEARCH.id, output_index };
  const { action: _, ...begun } = SEARCH;
  write("output_item.added", { output_index, item: { ...begun, status: "in_progress" } });
  write("web_search_call.in_progress", place);
  write("web_search_call.searching", place);
  write("web_search_call.completed", place);
  write("output_item.done", { output_index, item: SEARCH });
}

function events(play: Play): string[] {
  const out: string[] = [];
  const write: Write = (name, members) => {
    const type = `response.${name}`;
    const data = { type, sequence_number: out.length, ...members };
    out.push(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  write("created", { response: response("in_progress") });
  write("in_progress", { response: response("in_progress") });
  let index = 0;
  if (play.thought !== undefined) writeReasoning(write, play.thought, index++);
  if (play.searched) writeSearch(write, index++);
  if (play.text !== undefined || play.refusal !== undefined) writeMessage(write, play, index++);
  for (const each of play.calls ?? []) writeCall(write, each, index++);
  write(STATUSES[play.ending], { response: whole(play) });
  return out;
}

const ERROR = { type: "server_error", code: "server_error", message: "It broke.", param: null };

export const handwrittenResponses: VendorScript = {
  whole,
  events,
  cutEvents(play) {
    const all = events(play);
    const from = all.findIndex((each) => each.includes("output_text.done"));
    const error = { ...ERROR, type: "error", sequence_number: from };
    return [...all.slice(0, from), `event: error\ndata: ${JSON.stringify(error)}\n\n`];
  },
  rejection: {
    error: {
      message: VENDOR_COMPLAINT,
      type: "invalid_request_error",
      param: "colour",
      code: "unknown_parameter",
    },
  },
  outage: { error: ERROR },
};
