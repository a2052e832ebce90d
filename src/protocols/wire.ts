import type { Fault } from "../lib/faults.ts";
import type { JsonObject } from "./fields.ts";
import type { JsonText } from "./splice.ts";
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
  readonly body: JsonObject;
  /** The body as it was sent, or as it stands after a change. */
  readonly json: JsonText;
}

export interface UpstreamOptions {
  /** The vendor's name of the model. */
  readonly model: string;
  /** The most output that the hold allows, for keys that must not overrun. */
  readonly outputClamp: number | undefined;
  /** Whether the vendor must return reasoning in a form that can be sent again. */
  readonly keepReasoning: boolean;
}

export interface UpstreamBody {
  readonly text: string;
  /** What could not be sent and was left out, named for the client. */
  readonly dropped: readonly string[];
}

/** What we put into an answer in place of what the vendor wrote. */
export interface AnswerOptions {
  /** Our name of the model. */
  readonly model: string;
  /** Members of the response object that are ours to say, as JSON texts. */
  readonly echo: Readonly<Record<string, string>>;
}

export interface AnswerEnd {
  /** The charge as a decimal, where the key shows it. */
  readonly cost: string | undefined;
  /** What was priced, for an answer whose vendor did not say what it used. */
  readonly usage: Usage;
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
  /** The body to send to the client. */
  write(options: AnswerOptions, end: AnswerEnd): string;
}

/**
 * A vendor's stream on its way through. Bytes go in as they come; what may go out comes back at
 * once, except the end, which is kept until the request is settled.
 */
export interface StreamPass {
  /** Bytes to send now, if any. */
  push(chunk: Uint8Array): Uint8Array | undefined;
  /** The vendor closed the connection. Returns what had been kept back of an unfinished event. */
  close(): Uint8Array | undefined;
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
  /** The final response object, on wires that have one. */
  readonly final: JsonObject | undefined;
  /** The end of a settled answer. */
  finish(end: AnswerEnd): Uint8Array;
  /** The end of an answer that failed after its first byte. */
  fail(fault: Fault): Uint8Array;
  keepAlive(): Uint8Array;
}

/** One wire, facing the client and the vendor at once. */
export interface Wire {
  readonly endpoint: "chat" | "responses";
  /** Behind the vendor's base address. */
  readonly path: string;
  readRequest(body: unknown, text: string): ClientRequest;
  /** The parts of the body that the vendor will count as input. */
  inputOf(request: ClientRequest): { readonly conversation: unknown; readonly tools: unknown };
  writeRequest(request: ClientRequest, options: UpstreamOptions): UpstreamBody;
  /** Throws where the body is not what the wire promises. */
  readResult(text: string): VendorResult;
  openStream(request: ClientRequest, options: AnswerOptions): StreamPass;
}
