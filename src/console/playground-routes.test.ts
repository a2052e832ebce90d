import { expect, test } from "bun:test";
import { OF_OUR_PAGES, openGuards } from "../../test/support/houses/open-guards.ts";
import { callsOf } from "../gateway/inner/model-calls.ts";
import type { Incoming, Route } from "../lib/route.ts";
import { playgroundRoutes } from "./playground-routes.ts";

const MINE = "acct_mine";

/** The playground in front of a gateway that only notes what it was asked. */
function setUp() {
  const asked: Incoming[] = [];
  const gateway = ["/v1/responses", "/v1/chat/completions"].map(
    (path): Route => ({
      method: "POST",
      path,
      handle: async (incoming) => {
        asked.push(incoming);
        return new Response("said");
      },
    }),
  );
  const keys = { secretOf: async () => "sk-kept" };
  const guards = openGuards({ roles: { [MINE]: "member" } });
  return { asked, routes: playgroundRoutes({ keys, call: callsOf(gateway) }, guards) };
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
  const rest = { requestId: "req_own", keepOpen() {}, address: () => "203.0.113.7" };
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
