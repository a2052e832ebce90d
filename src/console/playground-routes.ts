import type { AccountCall, Guards, Judged } from "../accounts/guards.ts";
import type { PersonalKeys } from "../accounts/keys/personal-keys.ts";
import type { CallModels } from "../gateway/inner/model-calls.ts";
import { withCheckedEnd } from "../lib/bodies/bounded-body.ts";
import type { Route } from "../lib/route.ts";
import { PLAYGROUND } from "./contract/playground.ts";

/** What of a request is about its body, which is handed on unread. */
const BODY_HEADERS = ["content-type", "content-length", "content-encoding"];

interface PlaygroundServices {
  readonly keys: Pick<PersonalKeys, "secretOf">;
  readonly call: CallModels;
}

/** The request of whoever is signed in, as the gateway gets those from programs: by a key, and without the cookie. */
function withKey(
  request: Request,
  url: URL,
  secret: string,
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
): Request {
  const headers = new Headers({ authorization: `Bearer ${secret}` });
  for (const name of BODY_HEADERS) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const { signal } = request;
  return new Request(url.href, { method: "POST", headers, body, signal });
}

/**
 * A call of a model for somebody who is signed in. It is the gateway's own route that answers, with the
 * id of this very request, so it has its hold, its receipt and its place in every sum. What is asked comes to its
 * end there only for somebody who may still ask it.
 */
async function callGateway(
  { keys, call }: PlaygroundServices,
  path: string,
  { accountId, principal, incoming, judgeAgain }: AccountCall & Judged,
): Promise<Response> {
  const { request, url } = incoming;
  const secret = await keys.secretOf(accountId, principal);
  let refusal: unknown;
  const judge = () =>
    judgeAgain().catch((thrown: unknown) => {
      refusal = thrown;
      throw thrown;
    });
  const count = (bytes: number) => {
    try {
      incoming.memory?.grow(bytes);
    } catch (thrown) {
      refusal = thrown;
      throw thrown;
    }
  };
  const body = request.body && withCheckedEnd(request.body, judge, count);
  try {
    return await call(withKey(request, new URL(path, url), secret, body), incoming);
  } catch (thrown) {
    // The gateway knows only that the body broke off.
    throw refusal ?? thrown;
  }
}

/** Talking to models on the session, with no key to paste. */
export function playgroundRoutes(services: PlaygroundServices, guards: Guards): readonly Route[] {
  return Object.entries(PLAYGROUND).map(([path, operation]) =>
    guards.account(operation, "member", (call) => callGateway(services, path, call)),
  );
}
