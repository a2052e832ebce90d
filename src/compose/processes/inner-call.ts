import { INNER_FAULT, INNER_GATE, markInner, stripInner } from "../../http/inner.ts";
import { FAULTS, Fault, type FaultName } from "../../lib/faults.ts";
import type { Incoming } from "../../lib/route.ts";

/** What is about one connection and not about what goes over it. */
const HOP_HEADERS = ["connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade"];
/** What every answer has by itself, a fault's included. */
const OWN_HEADERS = [
  ...["content-type", "content-length", "date", "x-request-id", "x-should-retry"],
  ...["cache-control", "x-content-type-options"],
];

type InnerBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;

interface InnerCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: InnerBody;
  readonly signal?: AbortSignal | undefined;
}

/** In whose name it is asked and, of several gates, by which of them. */
type InnerCaller = Pick<Incoming, "requestId" | "address"> & {
  readonly gate?: number | undefined;
};

function withoutHops(headers: Headers): Headers {
  const passed = new Headers(headers);
  for (const name of HOP_HEADERS) passed.delete(name);
  return passed;
}

/** Asks the other half of the server, in the name of whoever asked this one. The answer is as it was sent. */
export async function askInner(
  socket: string,
  { method, url, headers, body, signal }: InnerCall,
  caller: InnerCaller,
): Promise<Response> {
  const sent = withoutHops(headers);
  // A body that is passed on piece by piece has no length of its own.
  if (body instanceof ReadableStream) sent.delete("content-length");
  markInner(sent, caller);
  if (caller.gate !== undefined) sent.set(INNER_GATE, String(caller.gate));
  return fetch(url, {
    ...{ method, headers: sent, body, unix: socket, decompress: false },
    ...{ redirect: "manual", timeout: false, ...(signal && { signal }) },
    // Over a kept connection that is closed unanswered, Bun would ask again by itself what only reads.
    keepalive: false,
  } as RequestInit);
}

/** An answer of the other half, as clients get it. */
export function passedOn({ status, headers }: Response, body: InnerBody): Response {
  const passed = withoutHops(headers);
  stripInner(passed);
  return new Response(body, { status, headers: passed });
}

function isFault(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name);
}

/** The fault that an answer of the other half tells of; undefined where it is none. */
export async function faultOf(answer: Response): Promise<Fault | undefined> {
  const name = answer.headers.get(INNER_FAULT);
  if (name === null || !isFault(name)) return undefined;
  const { error } = (await answer.json()) as { error: Record<string, unknown> };
  const { message, type: _type, code: _code, param, ...facts } = error;
  const headers = withoutHops(answer.headers);
  stripInner(headers);
  for (const own of OWN_HEADERS) headers.delete(own);
  return new Fault(name, String(message), {
    ...{ facts, headers: Object.fromEntries(headers) },
    param: typeof param === "string" ? param : undefined,
  });
}
