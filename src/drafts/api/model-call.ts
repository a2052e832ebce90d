import type { CallModels } from "../../gateway/inner/model-calls.ts";
import { newId } from "../../lib/ids.ts";
import type { Incoming } from "../../lib/route.ts";
import type { AskModel } from "../writing/model-answer.ts";

/**
 * Asks on behalf of whoever calls, with their key: the request is theirs, limits and price included, under
 * an id of its own.
 * It does not end with their connection, since what is half written is paid for.
 */
export function askWith(
  call: CallModels,
  incoming: Incoming,
  authorization: string | (() => Promise<string>),
): AskModel {
  return async (body, key) => {
    const header = typeof authorization === "string" ? authorization : await authorization();
    const headers = new Headers({ authorization: header, "content-type": "application/json" });
    if (key !== undefined) headers.set("idempotency-key", key);
    const request = new Request(new URL("/v1/responses", incoming.url).href, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    const address = incoming.address();
    const requestId = newId("req_");
    return call(request, { requestId, address: () => address, keepOpen() {} });
  };
}
