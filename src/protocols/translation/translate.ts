import type { Fault } from "../../lib/faults.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import { isLarge } from "../../lib/yield-to-loop.ts";
import { JsonText } from "../bytes/splice.ts";
import { UnwrittenObject } from "../bytes/unwritten-object.ts";
import { inOrder, type Writes } from "../bytes/writes.ts";
import {
  type Answer,
  type CanonEvent,
  type Conversation,
  isMadeSearch,
  type OutputItem,
} from "../canon.ts";
import { type JsonObject, unsupported } from "../fields.ts";
import type { Usage } from "../usage.ts";
import {
  type AnswerEnd,
  type AnswerOptions,
  type AnswerReader,
  type AnswerWriter,
  type ClientRequest,
  type Dialect,
  isWire,
  type PassWire,
  type StreamFilter,
  type UpstreamBody,
  type UpstreamOptions,
  type VendorResult,
  type Wire,
} from "../wire.ts";
import { readCalls } from "./call-arguments.ts";
import { ToolNames } from "./tool-names.ts";

/** The way of one request to a vendor and back. */
export interface Translation {
  writeRequest(options: UpstreamOptions): UpstreamBody;
  /** The same in steps, for a request that is long. */
  writeLongRequest(options: UpstreamOptions): MaybePromise<UpstreamBody>;
  /** A vendor's whole answer, parsed, and its text. Throws where it is not what the vendor's wire promises. */
  readResult(body: unknown, json: JsonText, options: AnswerOptions): VendorResult;
  /** The same in steps, for an answer that is long. */
  readLongResult(body: unknown, json: JsonText, options: AnswerOptions): MaybePromise<VendorResult>;
  openStream(options: AnswerOptions): StreamFilter;
  /** The same in steps, for a request that is long. */
  openLongStream(options: AnswerOptions): MaybePromise<StreamFilter>;
}

/** The way between two that speak the same wire. */
class Passage implements Translation {
  readonly #wire: PassWire;
  readonly #request: ClientRequest;

  constructor(wire: PassWire, request: ClientRequest) {
    this.#wire = wire;
    this.#request = request;
  }

  writeRequest(options: UpstreamOptions): UpstreamBody {
    return this.#wire.writeRequest(this.#request, options);
  }

  writeLongRequest(options: UpstreamOptions): UpstreamBody {
    return this.writeRequest(options);
  }

  readResult(body: unknown, json: JsonText, options: AnswerOptions): VendorResult {
    return this.#wire.readResult(body, json, this.#request, options);
  }

  readLongResult(body: unknown, json: JsonText, options: AnswerOptions): VendorResult {
    return this.readResult(body, json, options);
  }

  openStream(options: AnswerOptions): StreamFilter {
    return this.#wire.openStream(this.#request, options);
  }

  openLongStream(options: AnswerOptions): StreamFilter {
    return this.openStream(options);
  }
}

/**
 * Binds the wire of a client to the wire of a vendor. Where they are the same, bytes pass. Where
 * they differ, the vendor's answer is rewritten as a vendor of the client's own wire would have sent
 * it, and then passes as such: metering, settlement and failures have one path.
 */
export function openTranslation(
  client: PassWire,
  vendor: PassWire,
  request: ClientRequest,
  dialect: Dialect,
): Translation {
  if (client.endpoint === vendor.endpoint && client.passes?.(request, dialect) !== false) {
    return new Passage(client, request);
  }
  if (!isWire(client) || !isWire(vendor)) {
    throw new Error(`${client.endpoint} cannot be translated to ${vendor.endpoint}`);
  }
  return new ThroughCanon(client, vendor, request);
}

/** What all wires share has one choice: others would be written, paid for and lost on the way. */
function refuseChoices({ endpoint }: Wire, { choices }: ClientRequest): void {
  if (choices === 1) return;
  const param = endpoint === "gemini" ? "generationConfig.candidateCount" : "n";
  throw unsupported(param, "The model behind this name writes one answer at a time.");
}

