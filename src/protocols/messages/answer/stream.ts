import type { Fault } from "../../../lib/faults.ts";
import { toldUsage, usageText, withoutCosts } from "../../answer-usage.ts";
import { eventValue } from "../../bytes/event-value.ts";
import { PassingStream } from "../../bytes/passing-stream.ts";
import { JsonText } from "../../bytes/splice.ts";
import { eventData, writeEvent } from "../../bytes/sse.ts";
import { upstreamUnavailable } from "../../faults.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { isErrorEvent } from "../../status-in-body.ts";
import type { Usage } from "../../usage.ts";
import type { AnswerEnd, AnswerOptions, StreamFilter } from "../../wire.ts";
import { faultOfMessagesEvent, messagesError } from "../faults.ts";
import {
  countsInput,
  countsOutput,
  earlyUsage,
  laterUsage,
  readMessagesUsage,
  writeMessagesUsage,
} from "../usage.ts";
import { blockTokens } from "./result.ts";

/** The members of a delta that the model wrote. */
const TEXTS = ["text", "thinking", "partial_json"];

const STOP = writeEvent('{"type":"message_stop"}', "message_stop");
const PING = writeEvent('{"type":"ping"}', "ping");
/** The end of an answer whose vendor gave no reason for it. */
const PLAIN_END =
  '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null}}';

function stopReason(event: JsonObject): unknown {
  return isObject(event.delta) ? (event.delta.stop_reason ?? undefined) : undefined;
}

/** A search that was made, told before the vendor's count of them. */
function isSearchResult(block: unknown): boolean {
  return isObject(block) && block.type === "web_search_tool_result" && Array.isArray(block.content);
}

/** A Messages stream from a vendor of the same wire: renamed, metered, its end kept back. */
export class MessagesStream extends PassingStream implements StreamFilter {
  readonly #model: string;
  /** How much was read, for a vendor that does not say it at the beginning. */
  readonly #inputTokens: number | undefined;
  /** The client has heard our estimate, and nothing yet of what the vendor counted. */
  #estimated = false;
  /** The counts so far, in the vendor's words. */
  #counts: JsonObject | undefined;
  #outputCounted = false;
  #hasBegun = false;
  /** The event with the reason of the end. */
  #end: string | undefined;

  #searched = 0;

  usage: Usage | undefined;
  readonly final = undefined;

  constructor(options: AnswerOptions) {
    super();
    this.#model = JSON.stringify(options.model);
    this.#inputTokens = options.inputTokens;
  }

  get finishReasons(): readonly string[] {
    const reason = this.#end === undefined ? undefined : stopReason(JSON.parse(this.#end));
    return typeof reason === "string" ? [reason] : [];
  }

  get webSearches(): number {
    return Math.max(this.usage?.webSearches ?? 0, this.#searched);
  }

  /** With its reason told, nothing of the answer is missing. */
  protected override endEarly(): void {
    if (this.#end !== undefined && !this.failure) this.#stop();
  }

  finish(end: AnswerEnd): Uint8Array {
    const json = new JsonText(this.#end ?? PLAIN_END);
    const told = { ...end, mended: end.mended || this.#estimated };
    const text = json.edit({ usage: usageText(json, told, writeMessagesUsage) });
    return Buffer.concat([writeEvent(text, "message_delta"), STOP]);
  }

  fail(fault: Fault): Uint8Array {
    return writeEvent(JSON.stringify(messagesError(fault)), "error");
  }

  keepAlive(): Uint8Array {
    return PING;
  }

  protected override passAny(event: Uint8Array): Uint8Array | undefined {
    const text = eventData(event);
    const data = eventValue(text);
    if (text === undefined || data === undefined) return undefined;
    if (isErrorEvent(data)) {
      this.failure = faultOfMessagesEvent(data);
      return undefined;
    }
    if (!isObject(data) || typeof data.type !== "string") {
      throw new Error("an event must be an object with a type");
    }
    switch (data.type) {
      case "ping":
        return undefined;
      case "message_start":
        return this.#begin(text, data);
      case "message_delta":
        return this.#keepEnd(text, data);
      case "message_stop":
        this.#stop();
        return undefined;
      default:
        return this.#passBlock(event, text, data.type, data);
    }
  }

  #passBlock(event: Uint8Array, text: string, type: string, data: JsonObject): Uint8Array {
    this.#hasBegun = true;
    const { content_block, delta } = data;
    if (isSearchResult(content_block)) this.#searched++;
    const tokens = blockTokens(content_block) + blockTokens(delta);
    this.outputTokens += tokens;
    const written = writeEvent(text, type);
    if (content_block === undefined && isObject(delta)) {
      const texts = TEXTS.filter((name) => typeof delta[name] === "string");
      this.learn({ event, written, tokens }, { texts: texts.map((name) => ["delta", name]) });
    }
    return written;
  }

  #count(usage: unknown): void {
    this.#counts = laterUsage(this.#counts, usage);
    this.usage = readMessagesUsage(this.#counts);
  }

  /** What stops before it has begun is no answer, and nobody pays for it. */
  #stop(): void {
    if (!this.#hasBegun) {
      this.failure ??= upstreamUnavailable(new Error("the stream was empty"));
      return;
    }
    this.ended = true;
    if (!this.#outputCounted) this.usage = earlyUsage(this.#counts);
  }

  #begin(text: string, data: JsonObject): Uint8Array {
    this.#hasBegun = true;
    const message = isObject(data.message) ? data.message : {};
    if (typeof message.id === "string") this.id ??= message.id;
    this.#count(message.usage);
    const json = new JsonText(text, new JsonText(text).locate("message")?.start);
    const usage = this.#early(message.usage) ?? toldUsage(json);
    const named = json.edit({ model: this.#model, ...(usage && { usage }) });
    return writeEvent(named, "message_start");
  }

  /** The counts of the beginning with our estimate, where the vendor has not counted yet. */
  #early(usage: unknown): string | undefined {
    if (this.#inputTokens === undefined || countsInput(usage)) return undefined;
    this.#estimated = true;
    const counts = isObject(usage) ? usage : {};
    const early = { output_tokens: 0, ...counts, input_tokens: this.#inputTokens };
    return withoutCosts(JSON.stringify(early));
  }

  #keepEnd(text: string, data: JsonObject): undefined {
    this.#count(data.usage);
    if (countsInput(data.usage)) this.#estimated = false;
    this.#outputCounted ||= countsOutput(data.usage);
    if (stopReason(data) !== undefined) this.#end = text;
    else if (this.#end !== undefined && isObject(data.usage)) {
      // Counts may follow the reason in an event of their own.
      this.#end = new JsonText(this.#end).edit({ usage: JSON.stringify(data.usage) });
    }
  }
}
