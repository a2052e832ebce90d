import type { Answer, OutputItem } from "../../canon.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { readChatUsage } from "../usage.ts";
import { faultOfFrame } from "./error-frame.ts";
import { ChatReader } from "./read-stream.ts";

/** A whole message as the one delta of a stream; calls get the index that only streams have. */
function deltaOf(message: JsonObject): JsonObject {
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  return {
    ...message,
    tool_calls: calls.map((call, index) => (isObject(call) ? { ...call, index } : call)),
  };
}

/** A chat vendor's whole answer: read as a stream of one chunk, so that both come out alike. */
export function readChatAnswer(body: unknown): Answer {
  if (!isObject(body)) throw new Error("the vendor's answer is not an object");
  const id = typeof body.id === "string" && body.id !== "" ? body.id : undefined;
  const choice: unknown = Array.isArray(body.choices) ? body.choices[0] : undefined;
  if (!isObject(choice) || !isObject(choice.message)) {
    const failure = faultOfFrame(body);
    if (!failure) throw new Error("the vendor's answer has no choices");
    return { id, items: [], usage: readChatUsage(body.usage), failure, status: "incomplete" };
  }
  const { logprobs, finish_reason, stop_reason, usage, error } = choice;
  const reason = typeof finish_reason === "string" && finish_reason ? finish_reason : "stop";
  const delta = deltaOf(choice.message);
  const reader = new ChatReader();
  const only = { index: 0, delta, logprobs, finish_reason: reason, stop_reason, usage, error };
  reader.readChunk({ ...body, choices: [only] });
  const items: OutputItem[] = [];
  for (const event of reader.close()) {
    if (event.type === "item_done") items.push(event.item);
    if (event.type === "failed") {
      return { id, items, usage: event.usage, failure: event.fault, status: "incomplete" };
    }
    if (event.type === "end") {
      const { type: _, ...ending } = event;
      return { id, items, ...ending };
    }
  }
  throw new Error("the vendor's answer has no end");
}
