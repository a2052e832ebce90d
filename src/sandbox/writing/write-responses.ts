import type { CallPart, Part, TextPart } from "../answering/answer.ts";
import type { JsonRecord } from "../json.ts";
import type { Prompt } from "../reading/prompt.ts";
import type { AnswerJob } from "./answer-job.ts";
import { logprobsOf, type TokenLogprobs } from "./logprobs.ts";
import { responseSnapshot } from "./response-snapshot.ts";

interface Item {
  readonly part: Part;
  readonly id: string;
  readonly callId: string;
}

type Event = { readonly type: string } & JsonRecord;

const PREFIXES = { reasoning: "rs_", search: "ws_", text: "msg_" } as const;

export function writeResponse(job: AnswerJob): JsonRecord {
  const id = job.makeId("resp_");
  return finalSnapshot(job, id, nameItems(job));
}

/** The whole stream, one SSE event at a time. */
export function* writeResponseEvents(job: AnswerJob): Generator<string, void> {
  let sequence = 0;
  for (const { type, ...rest } of eventsOf(job)) {
    const data = JSON.stringify({ type, sequence_number: sequence, ...rest });
    sequence += 1;
    yield `event: ${type}\ndata: ${data}\n\n`;
  }
  yield "data: [DONE]\n\n";
}

function* eventsOf(job: AnswerJob): Generator<Event, void> {
  const id = job.makeId("resp_");
  const items = nameItems(job);
  const opening = responseSnapshot(job.prompt, id, job.nowMs, null);
  yield { type: "response.created", response: opening };
  yield { type: "response.in_progress", response: opening };
  for (const [index, item] of items.entries()) yield* itemEvents(job.prompt, item, index);
  const last = finalSnapshot(job, id, items);
  yield { type: `response.${last.status}`, response: last };
}

function finalSnapshot(job: AnswerJob, id: string, items: readonly Item[]): JsonRecord {
  return responseSnapshot(job.prompt, id, job.nowMs, {
    incomplete: job.answer.finish === "length",
    output: items.map((item) => finishedItem(job.prompt, item)),
    counts: job.counts,
  });
}

function nameItems(job: AnswerJob): Item[] {
  return job.answer.parts.map((part) => {
    if (part.kind !== "call") return { part, id: job.makeId(PREFIXES[part.kind]), callId: "" };
    const id = job.makeId(part.custom ? "ctc_" : "fc_");
    return { part, id, callId: job.makeId("call_") };
  });
}

function* itemEvents(prompt: Prompt, item: Item, index: number): Generator<Event, void> {
  yield { type: "response.output_item.added", output_index: index, item: startedItem(item) };
  const position = { item_id: item.id, output_index: index };
  const { part } = item;
  if (part.kind === "reasoning") yield* reasoningEvents(part.tokens, position);
  else if (part.kind === "search") yield* searchEvents(position);
  else if (part.kind === "text") yield* textEvents(prompt, part, position);
  else yield* callEvents(part, position);
  const done = finishedItem(prompt, item);
  yield { type: "response.output_item.done", output_index: index, item: done };
}

type OutputPosition = { readonly item_id: string; readonly output_index: number };

function* reasoningEvents(
  tokens: readonly string[],
  position: OutputPosition,
): Generator<Event, void> {
  const at = { ...position, summary_index: 0 };
  const part = (text: string) => ({ type: "summary_text", text });
  const text = tokens.join("");
  yield { type: "response.reasoning_summary_part.added", ...at, part: part("") };
  for (const delta of tokens) yield { type: "response.reasoning_summary_text.delta", ...at, delta };
  yield { type: "response.reasoning_summary_text.done", ...at, text };
  yield { type: "response.reasoning_summary_part.done", ...at, part: part(text) };
}

function* searchEvents(position: OutputPosition): Generator<Event, void> {
  yield { type: "response.web_search_call.in_progress", ...position };
  yield { type: "response.web_search_call.searching", ...position };
  yield { type: "response.web_search_call.completed", ...position };
}

