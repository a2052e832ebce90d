// What pages of other sites may call and read, by the word of the route and of the operator.
import { describe, expect, test } from "bun:test";
import { SILENT } from "../../test/support/logs.ts";
import { readConfig } from "../config/config.ts";
import { Fault } from "../lib/faults.ts";
import type { Route, SocketRoute } from "../lib/route.ts";
import { HttpServer } from "./server.ts";

const PAGE = "https://app.example.com";
const OTHER = "https://other.example.com";

const answers = async () => Response.json({ ok: true });
const ROUTES: readonly Route[] = [
  { method: "POST", path: "/v1/models", pages: "allowed", handle: answers },
  { method: "GET", path: "/v1/models/:id", pages: "allowed", handle: answers },
  { method: "DELETE", path: "/v1/models/:id", pages: "allowed", handle: answers },
  {
    method: "GET",
    path: "/v1/refused",
    pages: "allowed",
    async handle() {
      throw new Fault("invalid_api_key", "No.");
    },
  },
  { method: "POST", path: "/mcp", pages: "listed", handle: answers },
  { method: "GET", path: "/api/me", handle: answers },
  { method: "POST", path: "/v1/own:try", handle: answers },
];
const session = { message() {}, closed() {}, stop() {} };
const SOCKETS: readonly SocketRoute[] = [
  {
    path: "/v1/socket",
    messageBytesMax: 1_000,
    tooLarge: { text: "{}", reason: "too large" },
    accept: async () => ({ open: () => session, leave() {} }),
  },
];

interface Asked {
  readonly method?: string;
  readonly origin?: string;
  readonly headers?: Record<string, string>;
}

async function ask(settings: Record<string, string>, path: string, asked: Asked = {}) {
  const config = readConfig({ FAREGATE_PORT: "0", ...settings });
  const unrouted = (_request: Request, path: string) => ({
    face: undefined,
    fault: path.startsWith("/lost/") ? new Fault("not_offered", "It is not offered.") : undefined,
  });
  const parts = { config, log: SILENT, unrouted, ready: async () => {} };
  const server = new HttpServer({ ...parts, routes: ROUTES, sockets: SOCKETS });
  try {
    const { method = "GET", origin, headers = {} } = asked;
    const from = origin?.replace("PORT", String(server.port));
    return await fetch(`http://127.0.0.1:${server.port}${path}`, {
      method,
      headers: { ...headers, ...(from !== undefined && { origin: from }) },
      signal: AbortSignal.timeout(60_000),
    });
  } finally {
    await server.stop();
  }
}

const corsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")));

const LIST = { FAREGATE_CORS: `${PAGE} http://localhost:3000` };
const OFF = { FAREGATE_CORS: "off" };

describe("an answer", () => {
  test("can be read by any page, without cookies", async () => {
    const response = await ask({}, "/v1/models/x", { origin: PAGE });
    expect(corsOf(response)).toEqual({
      "access-control-allow-origin": "*",
      "access-control-expose-headers": expect.stringContaining("x-request-id"),
    });
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("cache-control")).toContain("no-store");
  });

  test("that is a refusal can be read too, and so can that of a wrong method", async () => {
    const refused = await ask({}, "/v1/refused", { origin: PAGE });
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([
      401,
      "*",
    ]);
    const wrong = await ask({}, "/v1/models", { method: "PUT", origin: PAGE });
    expect([wrong.status, wrong.headers.get("access-control-allow-origin")]).toEqual([405, "*"]);
  });

  test("says nothing of pages to whoever is none", async () => {
    expect(corsOf(await ask({}, "/v1/models/x"))).toEqual({});
  });

  test("is for the pages of a list alone, and caches are told so", async () => {
    const named = await ask(LIST, "/v1/models/x", { origin: PAGE });
    expect(named.headers.get("access-control-allow-origin")).toBe(PAGE);
    expect(named.headers.get("vary")).toContain("origin");
    const other = await ask(LIST, "/v1/models/x", { origin: OTHER });
    expect([other.status, corsOf(other)]).toEqual([200, {}]);
    expect(other.headers.get("vary")).toContain("origin");
    expect(corsOf(await ask(LIST, "/v1/models/x", { origin: `${PAGE}.evil.example` }))).toEqual({});
    expect(corsOf(await ask(LIST, "/v1/models/x", { origin: "null" }))).toEqual({});
  });

  test("is for no page where that is switched off", async () => {
    expect(corsOf(await ask(OFF, "/v1/models/x", { origin: PAGE }))).toEqual({});
  });

  test.each(["/v1/nothing", "/v1beta/nothing/at/all", "/models/x", "/v1/v1/models/x", "/lost/it"])(
    "that nothing is at %s can be read by those that may call the models",
    async (path) => {
      const wanted = {
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization",
      };
      for (const [settings, origin, allowed] of [
        [{}, PAGE, "*"],
        [LIST, PAGE, PAGE],
        [LIST, OTHER, null],
        [OFF, PAGE, null],
      ] as const) {
        const told = await ask(settings, path, { method: "POST", origin });
        const header = told.headers.get("access-control-allow-origin");
        expect([origin, told.status, header]).toEqual([origin, 404, allowed]);
        // Which a browser only sends once it was told that it may.
        const asked = { method: "OPTIONS", origin, headers: wanted };
        const { ok, headers } = await ask(settings, path, asked);
        const methods = headers.get("access-control-allow-methods")?.split(", ") ?? [];
        expect([origin, ok, methods.includes("POST")]).toEqual([
          origin,
          allowed !== null,
          allowed !== null,
        ]);
      }
    },
  );

  test.each(["/api/me", "/api/nothing", "/healthz", "/nowhere", "/v1/own/x/y"])(
    "of %s is never for other pages",
    async (path) => {
      expect(corsOf(await ask({}, path, { origin: PAGE }))).toEqual({});
      expect(corsOf(await ask(LIST, path, { origin: PAGE }))).toEqual({});
      const preflight = await ask({}, path, { method: "OPTIONS", origin: PAGE });
      expect([preflight.ok, corsOf(preflight)]).toEqual([false, {}]);
    },
  );
});

