import type { Fault } from "../lib/faults.ts";
import type { JsonText, ObjectText, Written } from "./bytes/splice.ts";
import type { Writes } from "./bytes/writes.ts";
import type { Answer, CanonEvent, Conversation } from "./canon.ts";
import type { JsonObject } from "./fields.ts";
import type { LongMembers } from "./members/long-members.ts";
import type { Shape } from "./members/shape.ts";
import type { AllowedFeatures } from "./unpriced.ts";
import type { Usage } from "./usage.ts";

/** What the gateway needs to know of a request, whatever wire it came by. */
export interface ClientRequest {
  readonly model: string;
  readonly stream: boolean;
  /** The client's own maximum of output tokens, for one choice. */
  readonly maxOutput: number | undefined;
  readonly choices: number;
  /** Whether the vendor may run searches that are billed by the call. */
  readonly webSearch: boolean;
  /** How often the vendor may read and write for it, each time as much as a model can; once if unsaid. */
  readonly rounds?: number | undefined;
  readonly body: JsonObject;
  /** The body as it was sent, or as it stands after a change. */
  readonly json: JsonText;
}

/** How one vendor's use of a wire differs from the wire's own description. */
export interface Dialect {
  /** Chat: the name of the output maximum; `max_completion_tokens` unless it says otherwise. */
  readonly maxTokensName?: "max_tokens";
  /** Chat: knows the role `developer`. Others get it as `system`. */
  readonly developerRole?: boolean;
  /** Chat: knows tools that take free text. Others get them as functions of one text. */
  readonly customTools?: boolean;
  /** Chat: wants `reasoning_content` of earlier turns back. */
  readonly reasoningBack?: boolean;
  /** Chat: takes images in what tools return. Others get them in a user message behind it. */
  readonly imagesInResults?: boolean;
  /** Chat: false where `response_format` knows no `json_schema`; it gets `json_object` then. */
  readonly jsonSchema?: false;
  /** Chat: members of OpenAI's own that the vendor refuses, left out by name. */
  readonly refuses?: readonly string[];
  /** Members of the vendor's own that cost nothing but the tokens they lead to. */
  readonly takes?: readonly string[];
}

/** What a model, whoever serves it, does not take or takes in a way of its own. */
export type ModelRule =
  /** Refuses `temperature`, `top_p` and their like. */
  | "no_sampling"
  /** Messages: thinks as it sees fit, guided by an effort; others get a budget of tokens. */
  | "adaptive_thinking"
  /** Messages: cannot be told not to think. */
  | "always_thinking"
  /** Gemini: takes a level of thinking instead of a budget. */
  | "thinking_level"
  /** Shows all that it thinks while it thinks. */
  | "open_thinking"
  /** Does not think unless it is asked to. */
  | "thinks_when_asked"
  /** Does not think at all, and refuses to be told how much. */
  | "never_thinks"
  /** Chat: takes functions or an effort, not both. On the Responses wire it takes both. */
  | "tools_or_effort"
  /** Chat: takes functions only where it is told not to think. On the Responses wire it takes them anyway. */
  | "tools_or_thinking"
  /** Chat and Responses: has no such effort. */
  | "no_effort_none"
  | "no_effort_minimal"
  | "no_effort_xhigh"
  | "no_effort_max";

export interface UpstreamOptions {
  /** The vendor's name of the model. */
  readonly model: string;
  /** The most output of a choice that may be asked for, where that is less than the client may want. */
  readonly outputClamp: number | undefined;
  /** Whether the vendor must return reasoning in a form that can be sent again. */
  readonly keepReasoning: boolean;
  /** The most that the model can write. */
  readonly maxOutput: number;
  readonly rules: readonly ModelRule[];
  readonly dialect: Dialect;
  /** What may be asked of the vendor beyond what the wire and the vendor's own row list. */
  readonly allows: AllowedFeatures;
  /** Whether the vendor runs searches for this model, at a price that is known. */
  readonly webSearch: boolean;
  /** The most searches of one request: what the client says, or less. */
  readonly searchesMax: number;
}

