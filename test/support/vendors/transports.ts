// Both ways to call a vendor, as the tests compare them.
import { readConfig } from "../../../src/config/config.ts";
import { Http1Client } from "../../../src/upstream/http1/client.ts";
import type { Http1Request } from "../../../src/upstream/http1/http1-call.ts";
import { fetchedCall } from "../../../src/upstream/transport/fetched-call.ts";
import { PlainRequests } from "../../../src/upstream/transport/plain-requests.ts";
import type { VendorCall } from "../../../src/upstream/transport/vendor-answer.ts";
import { VENDOR_CA } from "../samples/vendor-certificates.ts";

export interface Transport {
  readonly name: "own" | "fetch";
  post(origin: string, body: string): VendorCall;
}

/** A request as our own client sends it. */
export function postTo(origin: string, body: string): Http1Request {
  const headers = new Headers({ "content-type": "application/json" });
  return new PlainRequests(origin, headers).post("/call", "req_1", body);
}

/** Our own client. It trusts the certificates of the tests, unless it is told to trust the usual ones. */
export function ownClient(
  settings: Readonly<Record<string, string>> = {},
  trust: { readonly ca?: string; readonly clock?: () => number } = { ca: VENDOR_CA },
): Http1Client {
  return new Http1Client(readConfig(settings).limits, trust);
}

export function ownTransport(client = ownClient()): Transport {
  return {
    name: "own",
    post: (origin, body) => client.pool(origin).call(postTo(origin, body)),
  };
}

export const FETCH: Transport = {
  name: "fetch",
  post: (origin, body) =>
    fetchedCall((signal) =>
      fetch(`${origin}/call`, {
        method: "POST",
        body,
        signal,
        redirect: "manual",
        tls: { ca: VENDOR_CA },
      }),
    ),
};

/** What becomes of a call in the end. */
export async function outcomeOf({ answered }: VendorCall) {
  try {
    const answer = await answered;
    return { status: answer.status, text: await answer.text(Number.POSITIVE_INFINITY) };
  } catch (thrown) {
    return { failed: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