function* textEvents(
  prompt: Prompt,
  part: TextPart,
  position: OutputPosition,
): Generator<Event, void> {
  const at = { ...position, content_index: 0 };
  const done = textContent(prompt, part);
  const empty = { type: "output_text", annotations: [], logprobs: [], text: "" };
  yield { type: "response.content_part.added", ...at, part: empty };
  for (const delta of part.tokens) {
    const logprobs = tokenLogprobs(prompt, [delta]);
    yield { type: "response.output_text.delta", ...at, delta, logprobs };
  }
  for (const [index, annotation] of done.annotations.entries()) {
    const type = "response.output_text.annotation.added";
    yield { type, ...at, annotation_index: index, annotation };
  }
  const { text, logprobs } = done;
  yield { type: "response.output_text.done", ...at, text, logprobs };
  yield { type: "response.content_part.done", ...at, part: done };
}

function* callEvents(part: CallPart, position: OutputPosition): Generator<Event, void> {
  const name = part.custom ? "custom_tool_call_input" : "function_call_arguments";
  for (const delta of part.tokens) yield { type: `response.${name}.delta`, ...position, delta };
  const whole = part.tokens.join("");
  if (part.custom) yield { type: `response.${name}.done`, ...position, input: whole };
  else yield { type: `response.${name}.done`, ...position, name: part.name, arguments: whole };
}

/** An item as it is announced: its identity is fixed, its content still empty. */
function startedItem({ part, id, callId }: Item): JsonRecord {
  const status = "in_progress";
  if (part.kind === "reasoning") return { id, type: "reasoning", summary: [] };
  if (part.kind === "search") {
    const action = { type: "search", query: part.search.query };
    return { id, type: "web_search_call", status, action };
  }
  if (part.kind === "text") return { id, type: "message", status, content: [], role: "assistant" };
  return callItem(part, id, callId, status, "");
}

function finishedItem(prompt: Prompt, { part, id, callId }: Item): JsonRecord {
  if (part.kind === "reasoning") return reasoningItem(prompt, id, part.tokens.join(""));
  if (part.kind === "search") {
    const { query, url } = part.search;
    const shown = prompt.include.has("web_search_call.action.sources");
    const sources = shown ? { sources: [{ type: "url", url }] } : {};
    const action = { type: "search", query, ...sources };
    return { id, type: "web_search_call", status: "completed", action };
  }
  const status = part.complete ? "completed" : "incomplete";
  if (part.kind === "call") return callItem(part, id, callId, status, part.tokens.join(""));
  const content = [textContent(prompt, part)];
  return { id, type: "message", status, content, role: "assistant" };
}

function reasoningItem(prompt: Prompt, id: string, text: string): JsonRecord {
  const summary = [{ type: "summary_text", text }];
  if (!prompt.include.has("reasoning.encrypted_content")) return { id, type: "reasoning", summary };
  const sealed = Buffer.from(text, "utf8").toString("base64");
  return { id, type: "reasoning", summary, encrypted_content: sealed };
}

function callItem(
  part: CallPart,
  id: string,
  callId: string,
  status: string,
  text: string,
): JsonRecord {
  const type = part.custom ? "custom_tool_call" : "function_call";
  const payload = part.custom ? { input: text } : { arguments: text };
  const namespace = part.namespace === null ? {} : { namespace: part.namespace };
  return { id, type, status, ...payload, call_id: callId, name: part.name, ...namespace };
}

function textContent(prompt: Prompt, part: TextPart) {
  const text = part.tokens.join("");
  const { citation } = part;
  // A citation that the token limit cut through points at text that is not there.
  const cited = citation !== null && citation.end <= text.length ? [citation] : [];
  const annotations = cited.map(({ start, end, url, title }) => {
    return { type: "url_citation", start_index: start, end_index: end, url, title };
  });
  return { type: "output_text", annotations, logprobs: tokenLogprobs(prompt, part.tokens), text };
}

function tokenLogprobs(prompt: Prompt, tokens: readonly string[]): TokenLogprobs[] {
  const top = prompt.topLogprobs;
  return top === null ? [] : tokens.map((token) => logprobsOf(token, top));
}
