// A real server with its built-in platform, and models that say what a test wants.
import { expect } from "bun:test";
import { Memberships } from "../../../src/accounts/people/members.ts";
import { OperatorTokens } from "../../../src/accounts/people/operator-tokens.ts";
import { peopleStores } from "../../../src/accounts/tables/open.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import type { TestServer } from "../../server.ts";
import { type Engine, SQLITE } from "../../store/engines.ts";
import type { JsonObject } from "../samples/wires.ts";
import { VAULT } from "../vault.ts";
import { MockVendor, messageItem, response } from "../vendors/mock-vendor.ts";
import type { Parts } from "./house.ts";
import { serve } from "./serving.ts";

/** A model of the vendor whose words are scripted. */
export const SCRIPTED_MODEL = "gpt-6.1-sol";

export const ARTICLE = {
  title: "Cranes in winter",
  digest: "Why cranes stay.",
  markdown: "Cranes **stay**.\n\n## Why\n\n- food\n- light",
  cover_idea: "A crane in snow.",
};

export interface DraftAnswer extends JsonObject {
  readonly id: string;
  readonly status: string;
  readonly media_id: string | null;
  readonly writing: readonly { readonly request_id: string; readonly cost: string }[];
}

interface BoxItem {
  readonly media_id: string;
  readonly content: { readonly news_item: readonly { readonly title: string }[] };
}

async function good<T = JsonObject>(answer: Promise<Response>): Promise<T> {
  const response = await answer;
  const text = await response.text();
  expect({ ok: response.ok, text }).toMatchObject({ ok: true });
  return JSON.parse(text) as T;
}

/** What opens the test controls of a server's platform. */
function operatorToken(server: TestServer): Promise<string> {
  return server.beside(async ({ store }) => {
    const { tokens, audit } = peopleStores(store.sql, systemClock);
    const memberships = new Memberships(store.sql, VAULT, systemClock);
    const made = await new OperatorTokens({
      ...{ store: tokens, memberships, audit, clock: systemClock },
    }).create({ name: "tests" }, { userId: undefined, name: "tests", operator: true });
    return made.secret;
  });
}

/** The platform that a server brings along. */
export function platformOf(server: TestServer) {
  const origin = server.url.replace(/\/v1$/, "");
  let controlToken: Promise<string> | undefined;
  let remote: Promise<JsonObject> | undefined;
  return {
    /** A call of the test controls of the platform that this process serves. */
    async controlled(method: string, path: string, body?: unknown): Promise<JsonObject> {
      controlToken ??= operatorToken(server);
      const authorization = `Bearer ${await controlToken}`;
      const headers = { authorization, "content-type": "application/json" };
      const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
      return good(fetch(`${origin}/platform/__sandbox/${path}`, init));
    },

    /** The box of the installation's public account, as the platform itself tells it. */
    async box(title?: string): Promise<readonly string[]> {
      remote ??= server.command("platform", "account");
      const account = await remote;
      const call = (path: string, body: object) =>
        good(
          fetch(`${origin}/platform/cgi-bin/${path}`, {
            method: "POST",
            body: JSON.stringify(body),
          }),
        );
      const grant = { grant_type: "client_credential", ...account };
      const { access_token: token } = await call("stable_token", grant);
      const page = await call(`draft/batchget?access_token=${token}`, { offset: 0, count: 20 });
      return (page.item as readonly BoxItem[])
        .filter(({ content }) => title === undefined || content.news_item[0]?.title === title)
        .map(({ media_id }) => media_id);
    },
  };
}

export async function draftsServer(
  parts: Parts,
  settings: Record<string, string> = {},
  engine: Engine = SQLITE,
) {
  const vendor = parts.keep(new MockVendor());
  const { server, database } = await serve(parts, {
    engine,
    settings: { FAREGATE_SANDBOX: "on", ...vendor.settings, ...settings },
  });
  const { firstKey } = server;
  const origin = server.url.replace(/\/v1$/, "");
  const post = (path: string, body: unknown, key = firstKey, headers = {}) =>
    server.post(path, key, body, headers);
  return {
    server,
    database,
    vendor,
    origin,
    post,

    /** The vendor answers with these, one after the other: an object as JSON, a text as it is. */
    modelSays(...says: readonly (object | string)[]): void {
      vendor.play(() => {
        const say = says[vendor.calls.length - 1] ?? "nothing more to say";
        const text = typeof say === "string" ? say : JSON.stringify(say);
        return Response.json(response("completed", [messageItem("completed", text)]));
      });
    },

    /** A call that must succeed. */
    made: <T = DraftAnswer>(path: string, body: unknown, headers = {}) =>
      good<T>(post(path, body, firstKey, headers)),

    read: <T = DraftAnswer>(path: string) => good<T>(server.fetch(path, firstKey)),

    ...platformOf(server),
  };
}