/** What a vendor was told in place of what the client said, where it does not take that. */
export interface UsedInstead {
  readonly temperature?: number | undefined;
  readonly maxOutput?: number | undefined;
  readonly effort?: string | undefined;
}

export interface UpstreamBody {
  readonly text: string;
  /** What the text says, without reading it. Members that are undefined are not in it. */
  readonly value: JsonObject;
  /** What could not be sent and was left out or changed, named for the client. */
  readonly dropped: readonly string[];
  /** Of what was changed, what became of it. */
  readonly used: UsedInstead | undefined;
  /** The same text in pieces, none of which takes long to make or ends inside a character. */
  pieces(): Iterable<string>;
  /** The same body, of which other things are named. */
  withDropped(dropped: readonly string[]): UpstreamBody;
}

/** What we put into an answer in place of what the vendor wrote. */
export interface AnswerOptions {
  /** Our name of the model. */
  readonly model: string;
  /** What the response is called, whatever its vendor calls it. */
  readonly responseId?: string | undefined;
  /** How much was read, as estimated, for wires that say so before any vendor has counted. */
  readonly inputTokens?: number;
  /** Members of the response object that are ours to say, as JSON texts. */
  readonly echo: Readonly<Record<string, string>>;
  /** Members that a stream repeats of its request and that are long. */
  readonly longEcho?: LongMembers;
  /** Whether the final response is kept, with all that it repeats. */
  readonly isKept?: boolean;
}

export interface AnswerEnd {
  /** The charge as a decimal, where the key shows it. */
  readonly cost: string | undefined;
  /** What was priced, for an answer whose vendor did not say what it used. */
  readonly usage: Usage;
  /** That is not what the vendor said, whose words would mislead. */
  readonly mended?: boolean;
  readonly echo: Readonly<Record<string, string>>;
}

/** A vendor's whole answer, read once. */
export interface VendorResult {
  readonly id: string | undefined;
  readonly usage: Usage | undefined;
  /** Generated tokens as estimated, for an answer whose vendor did not count. */
  readonly outputTokens: number;
  readonly webSearches: number;
  /** The vendor's answer is a failure although its status was not. */
  readonly failure: Fault | undefined;
  readonly body: JsonObject;
  /** The body to send to the client; in pieces where the vendor's is large. */
  write(options: AnswerOptions, end: AnswerEnd): Written;
}

/**
 * A vendor's stream on its way through. Bytes go in as they come; what may go out comes back at
 * once, except the end, which is kept until the request is settled.
 */
export interface StreamFilter {
  /** Bytes to send now, if any. */
  push(chunk: Uint8Array): Writes | undefined;
  /** The vendor closed the connection. Returns what had been kept back of an unfinished event. */
  close(): Writes | undefined;
  /** The vendor said that it is done. */
  readonly ended: boolean;
  /** The vendor said that it failed. */
  readonly failure: Fault | undefined;
  /** Whether anything has been given out for the client. */
  readonly started: boolean;
  readonly id: string | undefined;
  readonly usage: Usage | undefined;
  /** Generated tokens given out so far, as estimated. */
  readonly outputTokens: number;
  /** Completed searches, whether or not the vendor counted tokens. */
  readonly webSearches: number;
  /** Why the vendor stopped, for each of its answers, where that is not in `final`. */
  readonly finishReasons?: readonly string[] | undefined;
  /** The final response object, on wires that have one. */
  readonly final: JsonObject | undefined;
  /** The end of a settled answer. Asked for twice, it is written as it would be at each time. */
  finish(end: AnswerEnd): Writes;
  /** The end of an answer that failed after its first byte. */
  fail(fault: Fault): Writes;
  keepAlive(): Uint8Array;
}

/** A vendor's stream, read into the events that all wires share. */
export interface AnswerReader {
  push(chunk: Uint8Array): readonly CanonEvent[];
  /** The vendor closed the connection. An answer without its end is told as failed. */
  close(): readonly CanonEvent[];
}

/** A piece of what a model writes, and which of its texts it goes on with. */
export interface Piece {
  readonly lane: string;
  readonly text: string;
}

