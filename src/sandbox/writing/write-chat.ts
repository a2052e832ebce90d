import type { CallPart, SandboxAnswer } from "../answering/answer.ts";
import type { TokenCounts } from "../faults.ts";
import type { JsonRecord } from "../json.ts";
import type { Prompt } from "../reading/prompt.ts";
import type { AnswerJob } from "./answer-job.ts";
import { logprobsOf } from "./logprobs.ts";

export function writeCompletion(job: AnswerJob): JsonRecord {
  const choices = Array.from({ length: job.prompt.choiceCount }, (_, index) => ({
    index,
    message: messageOf(job),
    logprobs: logprobsFor(job.prompt, textTokens(job.answer)),
    ...endOf(job.answer),
  }));
  const usage = job.counts === null ? {} : { usage: usageOf(job.counts) };
  return { ...headOf(job, "chat.completion"), choices, ...usage };
}

/** The whole stream, one SSE event at a time. */
export function* writeChunks(job: AnswerJob): Generator<string, void> {
  const head = headOf(job, "chat.completion.chunk");
  const open = job.prompt.includeUsage ? { usage: null } : {};
  const write = (chunk: JsonRecord): string => `data: ${JSON.stringify(chunk)}\n\n`;
  for (let index = 0; index < job.prompt.choiceCount; index += 1) {
    for (const { delta, logprobs } of deltasOf(job)) {
      const choice = { index, delta, logprobs: logprobs ?? null, finish_reason: null };
      yield write({ ...head, choices: [choice], ...open });
    }
    const last = { index, delta: {}, logprobs: null, ...endOf(job.answer) };
    yield write({ ...head, choices: [last], ...open });
  }
  if (job.prompt.includeUsage && job.counts !== null) {
    yield write({ ...head, choices: [], usage: usageOf(job.counts) });
  }
  yield "data: [DONE]\n\n";
}

/** Which sequence ended the text is told as open servers of this wire tell it. */
function endOf({ finish, stoppedBy }: SandboxAnswer): JsonRecord {
  return stoppedBy === null
    ? { finish_reason: finish }
    : { finish_reason: finish, stop_reason: stoppedBy };
}

function headOf(job: AnswerJob, object: string): JsonRecord {
  return {
    id: job.makeId("chatcmpl-"),
    object,
    created: Math.floor(job.nowMs / 1_000),
    model: job.prompt.model.id,
    service_tier: "default",
    system_fingerprint: "fp_sandbox",
  };
}

interface Delta {
  readonly delta: JsonRecord;
  readonly logprobs?: JsonRecord | null;
}

function* deltasOf(job: AnswerJob): Generator<Delta, void> {
  const { parts } = job.answer;
  const speaks = parts.some((part) => part.kind === "text");
  yield { delta: { role: "assistant", content: speaks ? "" : null, refusal: null } };
  let callIndex = 0;
  for (const part of parts) {
    if (part.kind === "search") continue;
    if (part.kind === "call") {
      yield* callDeltas(part, callIndex, job.makeId("call_"));
      callIndex += 1;
      continue;
    }
    const field = part.kind === "reasoning" ? "reasoning_content" : "content";
    for (const token of part.tokens) {
      const logprobs = part.kind === "text" ? logprobsFor(job.prompt, [token]) : null;
      yield { delta: { [field]: token }, logprobs };
    }
  }
}

function* callDeltas(part: CallPart, index: number, id: string): Generator<Delta, void> {
  const type = part.custom ? "custom" : "function";
  const field = part.custom ? "input" : "arguments";
  const opening = { index, id, type, [type]: { name: part.name, [field]: "" } };
  yield { delta: { tool_calls: [opening] } };
  for (const token of part.tokens) {
    yield { delta: { tool_calls: [{ index, [type]: { [field]: token } }] } };
  }
}

function messageOf(job: AnswerJob): JsonRecord {
  const { parts } = job.answer;
  const text = parts.find((part) => part.kind === "text");
  const reasoning = parts.find((part) => part.kind === "reasoning");
  const calls = parts.filter((part) => part.kind === "call");
  const content = text?.tokens.join("") ?? null;
  const thoughts = reasoning ? { reasoning_content: reasoning.tokens.join("") } : {};
  const toolCalls =
    calls.length === 0 ? {} : { tool_calls: calls.map((call) => callOf(job, call)) };
  return { role: "assistant", content, refusal: null, annotations: [], ...thoughts, ...toolCalls };
}

function callOf(job: AnswerJob, part: CallPart): JsonRecord {
  const id = job.makeId("call_");
  const text = part.tokens.join("");
  if (part.custom) return { id, type: "custom", custom: { name: part.name, input: text } };
  return { id, type: "function", function: { name: part.name, arguments: text } };
}

function textTokens(answer: SandboxAnswer): readonly string[] {
  return answer.parts.flatMap((part) => (part.kind === "text" ? part.tokens : []));
}

function logprobsFor(prompt: Prompt, tokens: readonly string[]): JsonRecord | null {
  const top = prompt.topLogprobs;
  if (top === null) return null;
  return { content: tokens.map((token) => logprobsOf(token, top)), refusal: null };
}

function usageOf(counts: TokenCounts): JsonRecord {
  return {
    prompt_tokens: counts.input,
    completion_tokens: counts.output,
    total_tokens: counts.input + counts.output,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: counts.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
