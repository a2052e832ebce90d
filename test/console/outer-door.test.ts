// Every path of the whole gateway as a page of another site finds it.
import { describe, expect, spyOn, test } from "bun:test";
import { Accounts } from "../../src/accounts/accounts.ts";
import { firstRun } from "../../src/cli/first-run.ts";
import { EXPOSED_HEADERS } from "../../src/http/pages.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { SQLITE } from "../store/engines.ts";
import { type Parts, perFile } from "../support/houses/house.ts";
import { wholeApp } from "../support/houses/whole-app.ts";

const PAGE = "https://app.example.com";

type Table = Record<string, Record<string, unknown>>;

async function open(parts: Parts) {
  const serve = spyOn(Bun, "serve");
  const { url, store } = await wholeApp(parts, await SQLITE.site(parts));
  const { routes = {} } = (serve.mock.calls.at(-1)?.[0] ?? {}) as { routes?: Table };
  serve.mockRestore();
  const first = await firstRun(store, new Accounts(store.accounts, systemClock, 0), systemClock);
  return { url, routes, key: first?.key ?? "" };
}

const { url, routes, key } = await perFile(open);

const isDrafts = (path: string) => /^\/v1\/(?:drafts|wechat)\b/.test(path);
const isApi = (path: string) => /^\/(?:v1(?:beta)?|api\/v1)\//.test(path);
const everyCall = Object.entries(routes).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => [method, path] as const),
);

function call(method: string, path: string): Promise<Response> {
  const headers = { origin: PAGE, "access-control-request-method": "POST" };
  const plain = path.replace(/\/:\w+/g, "/nothing").replace(/\*$/, "nothing");
  return fetch(url + plain, { method, headers, redirect: "manual" });
}

describe("a page of another site", () => {
  test("sees the model routes and no others", async () => {
    const seen = new Map<string, boolean>();
    for (const [method, path] of everyCall) {
      const { headers } = await call(method, path);
      const origin = headers.get("access-control-allow-origin");
      expect([method, path, origin === null || origin === "*"]).toEqual([method, path, true]);
      expect(headers.has("access-control-allow-credentials")).toBe(false);
      seen.set(path, origin !== null);
    }
    expect(seen.size).toBeGreaterThan(50);
    for (const [path, is] of seen)
      expect([path, is]).toEqual([path, isApi(path) && !isDrafts(path)]);
  });

  test("finds nothing of /v1 that may be kept or taken for something else", async () => {
    for (const [method, path] of everyCall) {
      if (!isApi(path)) continue;
      const { headers } = await call(method, path);
      const found = [headers.get("x-content-type-options"), headers.get("cache-control")];
      expect([method, path, ...found]).toEqual([method, path, "nosniff", "no-cache, no-store"]);
    }
  });

  test("can read every header that an answer has for its client", async () => {
    // What browsers let any page read, what is about pages themselves, and what is about the connection.
    const ordinary = /^(?:access-control-.*|cache-control|content-(?:type|length)|date|vary)$/;
    const guards =
      /^(?:x-content-type-options|x-accel-buffering|transfer-encoding|www-authenticate)$/;
    const ask = (path: string, body: object, more: Record<string, string> = {}) =>
      fetch(url + path, {
        method: "POST",
        headers: {
          origin: PAGE,
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          ...more,
        },
        body: JSON.stringify(body),
      });
    const messages = [{ role: "user", content: "hello" }];
    const whole = { model: "sandbox-1.0", messages, top_k: 3, max_tokens: 50 };
    const answers = [
      await ask("/v1/chat/completions", whole, { "idempotency-key": "one" }),
      await ask("/v1/chat/completions", { ...whole, stream: true }),
      await ask("/v1/messages", whole),
      await ask("/v1/responses", { model: "sandbox-1.0", input: "hi" }),
      await ask("/v1/chat/completions", { model: "nothing" }),
    ];
    for (const { headers } of answers) {
      const names = [...headers.keys()].filter(
        (name) => !ordinary.test(name) && !guards.test(name),
      );
      expect(names).toContain("x-request-id");
      expect(names.filter((name) => !EXPOSED_HEADERS.includes(name))).toEqual([]);
      expect(headers.get("access-control-expose-headers")).toBe(EXPOSED_HEADERS.join(", "));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 400]);
  });
});

test("the console is not there for a browser that was led here under a foreign name", async () => {
  const open = ["/api/payments/stripe/webhook", "/api/payments/epay/notify"];
  const isConsole = (path: string) =>
    /^\/(?:$|console|api\/(?!v1\/)|platform\/material)/.test(path);
  const statuses = new Map<string, number>();
  for (const [method, path] of everyCall) {
    if (!isConsole(path) || open.includes(path)) continue;
    const plain = path.replace(/\/:\w+/g, "/nothing").replace(/\*$/, "nothing");
    const headers = { host: "evil.example" };
    const { status } = await fetch(url + plain, { method, headers, redirect: "manual" });
    // 405: a method that the path does not have.
    if (status !== 405) statuses.set(`${method} ${path}`, status);
  }
  expect(statuses.size).toBeGreaterThan(50);
  expect([...statuses].filter(([, status]) => status !== 403)).toEqual([]);
  for (const path of open) {
    const sent = await fetch(url + path, { method: "POST", headers: { host: "evil.example" } });
    expect(sent.status).not.toBe(403);
  }
});
