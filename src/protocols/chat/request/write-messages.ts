import {
  type CallItem,
  type Conversation,
  type Item,
  type MessageItem,
  type Part,
  type ReasoningItem,
  type ResultItem,
  spokenText,
} from "../../canon.ts";
import { droppedReasoning } from "../../dropped-reasoning.ts";
import { type JsonObject, unsupported } from "../../fields.ts";
import { Results } from "../../results.ts";
import type { Dialect } from "../../wire.ts";
import { extraContent, unsealDetails } from "../reasoning-state.ts";
import { writeCall } from "./write-tools.ts";

const ABORTED = "The call was aborted; it returned nothing.";
const ATTACHED = "What the tool returned is attached to the next message.";
const DETAILS = ["auto", "low", "high"];

/**
 * Vendors that want their thinking back refuse a turn with calls and without it, as of a turn that
 * another model took. Some of them take an empty text for none.
 */
export const NO_THINKING = " ";

function isMedia(part: Part): boolean {
  return part.type === "image" || part.type === "file";
}

function writePart(part: Part): JsonObject {
  switch (part.type) {
    case "image": {
      const { url, detail } = part;
      const known = DETAILS.includes(detail ?? "auto") ? detail : "high";
      return {
        type: "image_url",
        image_url: known === undefined ? { url } : { url, detail: known },
      };
    }
    case "file":
      if (part.url.startsWith("data:")) {
        const filename = part.name ?? "file";
        return { type: "file", file: { filename, file_data: part.url } };
      }
      throw unsupported(
        "file_url",
        "Files cannot be sent to this model by their address; send the file itself.",
      );
    default:
      return { type: "text", text: part.text };
  }
}

/** One text as a string, which every vendor reads. */
function writeParts(parts: readonly Part[]): unknown {
  const [first, ...rest] = parts;
  if (!first) return "";
  return rest.length === 0 && first.type === "text" ? first.text : parts.map(writePart);
}

/** A turn of the assistant that further calls may still join. */
interface OpenMessage {
  readonly message: Record<string, unknown>;
  readonly calls: CallItem[];
}

/** Items → messages: each call in its turn, each result right behind the calls of that turn. */
class MessageWriter {
  readonly messages: JsonObject[] = [];
  readonly dropped: string[] = [];
  readonly #dialect: Dialect;
  readonly #results: Results;
  readonly #calls: ReadonlySet<string>;
  #thoughts: ReasoningItem[] = [];
  #turn: OpenMessage | undefined;

  constructor(items: readonly Item[], dialect: Dialect) {
    this.#dialect = dialect;
    this.#calls = new Set(items.flatMap((item) => (item.type === "call" ? [item.callId] : [])));
    this.#results = new Results(items);
  }

  add(item: Item): void {
    switch (item.type) {
      case "message":
        if (item.role === "assistant") this.#speak(item);
        else this.#hear(item);
        break;
      case "call":
        this.#call(item);
        break;
      case "result":
        this.#result(item);
        break;
      case "reasoning":
        this.#thoughts.push(item);
        break;
      case "foreign":
        this.dropped.push(`input.${String(item.raw.type)}`);
        break;
      case "search":
        // What was found stands in the text that follows.
        break;
    }
  }

