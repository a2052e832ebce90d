// A real server with its built-in platform, and models that say what a test wants.
import { expect } from "bun:test";
import { TestServer } from "../server.ts";
import { sqliteDatabase, type TestDatabase } from "./database.ts";
import { MockVendor, VENDOR_KEY, VENDOR_MODEL } from "./mock-vendor.ts";
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

export class DraftsServer {
  readonly server: TestServer;
  readonly database: TestDatabase;
  readonly vendor: MockVendor;

  private constructor(server: TestServer, database: TestDatabase, vendor: MockVendor) {
    this.server = server;
    this.database = database;
    this.vendor = vendor;
  }

  static async open(settings: Record<string, string> = {}): Promise<DraftsServer> {
    const vendor = new MockVendor();
    const database = sqliteDatabase();
    const server = await TestServer.start({
      ...database.settings,
      FAREGATE_SANDBOX: "on",
      OPENAI_API_KEY: VENDOR_KEY,
      OPENAI_BASE_URL: vendor.url,
      ...settings,
    });
    return new DraftsServer(server, database, vendor);
  }

  get origin(): string {
    return this.server.url.replace(/\/v1$/, "");
  }

  /** The vendor answers with these, one after the other: an object as JSON, a text as it is. */
  modelSays(...says: readonly (object | string)[]): void {
    this.vendor.play(() => {
      const say = says[this.vendor.calls.length - 1] ?? "nothing more to say";
      const text = typeof say === "string" ? say : JSON.stringify(say);
      const content = [{ type: "output_text", text, annotations: [] }];
      const item = {
        id: "msg_1",
        type: "message",
        role: "assistant",
        status: "completed",
        content,
      };
      return Response.json({
        id: `resp_${crypto.randomUUID()}`,
        object: "response",
        created_at: 1_790_000_000,
        status: "completed",
        model: VENDOR_MODEL,
        output: [item],
        usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
        store: false,
      });
    });
  }

  post(path: string, body: unknown, key = this.server.firstKey, headers = {}): Promise<Response> {
    return this.server.post(path, key, body, headers);
  }

  /** A call that must succeed. */
  async made<T = DraftAnswer>(path: string, body: unknown, headers = {}): Promise<T> {
    const response = await this.post(path, body, this.server.firstKey, headers);
    const text = await response.text();
    expect({ status: response.status, text }).toMatchObject({ status: 200 });
    return JSON.parse(text) as T;
  }

  async read<T = DraftAnswer>(path: string): Promise<T> {
    const response = await this.server.fetch(path, this.server.firstKey);
    expect(response.status).toBe(200);
    return (await response.json()) as T;
  }

  /** The box of the installation's public account, as the platform itself tells it. */
  async box(): Promise<readonly string[]> {
    const { appid, secret } = await this.server.command<{ appid: string; secret: string }>(
      "platform",
      "account",
    );
    const call = async (path: string, body: object): Promise<JsonObject> => {
      const address = `${this.origin}/platform/cgi-bin/${path}`;
      const response = await fetch(address, { method: "POST", body: JSON.stringify(body) });
      return (await response.json()) as JsonObject;
    };
    const grant = { grant_type: "client_credential", appid, secret };
    const { access_token: token } = await call("stable_token", grant);
    const page = await call(`draft/batchget?access_token=${token}`, { offset: 0, count: 20 });
    return (page.item as readonly { media_id: string }[]).map(({ media_id }) => media_id);
  }

  async close(): Promise<void> {
    await this.server.stop();
    await this.vendor.stop();
    await this.database.remove();
  }
}
