import type { Answer, CallItem, OutputItem, Part, ReasoningItem } from "../../canon.ts";
import type { JsonObject } from "../../fields.ts";
import { REASONING_GAP, visibleReasoning } from "../../visible-reasoning.ts";
import type { AnswerOptions } from "../../wire.ts";
import { extraContent, sealedDetail } from "../reasoning-state.ts";
import { writeCall } from "../request/write-tools.ts";
import { writeChatUsage } from "../usage.ts";
import { nestedAnnotation } from "./annotations.ts";
import { writeFinish } from "./finish.ts";
import { answerHead, ownName } from "./write-stream.ts";

/** One message for all items, filled as they come. */
interface Draft {
  text: string;
  refusal: string;
  readonly thoughts: string[];
  readonly details: JsonObject[];
  readonly calls: JsonObject[];
  readonly annotations: JsonObject[];
  readonly logprobs: JsonObject[];
}

function addPart(draft: Draft, part: Part): void {
  if (part.type === "refusal") draft.refusal += part.text;
  if (part.type !== "text") return;
  for (const annotation of part.annotations ?? []) {
    const nested = nestedAnnotation(annotation, draft.text.length);
    if (nested) draft.annotations.push(nested);
  }
  draft.logprobs.push(...(part.logprobs ?? []));
  draft.text += part.text;
}

function addThought(draft: Draft, item: ReasoningItem): void {
  const said = visibleReasoning(item);
  if (said !== "") draft.thoughts.push(said);
  if (item.sealed !== undefined) draft.details.push(sealedDetail(item.sealed));
}

function addCall(draft: Draft, item: CallItem, before: OutputItem | undefined): void {
  const thought = before?.type === "reasoning" ? before : undefined;
  const call = writeCall(item, { customTools: true }, ownName(item));
  draft.calls.push({ ...call, ...extraContent(thought) });
}

function draftOf(items: readonly OutputItem[]): Draft {
  const draft: Draft = {
    text: "",
    refusal: "",
    thoughts: [],
    details: [],
    calls: [],
    annotations: [],
    logprobs: [],
  };
  items.forEach((item, i) => {
    if (item.type === "message") for (const part of item.parts) addPart(draft, part);
    if (item.type === "reasoning") addThought(draft, item);
    if (item.type === "call") addCall(draft, item, items[i - 1]);
  });
  return draft;
}

/** The calls of a message. The older form has one, without an id. */
function callsOf({ calls }: Draft, older: boolean): JsonObject {
  const [first] = calls;
  if (!first) return {};
  return older ? { function_call: first.function } : { tool_calls: calls };
}

function messageOf(draft: Draft, older: boolean): JsonObject {
  const list = (name: string, values: readonly unknown[]) =>
    values.length > 0 ? { [name]: values } : {};
  const thinking = draft.thoughts.join(REASONING_GAP);
  return {
    role: "assistant",
    content: draft.text === "" && (draft.refusal || draft.calls.length > 0) ? null : draft.text,
    refusal: draft.refusal || null,
    ...(thinking === "" ? {} : { reasoning_content: thinking }),
    ...list("reasoning_details", draft.details),
    ...callsOf(draft, older),
    ...list("annotations", draft.annotations),
  };
}

/** A whole answer as a chat vendor would write it. */
export function writeChatAnswer(answer: Answer, options: AnswerOptions, older = false): JsonObject {
  if (answer.failure) return { error: answer.failure.toJson() };
  const draft = draftOf(answer.items);
  const logprobs = draft.logprobs.length > 0 ? { content: draft.logprobs, refusal: null } : null;
  const choice = {
    index: 0,
    message: messageOf(draft, older),
    logprobs,
    finish_reason: writeFinish(answer, draft.calls.length > 0, older),
  };
  return {
    ...answerHead("chat.completion", options),
    choices: [choice],
    ...(answer.usage ? { usage: writeChatUsage(answer.usage) } : {}),
  };
}
