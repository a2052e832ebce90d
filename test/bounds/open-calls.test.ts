// Every route of the server, called by somebody who shows no key, token or session.
import { expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import type { Route } from "../../src/lib/route.ts";
import { SQLITE } from "../store/engines.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { wholeApp } from "../support/houses/whole-app.ts";

const parts = partsOfTest();

/** More than any route takes from somebody who is not known. */
const LARGE = JSON.stringify({ text: "x".repeat(300_000) });
/** The caller is not let in, or what they send is not read to its end. */
const REFUSED = [401, 403, 404, 405, 413, 415];
/** The platform's words for the same: no such call, an unknown token, a body that is too large, one that is packed. */
const PLATFORM_REFUSED = [40001, 40014, 40066, 41001, 45002, 47001];
/** Forms of the sign-in library, which has one route for all of them. */
const FORMS = ["sign-in/email", "sign-up/email", "request-password-reset", "reset-password"];

interface Call {
  readonly method: string;
  readonly path: string;
}

function callsOf(routes: readonly Route[]): readonly Call[] {
  const calls = routes.flatMap(({ method, path, operations }): readonly Call[] => {
    if (method === "GET") return [];
    if (path === "/api/auth/*") return FORMS.map((form) => ({ method, path: `/api/auth/${form}` }));
    return operations && operations.length > 0 ? operations : [{ method, path }];
  });
  return calls
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => ({
      method,
      path: path.replace(/\/:\w+|\/\{\w+\}/g, "/x").replace("*", "x"),
    }));
}

test("no route reads a large or a packed body of a caller who is not known", async () => {
  const site = await SQLITE.site(parts);
  const { url, routes } = await wholeApp(parts, site, {
    FAREGATE_PLATFORM_CONTROLS: "on",
    FAREGATE_OPEN_CALLS_PER_MINUTE: "100000",
  });
  const calls = callsOf(routes);
  expect(calls.length).toBeGreaterThan(100);
  const type = { "content-type": "application/json" };
  const sent = [
    { headers: type, body: LARGE },
    { headers: { ...type, "content-encoding": "gzip" }, body: gzipSync(LARGE) },
  ];
  const wrong: string[] = [];
  let large = 0;
  for (const { method, path } of calls) {
    for (const init of sent) {
      const answer = await fetch(url + path, { method, ...init });
      const text = await answer.text();
      if (answer.status === 413 || answer.status === 415) large += 1;
      const { errcode } = path.startsWith("/platform/")
        ? (JSON.parse(text) as { errcode?: number })
        : {};
      const isRefused =
        errcode === undefined
          ? REFUSED.includes(answer.status)
          : PLATFORM_REFUSED.includes(errcode) && !(errcode === 47001 && !text.includes("packed"));
      if (!isRefused) wrong.push(`${method} ${path}: ${answer.status} ${text.slice(0, 120)}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(large).toBeGreaterThan(10);
});

test("one address calls so often, whatever it calls", async () => {
  const site = await SQLITE.site(parts);
  const { url } = await wholeApp(parts, site, { FAREGATE_OPEN_CALLS_PER_MINUTE: "3" });
  const headers = { "content-type": "application/json" };
  const call = async (path: string) => {
    const answer = await fetch(url + path, { method: "POST", headers, body: "{}" });
    const { errcode } = (await answer.json()) as { errcode?: number };
    return { status: answer.status, errcode, limit: answer.headers.get("x-faregate-limit") };
  };
  const token = "/platform/cgi-bin/stable_token";
  for (let i = 0; i < 3; i++) expect((await call(token)).errcode).toBe(41002);
  expect((await call(token)).errcode).toBe(45011);
  const webhook = await call("/api/payments/stripe/webhook");
  expect(webhook).toMatchObject({ status: 429, limit: "address" });
});
