import type { Incoming } from "../../lib/route.ts";
import type { AskModel } from "../writing/model-answer.ts";

/**
 * Puts a request to the gateway's own `POST /v1/responses` without leaving the process. The answer
 * carries the id of that request, under which its receipt lies.
 */
export type AskGateway = (request: Request, incoming: Incoming) => Promise<Response>;

/**
 * Asks on behalf of whoever calls, with their key: the request is theirs, limits and price included.
 * It does not end with their connection, since what is half written is paid for.
 */
export function askWith(
  gateway: AskGateway,
  incoming: Incoming,
  authorization: string | (() => Promise<string>),
): AskModel {
  return async (body) => {
    const header = typeof authorization === "string" ? authorization : await authorization();
    const request = new Request(new URL("/v1/responses", incoming.url).href, {
      method: "POST",
      headers: { authorization: header, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return gateway(request, incoming);
  };
}
