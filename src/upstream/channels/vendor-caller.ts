import { directIfHere } from "../../lib/net/direct.ts";
import { bodyInit } from "../../lib/text/chunked-text.ts";
import type { Http1Pool } from "../http1/pool.ts";
import { fetchedCall } from "../transport/fetched-call.ts";
import { isPlain, PlainRequests } from "../transport/plain-requests.ts";
import type { VendorCall } from "../transport/vendor-answer.ts";
import { isPlainAddress, type Ways } from "../transport/ways.ts";
import type { VendorEndpoint } from "../vendors.ts";
import type { UpstreamCall } from "./channels.ts";
import type { VendorKey } from "./credentials.ts";

/** What every call to a vendor's address by `fetch` has in common. */
export function fetching(address: string): BunFetchRequestInit {
  return {
    ...directIfHere(address),
    // A redirect would carry the prompt and the credential to another host.
    redirect: "manual",
    // Bun's own idle limit of five minutes; the deadlines are ours.
    timeout: false,
  } as BunFetchRequestInit;
}

/** Calls a vendor. Which way it goes is decided once, by the address and the headers. */
export interface VendorCaller {
  /** Whether the way tells connecting from waiting for an answer. */
  readonly knowsReach: boolean;
  call(call: UpstreamCall, key: VendorKey): VendorCall;
}

interface Spoken {
  readonly endpoint: VendorEndpoint;
  readonly address: string;
  readonly keys: readonly VendorKey[];
  headers(key: VendorKey): Record<string, string>;
}

function byFetch({ address, headers }: Spoken): VendorCaller {
  const common = fetching(address);
  return {
    knowsReach: false,
    call(call, key) {
      const all = headers(key);
      if (call.stream) all.accept = "text/event-stream";
      all["x-client-request-id"] = call.requestId;
      if (call.headers) Object.assign(all, call.headers);
      const { body } = call;
      // Without it a stream would go out in HTTP's own chunks, which not every vendor takes.
      if (typeof body !== "string") all["content-length"] = String(body.bytes);
      const init = { ...common, method: "POST", headers: all, body: bodyInit(body) };
      return fetchedCall((signal) => fetch(address + call.path, { ...init, signal }));
    },
  };
}

/** How the calls of one key are written. */
interface Written {
  readonly whole: PlainRequests;
  readonly stream: PlainRequests;
}

function writtenFor({ address, headers }: Spoken, key: VendorKey): Written {
  const whole = new Headers(headers(key));
  // Each call has its own.
  whole.delete("x-client-request-id");
  const stream = new Headers(whole);
  stream.set("accept", "text/event-stream");
  return {
    whole: new PlainRequests(address, whole),
    stream: new PlainRequests(address, stream),
  };
}

function byHttp1(spoken: Spoken, pool: Http1Pool): VendorCaller {
  const written = new Map<VendorKey, Written>();
  return {
    knowsReach: true,
    call(call, key) {
      let requests = written.get(key);
      if (!requests) {
        requests = writtenFor(spoken, key);
        written.set(key, requests);
      }
      const { path, requestId, body, headers } = call;
      const own = call.stream ? requests.stream : requests.whole;
      return pool.call(own.post(path, requestId, body, headers));
    },
  };
}

export function openCaller(spoken: Spoken, ways: Ways): VendorCaller {
  const { address, keys, headers } = spoken;
  const isOwn = isPlainAddress(address, ways) && keys.every((key) => isPlain(headers(key)));
  if (!ways.http1 || !isOwn) return byFetch(spoken);
  return byHttp1(spoken, ways.http1.pool(new URL(address).origin));
}