  /** The end of a turn: its message, then a result for each of its calls. */
  close(): void {
    const turn = this.#turn;
    this.#turn = undefined;
    this.dropped.push(...droppedReasoning(this.#thoughts));
    this.#thoughts = [];
    if (!turn) return;
    this.messages.push(turn.message);
    const media: Part[] = [];
    for (const { callId } of turn.calls) {
      const result = this.#results.take(callId);
      this.messages.push(this.#toolMessage(callId, result?.parts, media));
    }
    if (media.length > 0) this.messages.push({ role: "user", content: media.map(writePart) });
  }

  #toolMessage(callId: string, parts: readonly Part[] | undefined, media: Part[]): JsonObject {
    const message = { role: "tool", tool_call_id: callId };
    if (!parts) return { ...message, content: ABORTED };
    if (!parts.some(isMedia)) return { ...message, content: spokenText(parts, "\n") };
    if (this.#dialect.imagesInResults) return { ...message, content: parts.map(writePart) };
    media.push(...parts.filter(isMedia));
    return { ...message, content: spokenText(parts, "\n") || ATTACHED };
  }

  #hear(item: MessageItem): void {
    this.close();
    if (item.role === "user") {
      this.messages.push({ role: "user", content: writeParts(item.parts) });
      return;
    }
    const known = item.role === "developer" && this.#dialect.developerRole;
    const role = known ? "developer" : "system";
    this.messages.push({ role, content: spokenText(item.parts, "\n\n") });
  }

  #speak(item: MessageItem): void {
    // Thoughts stand before what they led to and must not be lost with the turn before.
    const thoughts = this.#thoughts;
    this.#thoughts = [];
    this.close();
    const said = (type: Part["type"]) => item.parts.filter((part) => part.type === type);
    const refusal = spokenText(said("refusal"), "");
    const text = spokenText(said("text"), "");
    const message: Record<string, unknown> = { role: "assistant", content: text };
    // A member of OpenAI's own, like the role; for others a refusal is a text like any other.
    if (refusal && this.#dialect.developerRole) Object.assign(message, { refusal });
    else if (refusal) message.content = text + refusal;
    if (message.content === "") message.content = refusal ? null : "";
    this.#turn = { message, calls: [] };
    this.#think(message, thoughts);
  }

  #call(item: CallItem): void {
    const thoughts = this.#thoughts;
    this.#thoughts = [];
    this.#turn ??= { message: { role: "assistant", content: null }, calls: [] };
    const { message, calls } = this.#turn;
    const written = writeCall(item, this.#dialect);
    const last = thoughts.at(-1);
    const extra = this.#dialect.reasoningBack ? extraContent(last) : {};
    append(message, "tool_calls", [{ ...written, ...extra }]);
    if (message.content === "") message.content = null;
    calls.push(item);
    this.#think(message, thoughts, "extra_content" in extra ? last : undefined);
    if (this.#dialect.reasoningBack) message.reasoning_content ??= NO_THINKING;
  }

  #result(item: ResultItem): void {
    this.close();
    if (this.#calls.has(item.callId)) return;
    const head: Part = { type: "text", text: `Result of the tool call ${item.callId}:` };
    const parts = item.parts.some(isMedia)
      ? [head, ...item.parts]
      : [{ ...head, text: `${head.text}\n${spokenText(item.parts, "\n")}` }];
    this.messages.push({ role: "user", content: writeParts(parts) });
  }

  /** `onCall` is the one of the thoughts that goes back with a call. */
  #think(
    message: Record<string, unknown>,
    thoughts: readonly ReasoningItem[],
    onCall?: ReasoningItem,
  ): void {
    const lost = this.#dialect.reasoningBack
      ? thoughts.filter((thought) => !giveBack(message, thought) && thought !== onCall)
      : thoughts;
    this.dropped.push(...droppedReasoning(lost));
  }
}

/** Puts a thought into a message, as far as a vendor can read it, and says whether there was anything to put. */
function giveBack(message: Record<string, unknown>, thought: ReasoningItem): boolean {
  const said = thought.text ?? thought.summary.join("\n\n");
  const before = message.reasoning_content;
  if (said) {
    // Put together by adding, which copies nothing: a turn may have very many thoughts.
    message.reasoning_content =
      !before || before === NO_THINKING ? said : `${before as string}\n\n${said}`;
  }
  const details = unsealDetails(thought);
  if (details.length > 0) append(message, "reasoning_details", details);
  return said !== "" || details.length > 0;
}

/** More of a list that a message may have begun. */
function append(
  message: Record<string, unknown>,
  name: "tool_calls" | "reasoning_details",
  more: readonly JsonObject[],
): void {
  const list = (message[name] as JsonObject[] | undefined) ?? [];
  for (const each of more) list.push(each);
  message[name] = list;
}

/** The messages of a conversation for one vendor, and the names of items left out of them. */
export function writeMessages(
  conversation: Conversation,
  dialect: Dialect,
): Pick<MessageWriter, "messages" | "dropped"> {
  const writer = new MessageWriter(conversation.items, dialect);
  if (conversation.instructions) {
    writer.messages.push({ role: "system", content: conversation.instructions });
  }
  for (const item of conversation.items) writer.add(item);
  writer.close();
  return writer;
}
