import { expect, test } from "bun:test";
import type { AccountCall, Guards } from "../../../accounts/guards.ts";
import type { Operation } from "../../../lib/contract.ts";
import type { Route } from "../../../lib/route.ts";
import type { DraftService } from "../../draft-service.ts";
import type { ConsoleDoorServices } from "../services.ts";
import { draftsConsoleRoutes } from "./routes.ts";

const REACHED = new Error("the draft box was reached");
const ARTICLES = [{ type: "news", title: "t", source: { format: "markdown", text: "x" } }];

type Handle = (call: AccountCall) => Promise<Response>;

/** The console's routes on a draft box that only says what was asked of it, and over which connection. */
function openRoutes() {
  const handles = new Map<string, Handle>();
  const asked: string[] = [];
  let isOpen = false;
  const account = ({ method, path }: Operation, _role: string, handle: Handle) => {
    handles.set(`${method} ${path.replace("/api/accounts/:account", "")}`, handle);
    return {} as Route;
  };
  const answers: Readonly<Record<string, unknown>> = {
    find: { id: "drf_1", version: 1, articles: ARTICLES },
  };
  const box = new Proxy({} as DraftService, {
    get(_box, name: string) {
      if (name === "publicAccounts") return { find: async () => ({ id: "pub_1" }) };
      return async () => {
        if (answers[name]) return answers[name];
        asked.push(`${name} ${isOpen ? "stays open" : "may be cut"}`);
        throw REACHED;
      };
    },
  });
  const services = {
    ...{ box, limits: { draft_body_bytes_max: 10_000 } },
    calls: { counted: (_kind: string, handle: Handle) => handle },
  } as unknown as ConsoleDoorServices;
  draftsConsoleRoutes(services, { account } as unknown as Guards);
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
    const call = { accountId: "acc_1", principal: { name: "me" }, incoming };
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
  ["GET /drafts/look", "readBack", undefined, "?draft=drf_1"],
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
