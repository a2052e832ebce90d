import { expect, test } from "bun:test";
import { heldBack } from "../../test/support/clients/slow-bodies.ts";
import {
  ask,
  type Caller,
  OF_OUR_PAGES,
  openGuards,
} from "../../test/support/houses/open-guards.ts";
import { callsOf } from "../gateway/inner/model-calls.ts";
import { Fault } from "../lib/faults.ts";
import type { Incoming, Route } from "../lib/route.ts";
import { playgroundRoutes } from "./playground-routes.ts";

const MINE = "acct_mine";

/** The playground in front of a gateway that only notes what it was asked, and reads it where it is told to. */
function setUp({ isRead = false } = {}) {
  const asked: Incoming[] = [];
  const read: string[] = [];
  const gateway = ["/v1/responses", "/v1/chat/completions"].map(
    (path): Route => ({
      method: "POST",
      path,
      handle: async (incoming) => {
        asked.push(incoming);
        if (isRead) read.push(await textOf(incoming.request));
        return new Response("said");
      },
    }),
  );
  const keys = { secretOf: async () => "sk-kept" };
  const caller: Caller = { roles: { [MINE]: "member" } };
  const routes = playgroundRoutes({ keys, call: callsOf(gateway) }, openGuards(caller));
  return { asked, read, caller, routes };
}

/** A body as the gateway reads it, to which it is nothing but cut off if it breaks. */
function textOf(request: Request): Promise<string> {
  return request.text().catch((thrown: unknown) => {
    throw new Fault("invalid_json", "The request body ended early.", { cause: thrown });
  });
}

test("a call goes on with the key and its body, under its own id, and without the cookie", async () => {
  const { asked, routes } = setUp();
  const leaving = new AbortController();
  const url = new URL(`http://localhost/api/accounts/${MINE}/playground/responses`);
  const request = new Request(url.href, {
    method: "POST",
    headers: { ...OF_OUR_PAGES, cookie: "session=1", "x-more": "1" },
    body: '{"model":"m"}',
    signal: leaving.signal,
  });
  const params = { account: MINE };
  const rest = {
    requestId: "req_own",
    keepOpen() {},
    isBeingAnswered: () => false,
    address: () => "203.0.113.7",
  };
  await routes[0]?.handle({ request, url, params, ...rest });
  const [call] = asked;
  if (!call) throw new Error("the gateway was not asked");
  expect(call).toMatchObject({ requestId: "req_own", params: {} });
  expect(call.url.pathname).toBe("/v1/responses");
  expect(call.address()).toBe("203.0.113.7");
  expect(Object.fromEntries(call.request.headers)).toEqual({
    authorization: "Bearer sk-kept",
    "content-type": "application/json",
  });
  expect(await call.request.text()).toBe('{"model":"m"}');
  expect(call.request.signal.aborted).toBe(false);
  leaving.abort();
  expect(call.request.signal.aborted).toBe(true);
});

test.each([
  ["whoever may still ask", "member", 200, "said"],
  ["nobody who has another role by then", "owner", 403, "Your rights changed"],
  ["nobody who was shut out while it came", undefined, 404, "There is no such account"],
] as const)("a body comes to its end for %s", async (_who, role, status, words) => {
  const { read, caller, routes } = setUp({ isRead: true });
  const body = heldBack({ model: "m" }, () => {
    caller.roles = role ? { [MINE]: role } : {};
  });
  const answer = await ask(routes, "POST", `/api/accounts/${MINE}/playground/responses`, body);
  expect(answer.status).toBe(status);
  expect(await answer.text()).toContain(words);
  expect(read).toEqual(status === 200 ? ['{"model":"m"}'] : []);
});
