import type { RequestMemory } from "./bodies/body-memory.ts";
import type { Caller, Method, Operation } from "./contract.ts";
import type { Fault } from "./faults.ts";
import type { HttpResponse } from "./net/http-response.ts";

/** Tells that whoever asks has left; an `AbortSignal` does. */
export interface LeaveSignal {
  readonly aborted: boolean;
  addEventListener(name: "abort", heard: () => void, options?: { readonly once: boolean }): void;
  removeEventListener(name: "abort", heard: () => void): void;
}

/** The fields of a request's head, whatever capitals their names have. */
export type SentHeaders = Pick<Headers, "get" | "has">;

/** A request as far as a call of a model looks at it. A `Request` is one, and dearer. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: SentHeaders;
  readonly signal: LeaveSignal;
  readonly body: ReadableStream<Uint8Array> | null;
  /** All of its body, where that is there already, and is a text beyond doubt. */
  thereText?(): string | undefined;
  bytes(): Promise<Uint8Array>;
}

/** One HTTP request on its way to the room that answers it. */
export interface Incoming<Asked extends Sent = Request> {
  readonly request: Asked;
  /** Also the id of the request's hold and receipt. */
  readonly requestId: string;
  readonly url: URL;
  /** Named pieces of the path, such as `id`. */
  readonly params: Readonly<Record<string, string>>;
  /** Nothing more is expected from the client: it may wait for as long as the answer takes. */
  keepOpen(): void;
  /** Whether its answer is still being made, or on its way out to a client that is there. */
  isBeingAnswered(): boolean;
  /** The caller's address, through trusted proxies. */
  address(): string;
  /** Counts what the body takes. A call of a model has none, since the gateway counts its body by itself. */
  readonly memory?: RequestMemory;
}

/** How a route words its errors, where that is not the common way. */
export interface FaultFace {
  /** A second header for the request's id, as clients of this face know it. */
  readonly requestIdHeader?: string;
  body(fault: Fault, requestId: string): string;
}

/** The face of whoever calls: some paths are those of several vendors' clients. */
export type FaceOf = (request: Sent) => FaultFace | undefined;

/** What there is to say of a request that no route takes. */
export interface Unrouted {
  readonly face: FaultFace | undefined;
  /** Why nothing is there, where that is known. */
  readonly fault: Fault | undefined;
}

/** A connection on which both sides send when they like. */
export interface Socket {
  /** Resolves once the client has taken enough for more to be sent. */
  send(text: string): Promise<void>;
  close(code: number, reason: string): void;
}

/** What a room does with a connection. */
export interface SocketSession {
  /** A text, or bytes where the client sent it as such. */
  message(message: string | Uint8Array): void;
  closed(): void;
  /** The process is about to end: close once nothing runs, and begin nothing more. */
  stop(): void;
}

/** A route as a room declares it. A fault that is thrown becomes the answer. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  /** What it takes and answers, as the description of the API tells it. */
  readonly operation?: Operation;
  /** The same of a pattern that several calls share, each with a path of its own. */
  readonly operations?: readonly Operation[];
  /** The least role that may call it, for the description of the API. */
  readonly caller?: Caller;
  readonly face?: FaceOf;
  /**
   * Of which sites pages may call it: `allowed` are those that the operator allows and, unless told
   * otherwise, all; of others `listed` refuses all but our own and those that are named. Without a
   * word browsers keep the answer from pages of other sites.
   */
  readonly pages?: "allowed" | "listed";
  /** Served to browsers only under names that nobody else can lead here. */
  readonly hosts?: "own";
  handle(incoming: Incoming): Promise<Response>;
  /**
   * The same for those who have the connection themselves: neither the request nor the answer is one of the runtime's. It
   * is told in a later turn, since the next request of a connection begins where this one is told.
   */
  answer?(incoming: Incoming<Sent>): PromiseLike<HttpResponse>;
}

/** A client that may have a connection, and holds a slot for it. */
export interface AcceptedSocket {
  readonly open: (socket: Socket) => SocketSession;
  /** Gives the slot back when there is no session to do so. */
  leave(): void;
}

/** A route that turns a GET into a connection. What is thrown before that is the answer. */
export interface SocketRoute {
  readonly path: string;
  readonly messageBytesMax: number;
  /** What a client hears that sends a larger message, as the last text before the connection is closed. */
  readonly tooLarge: { readonly text: string; readonly reason: string };
  accept(incoming: Incoming): Promise<AcceptedSocket>;
}
