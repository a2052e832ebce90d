// A real server with its built-in platform, and models that say what a test wants.
import { expect } from "bun:test";
import type { Parts } from "./house.ts";
import { MockVendor, messageItem, response } from "./mock-vendor.ts";
import { serve } from "./serving.ts";
import type { JsonObject } from "./wires.ts";

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

async function good<T = JsonObject>(answer: Promise<Response>): Promise<T> {
  const response = await answer;
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ status: 200 });
  return JSON.parse(text) as T;
}

export async function draftsServer(parts: Parts, settings: Record<string, string> = {}) {
  const vendor = parts.keep(new MockVendor());
  const { server, database } = await serve(parts, {
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

    /** The box of the installation's public account, as the platform itself tells it. */
    async box(): Promise<readonly string[]> {
      const account = await server.command("platform", "account");
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
      return (page.item as readonly { media_id: string }[]).map(({ media_id }) => media_id);
    },
  };
}