/** The way between two wires, by what all of them share. */
class ThroughCanon implements Translation {
  readonly #client: Wire;
  readonly #vendor: Wire;
  readonly #request: ClientRequest;
  #names = new ToolNames([]);
  /** The request as it was really made. */
  #used: ClientRequest;

  constructor(client: Wire, vendor: Wire, request: ClientRequest) {
    this.#client = client;
    this.#vendor = vendor;
    this.#request = request;
    this.#used = request;
  }

  writeRequest(options: UpstreamOptions): UpstreamBody {
    return this.#write(this.#read(), options);
  }

  async writeLongRequest(options: UpstreamOptions): Promise<UpstreamBody> {
    const conversation = this.#read();
    if (!this.#vendor.readsArguments) return this.#write(conversation, options);
    const items = await readCalls(conversation.items);
    return this.#write({ ...conversation, items }, options);
  }

  #read(): Conversation {
    refuseChoices(this.#client, this.#request);
    return this.#client.readConversation(this.#request);
  }

  #write(conversation: Conversation, options: UpstreamOptions): UpstreamBody {
    this.#names = new ToolNames(conversation.tools);
    const written = this.#vendor.writeConversation(conversation, options);
    const sent = written.withDropped([...conversation.lost, ...written.dropped]);
    this.#used = this.#client.asUsed?.(this.#request, sent) ?? this.#request;
    return sent;
  }