describe("a preflight", () => {
  const WANTED = "authorization,content-type,x-stainless-os,anthropic-version,idempotency-key";
  const preflight = (settings: Record<string, string>, origin: string, wanted = WANTED) =>
    ask(settings, "/v1/models/x", {
      method: "OPTIONS",
      origin,
      headers: {
        "access-control-request-method": "DELETE",
        "access-control-request-headers": wanted,
      },
    });

  test("allows the methods of the path and the headers that were asked for", async () => {
    const response = await preflight({}, PAGE);
    expect(response.status).toBe(204);
    expect(corsOf(response)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, DELETE",
      "access-control-allow-headers": WANTED,
    });
    expect(response.headers.has("access-control-allow-credentials")).toBe(false);
  });

  test("of a page that is not in the list is refused with the name of the setting", async () => {
    expect((await preflight(LIST, PAGE)).status).toBe(204);
    const response = await preflight(LIST, OTHER);
    expect([response.status, corsOf(response)]).toEqual([403, {}]);
    expect(await response.text()).toContain("FAREGATE_CORS");
  });

  test("is not answered where pages are switched off", async () => {
    const response = await preflight(OFF, PAGE);
    expect([response.status, corsOf(response)]).toEqual([405, {}]);
  });

  test.each([
    ["too many", "x".repeat(5_000)],
    ["none", "a header"],
    ["a line of its own", "x; y"],
  ])("with names of headers that are %s echoes nothing", async (_what, wanted) => {
    const response = await preflight({}, PAGE, wanted);
    expect(response.status).toBe(400);
    expect(response.headers.has("access-control-allow-headers")).toBe(false);
  });
});

describe.each<[string, (settings: Record<string, string>, origin?: string) => Promise<Response>]>([
  [
    "an agent's tools",
    (settings, origin) =>
      ask(settings, "/mcp", { method: "POST", ...(origin !== undefined && { origin }) }),
  ],
  [
    "a connection",
    (settings, origin) =>
      ask(settings, "/v1/socket", {
        ...(origin !== undefined && { origin }),
        // Without its key: what comes behind the origin is a handshake that is not valid.
        headers: { upgrade: "websocket", connection: "upgrade" },
      }),
  ],
])("%s", (_what, call) => {
  const refused = async (settings: Record<string, string>, origin?: string) => {
    const response = await call(settings, origin);
    return response.status === 403 ? (await response.text()).includes("FAREGATE_CORS") : false;
  };

  test("can be reached without a page, by our own and by those that are named", async () => {
    expect(await refused({})).toBe(false);
    expect(await refused({}, "http://127.0.0.1:PORT")).toBe(false);
    expect(await refused({}, "http://localhost:PORT")).toBe(false);
    expect(await refused(LIST, PAGE)).toBe(false);
    expect(
      await refused(
        { FAREGATE_PUBLIC_URL: "https://gate.example.com" },
        "https://gate.example.com",
      ),
    ).toBe(false);
  });

  test("cannot be reached by others, not even where models can", async () => {
    for (const settings of [{}, OFF, LIST]) {
      for (const origin of [OTHER, "null", "http://127.0.0.1:1", `${PAGE}.evil.example`]) {
        expect([settings, origin, await refused(settings, origin)]).toEqual([
          settings,
          origin,
          true,
        ]);
      }
    }
  });
});

test("browsers are told to stay with TLS only where people come by it", async () => {
  const hsts = async (url: string, path: string) =>
    (await ask({ FAREGATE_PUBLIC_URL: url }, path)).headers.get("strict-transport-security");
  for (const path of ["/v1/models/x", "/v1/refused", "/api/me", "/nowhere"]) {
    expect(await hsts("https://gate.example.com", path)).toMatch(/^max-age=\d{8}/);
    expect(await hsts("http://gate.example.com", path)).toBeNull();
  }
});