/**
 * Follows a vendor's stream that may have to be ended before the vendor does, event by event: what an
 * event would add is known before it is let through.
 */
export interface AnswerTrack {
  /** What the model wrote in an event. */
  piecesOf(event: Uint8Array): readonly Piece[];
  /** The event goes through to the client. */
  follow(event: Uint8Array): void;
  /** The events with which the vendor would have ended what went through, had it reached a maximum. */
  cutShort(): Uint8Array;
}

/** Writes the events of an answer as a vendor of this wire would, ready for its `StreamFilter`. */
export interface AnswerWriter {
  /** The bytes of an event as text; empty where the wire says nothing about it. */
  write(event: CanonEvent): string;
}

/** The wires that any model can be reached by, through translation where need be. */
export type Endpoint = "responses" | "chat" | "messages" | "gemini";

/** What the path says of a request, on wires that say it there. */
export interface RequestPath {
  readonly model: string;
  readonly stream: boolean;
}

/** What a vendor counts of a request. */
export interface CountedInput {
  readonly conversation: unknown;
  readonly tools: unknown;
  /** Characters of the vendor's own thoughts, sealed, that stand beside the conversation. */
  readonly sealedChars?: number;
}

/** A wire whose requests can be passed on to vendors that speak it too. */
export interface PassWire {
  readonly endpoint: Endpoint | "embeddings";
  /** What is read of a request, where no two members may be taken for one another. */
  readonly members: Shape;
  readRequest(body: unknown, text: string, path?: RequestPath): ClientRequest;
  /** The parts of the body that the vendor will count as input. */
  inputOf(request: ClientRequest): CountedInput;
  /** Behind the vendor's base address. */
  path(model: string, stream: boolean): string;
  /**
   * Whether the bytes of a request, and of its answer, can pass to a vendor of this dialect. What
   * cannot is translated, even to its own wire. Absent where all can.
   */
  passes?(request: ClientRequest, dialect: Dialect): boolean;
  writeRequest(request: ClientRequest, options: UpstreamOptions): UpstreamBody;
  /**
   * A vendor's whole answer, parsed, and its text; of a vendor of this wire, to this request. Throws where it is
   * not what the wire promises.
   */
  readResult(
    body: unknown,
    json: ObjectText,
    request?: ClientRequest,
    options?: Pick<AnswerOptions, "responseId">,
  ): VendorResult;
  openStream(request: ClientRequest, options: AnswerOptions): StreamFilter;
  /** The content type of its streams; that of server-sent events if unsaid. */
  readonly streamType?: string;
  /** A vendor's refusal by status. */
  readonly readFault: (status: number, body: unknown) => Fault;
  /** The body of an error for the client. */
  writeFault(fault: Fault, requestId: string): string;
}

/** A wire that can be translated to and from every other, facing the client and the vendor. */
export interface Wire extends PassWire {
  readonly endpoint: Endpoint;

  // Facing the client.
  readConversation(request: ClientRequest): Conversation;
  /** The request as if the client had said what was really used, where answers repeat what was said. */
  asUsed?(request: ClientRequest, sent: UpstreamBody): ClientRequest;
  /** What streams repeat of a request and is long, encoded in steps; undefined where nothing is. */
  encodeEcho?(request: ClientRequest, options: AnswerOptions): Promise<LongMembers | undefined>;
  openWriter(request: ClientRequest, options: AnswerOptions): AnswerWriter;
  /** What a vendor of this wire would write of a whole answer: as JSON it is ready for `readResult`. */
  writeAnswer(answer: Answer, request: ClientRequest, options: AnswerOptions): JsonObject;

  // Facing the vendor.
  writeConversation(conversation: Conversation, options: UpstreamOptions): UpstreamBody;
  /** Whether calls have their arguments as values, and not as texts. */
  readonly readsArguments?: true;
  openReader(): AnswerReader;
  openTrack(): AnswerTrack;
  /** A vendor's whole answer, parsed. Throws where it is not what the wire promises. */
  readAnswer(body: unknown): Answer;
}

/** Whether a wire can be translated to others. */
export function isWire(wire: PassWire): wire is Wire {
  return "readConversation" in wire;
}