  readResult(body: unknown, _json: JsonText, options: AnswerOptions): VendorResult {
    const answer = this.#vendor.readAnswer(body);
    // An answer may repeat much of its request.
    return isLarge(this.#used.json.text)
      ? this.#long(answer, options)
      : this.#short(answer, options);
  }

  async readLongResult(
    body: unknown,
    _json: JsonText,
    options: AnswerOptions,
  ): Promise<VendorResult> {
    const answer = this.#vendor.readAnswer(body);
    return this.#long({ ...answer, items: await readCalls(answer.items) }, options);
  }

  /** An answer in the words of the client's wire, as if its vendor had written it so. */
  #short(told: Answer, options: AnswerOptions): VendorResult {
    const answer = withOwnNames(told, this.#names);
    if (answer.failure) return failedResult(answer, answer.failure);
    const client = this.#client;
    const text = JSON.stringify(client.writeAnswer(answer, this.#used, options));
    const own = client.readResult(JSON.parse(text), new JsonText(text), undefined, options);
    return translatedResult(own, answer);
  }

  /** The same of one that is so long that others must have their turns while it is written: it never is one text. */
  #long(told: Answer, options: AnswerOptions): VendorResult {
    const answer = withOwnNames(told, this.#names);
    if (answer.failure) return failedResult(answer, answer.failure);
    const written = this.#client.writeAnswer(answer, this.#used, options);
    const json = new UnwrittenObject(written);
    const own = this.#client.readResult(written, json, undefined, options);
    return translatedResult(own, answer);
  }

  openStream(options: AnswerOptions): StreamFilter {
    const client = this.#client;
    return new TranslatedStream(
      this.#vendor.openReader(),
      client.openWriter(this.#used, options),
      client.openStream(this.#used, options),
      // Not by a function made here, which would hold the request as long as the stream lasts.
      this.#names,
    );
  }

  async openLongStream(options: AnswerOptions): Promise<StreamFilter> {
    const longEcho = await this.#client.encodeEcho?.(this.#used, options);
    return this.openStream(longEcho ? { ...options, longEcho } : options);
  }
}

function withOwnName<T extends OutputItem>(item: T, names: ToolNames): OutputItem {
  return item.type === "call" ? names.restore(item) : item;
}

function withOwnNames(answer: Answer, names: ToolNames): Answer {
  return { ...answer, items: answer.items.map((item) => withOwnName(item, names)) };
}

function failedResult(answer: Answer, failure: Fault): VendorResult {
  return {
    id: answer.id,
    usage: answer.usage,
    outputTokens: 0,
    webSearches: 0,
    failure,
    body: {},
    write: () => {
      throw failure;
    },
  };
}

function translatedResult(own: VendorResult, answer: Answer): VendorResult {
  const searched = answer.items.filter(isMadeSearch).length;
  return {
    id: own.id,
    // Not as the client's wire tells it: no wire has words for every bucket.
    usage: answer.usage,
    get outputTokens() {
      return own.outputTokens;
    },
    webSearches: answer.usage?.webSearches ?? searched,
    failure: own.failure,
    body: own.body,
    write: (to, end) => own.write(to, end),
  };
}

const encoder = new TextEncoder();

/** A vendor's stream, rewritten event by event into the client's wire and passed on from there. */
class TranslatedStream implements StreamFilter {
  readonly #reader: AnswerReader;
  readonly #writer: AnswerWriter;
  readonly #own: StreamFilter;
  readonly #names: ToolNames;
  /** The open call takes free text, which cannot be told from its wrapping until it is whole. */
  #wrapped = false;
  #searches = 0;

  failure: Fault | undefined;
  usage: Usage | undefined;

  constructor(reader: AnswerReader, writer: AnswerWriter, own: StreamFilter, names: ToolNames) {
    this.#reader = reader;
    this.#writer = writer;
    this.#own = own;
    this.#names = names;
  }

  get ended(): boolean {
    return this.#own.ended;
  }

  get started(): boolean {
    return this.#own.started;
  }

  get id(): string | undefined {
    return this.#own.id;
  }

  get outputTokens(): number {
    return this.#own.outputTokens;
  }

  /** Some vendors count none at the beginning and tell the number only at the end. */
  get webSearches(): number {
    return Math.max(this.usage?.webSearches ?? 0, this.#searches);
  }

  get final(): JsonObject | undefined {
    return this.#own.final;
  }

  get finishReasons(): StreamFilter["finishReasons"] {
    return this.#own.finishReasons;
  }

  push(chunk: Uint8Array): Writes | undefined {
    return this.#pass(this.#reader.push(chunk));
  }

  close(): Writes | undefined {
    return this.#pass(this.#reader.close());
  }

  finish(end: AnswerEnd): Writes {
    return this.#own.finish(end);
  }

  fail(fault: Fault): Writes {
    return this.#own.fail(fault);
  }

  keepAlive(): Uint8Array {
    return this.#own.keepAlive();
  }

  #pass(events: readonly CanonEvent[]): Writes | undefined {
    let text = "";
    let over = false;
    for (const event of events) {
      if (this.ended || this.failure) break;
      text += this.#step(event);
      over ||= event.type === "end";
    }
    const bytes = text === "" ? undefined : this.#own.push(encoder.encode(text));
    this.failure ??= this.#own.failure;
    // Some wires end with the connection; the events say that nothing more will come.
    if (!over || this.ended) return bytes;
    const rest = this.#own.close();
    this.failure ??= this.#own.failure;
    return inOrder([bytes, rest]);
  }

  #step(event: CanonEvent): string {
    switch (event.type) {
      case "usage":
        this.usage = event.usage;
        return "";
      case "end":
        this.usage = event.usage ?? this.usage;
        return this.#writer.write(event);
      case "failed":
        this.usage = event.usage ?? this.usage;
        this.failure = event.fault;
        return "";
      case "item":
        return this.#open(event.item);
      case "item_done":
        return this.#done(event.item);
      case "arguments":
        return this.#wrapped ? "" : this.#writer.write(event);
      default:
        return this.#writer.write(event);
    }
  }

  #open(item: OutputItem): string {
    const names = this.#names;
    this.#wrapped = item.type === "call" && names.isWrapped(item);
    return this.#writer.write({ type: "item", item: withOwnName(item, names) });
  }

  #done(item: OutputItem): string {
    if (isMadeSearch(item)) this.#searches++;
    const own = withOwnName(item, this.#names);
    let text = "";
    if (this.#wrapped && own.type === "call") {
      text = this.#writer.write({ type: "arguments", delta: own.arguments });
    }
    this.#wrapped = false;
    return text + this.#writer.write({ type: "item_done", item: own });
  }
}
