import type { AccountCall, Guards } from "../accounts/guards.ts";
import type { PersonalKeys } from "../accounts/keys/personal-keys.ts";
import type { Route } from "../lib/route.ts";
import { PLAYGROUND } from "./contract/playground.ts";

/** What of a request is about its body, which is handed on unread. */
const BODY_HEADERS = ["content-type", "content-length", "content-encoding"];

interface PlaygroundServices {
  readonly keys: Pick<PersonalKeys, "secretOf">;
  /** The routes of the gateway. */
  readonly gateway: readonly Route[];
}

/** The request of whoever is signed in, as the gateway gets those from programs: by a key, and without the cookie. */
function withKey(request: Request, url: URL, secret: string): Request {
  const headers = new Headers({ authorization: `Bearer ${secret}` });
  for (const name of BODY_HEADERS) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const { body, signal } = request;
  return new Request(url.href, { method: "POST", headers, body, signal });
}

/**
 * A call of a model for somebody who is signed in. It is the gateway's own route that answers, with the
 * id of this very request, so it has its hold, its receipt and its place in every sum.
 */
async function callGateway(
  { keys }: PlaygroundServices,
  route: Route,
  { accountId, principal, incoming }: AccountCall,
): Promise<Response> {
  const secret = await keys.secretOf(accountId, principal);
  const url = new URL(route.path, incoming.url);
  return route.handle({
    request: withKey(incoming.request, url, secret),
    requestId: incoming.requestId,
    url,
    params: {},
    keepOpen: () => incoming.keepOpen(),
    address: () => incoming.address(),
  });
}

/** Talking to models on the session, with no key to paste. */
export function playgroundRoutes(services: PlaygroundServices, guards: Guards): readonly Route[] {
  return Object.entries(PLAYGROUND).map(([path, operation]) => {
    const route = services.gateway.find((each) => each.method === "POST" && each.path === path);
    if (!route) throw new Error(`the gateway has no ${path}`);
    return guards.account(operation, "member", (call) => callGateway(services, route, call));
  });
}
