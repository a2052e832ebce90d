import { expect, test } from "bun:test";
import { drops, heldBack } from "../../../../test/support/clients/slow-bodies.ts";
import { ask, type Caller, openGuards } from "../../../../test/support/houses/open-guards.ts";
import type { AccountCall, Guards } from "../../../accounts/guards.ts";
import type { Operation } from "../../../lib/contract.ts";
import type { Route } from "../../../lib/route.ts";
import type { DraftService } from "../../draft-service.ts";
import type { ConsoleDoorServices } from "../services.ts";
import { draftsConsoleRoutes } from "./routes.ts";

const REACHED = new Error("the draft box was reached");
const ARTICLES = [{ type: "news", title: "t", source: { format: "markdown", text: "x" } }];

type Handle = (call: AccountCall) => Promise<Response>;

/** The console's routes, before these guards, on a draft box that only notes what was asked of it. */
function routesFor(
  guards: Guards,
  note: (name: string) => void,
  uploadMs = 60_000,
): readonly Route[] {
  const answers: Readonly<Record<string, unknown>> = {
    find: { id: "drf_1", version: 1, articles: ARTICLES },
    tell: "told",
  };
  const draftService = new Proxy({} as DraftService, {
    get(_box, name: string) {
      if (name === "publicAccounts") return { find: async () => ({ id: "pub_1" }) };
      return async () => {
        if (answers[name]) return answers[name];
        note(name);
        throw REACHED;
      };
    },
  });
  const services = {
    ...{ draftService, limits: { draft_body_bytes_max: 10_000, upload_ms: uploadMs } },
    calls: { counted: (_kind: string, handle: Handle) => handle },
  } as unknown as ConsoleDoorServices;
  return draftsConsoleRoutes(services, guards);
}

/** The same, with what was asked of the box and over which connection. */
function openRoutes() {
  const handles = new Map<string, Handle>();
  const asked: string[] = [];
  let isOpen = false;
  const account = ({ method, path }: Operation, _role: string, handle: Handle) => {
    handles.set(`${method} ${path.replace("/api/accounts/:account", "")}`, handle);
    return {} as Route;
  };
  routesFor({ account } as unknown as Guards, (name) =>
    asked.push(`${name} ${isOpen ? "stays open" : "may be cut"}`),
  );
  return async (route: string, body: object | undefined, query: string) => {
    const [method = "", path = ""] = route.split(" ");
    const url = new URL(`http://console.test${path}${query}`);
    const headers = { "content-type": "application/json", "idempotency-key": "k" };
    const text = body ? JSON.stringify(body) : null;
    const request = new Request(url.href, { method, headers, body: text });
    isOpen = false;
    const keepOpen = () => {
      isOpen = true;
    };
    const incoming = { request, url, params: { id: "drf_1" }, keepOpen };
    const who = { accountId: "acc_1", principal: { name: "me" }, judgeAgain: async () => {} };
    const call = { ...who, incoming };
    const thrown = await handles
      .get(route)?.(call as unknown as AccountCall)
      .catch((error: unknown) => error);
    if (thrown !== REACHED) throw thrown ?? new Error(`there is no ${route}`);
    return asked.splice(0);
  };
}

test.each([
  ["DELETE /drafts/:id", "remove", undefined, ""],
  ["GET /drafts/look", "look", undefined, ""],
  ["GET /drafts/look", "lookAt", undefined, "?draft=drf_1"],
  ["GET /drafts/box", "listBox", undefined, ""],
  ["GET /drafts/:id/box", "readBack", undefined, ""],
  ["GET /drafts/:id/frame", "preview", undefined, "?version=1"],
  ["POST /drafts", "begin", { articles: ARTICLES }, ""],
  ["POST /drafts/import", "importDraft", { media_id: "m" }, ""],
  ["POST /drafts/preview", "preview", { articles: ARTICLES }, ""],
  ["POST /drafts/:id/push", "push", {}, ""],
  ["POST /drafts/:id/publish", "publish", undefined, ""],
] as const)("%s keeps its connection while it waits for %s", async (route, name, body, query) => {
  expect(await openRoutes()(route, body, query)).toEqual([`${name} stays open`]);
});

test.each([
  ["POST", "/drafts", { articles: ARTICLES }],
  ["PUT", "/drafts/drf_1", { articles: ARTICLES, base: 1 }],
  ["POST", "/drafts/drf_1/push", {}],
  ["POST", "/drafts/write", { brief: "Cranes.", model: "m" }],
  ["POST", "/public-accounts", { name: "ours", appid: "wx1", secret: "s" }],
] as const)("%s %s does nothing for who was shut out while it came", async (method, path, body) => {
  const caller: Caller = { roles: { acc_1: "owner" } };
  const asked: string[] = [];
  const routes = routesFor(openGuards(caller), (name) => asked.push(name));
  const shutOut = () => {
    caller.roles = {};
  };
  const answer = await ask(routes, method, `/api/accounts/acc_1${path}`, heldBack(body, shutOut));
  expect([answer.status, asked]).toEqual([404, []]);
});

test("a draft that comes drop by drop is not waited for longer than an upload takes", async () => {
  const routes = routesFor(openGuards({ roles: { acc_1: "owner" } }), () => {}, 50);
  const answer = await ask(routes, "POST", "/api/accounts/acc_1/drafts", drops());
  expect(answer.status).toBe(408);
  expect(await answer.json()).toMatchObject({ error: { code: "request_too_slow" } });
});
