// The official MCP client, over HTTP and over standard input and output.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  getDefaultEnvironment,
  StdioClientTransport,
} from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ENTRY } from "../cli/commands.ts";
import { expectError } from "../support/errors.ts";
import { ARTICLE, draftsServer, SCRIPTED_MODEL } from "../support/houses/drafts-server.ts";
import { perFile, perSuite } from "../support/houses/house.ts";
import { type JsonObject, MODEL } from "../support/samples/wires.ts";

const TOOLS = [
  "account_doctor",
  "draft_add",
  "draft_delete",
  "draft_get",
  "draft_list",
  "draft_preview",
  "draft_update",
  "list_themes",
];

const house = await perFile(draftsServer);
const folder = await perFile((parts) => parts.folder());

interface Result {
  readonly ok: boolean;
  readonly draft?: JsonObject & { readonly id: string; readonly media_id: string };
  readonly error?: JsonObject;
  readonly [member: string]: unknown;
}

function overHttp(key: string): Transport {
  const headers = { authorization: `Bearer ${key}` };
  const url = new URL(`${house.origin}/mcp`);
  return new StreamableHTTPClientTransport(url, { requestInit: { headers } }) as Transport;
}

function overPipes(): Transport {
  const env = { ...getDefaultEnvironment(), ...house.database.settings };
  return new StdioClientTransport({
    command: process.execPath,
    args: [ENTRY, "mcp"],
    env: { ...env, BUN_CONFIG_MAX_HTTP_REQUESTS: "65336" },
    stderr: "ignore",
  });
}

/** A client that has seen the tools, and so checks every result against its schema. */
async function openClient(transport: Transport) {
  const client = new Client({ name: "tests", version: "1" });
  await client.connect(transport);
  await client.listTools();
  const call = async (name: string, args: JsonObject = {}): Promise<Result> => {
    const result = await client.callTool({ name, arguments: args });
    const value = result.structuredContent as Result;
    expect(result.isError ?? false).toBe(!value.ok);
    expect(JSON.parse((result.content as { text: string }[])[0]?.text ?? "")).toEqual(value);
    return value;
  };
  return { call, listTools: () => client.listTools(), close: () => client.close() };
}

type Agent = Awaited<ReturnType<typeof openClient>>;

async function withClient<T>(
  transport: Transport,
  work: (call: Agent["call"]) => Promise<T>,
): Promise<T> {
  const agent = await openClient(transport);
  try {
    return await work(agent.call);
  } finally {
    await agent.close();
  }
}

const ways = [
  ["HTTP", () => overHttp(house.server.firstKey)],
  ["standard input and output", overPipes],
] as const;

describe.each(ways)("over %s", (_, open) => {
  // One for all of them: over pipes it is a process.
  const agent = perSuite(async (parts) => parts.keep(await openClient(open())));
  const call: Agent["call"] = (name, args) => agent.call(name, args);

  test("the tools say what they do, and nothing publishes", async () => {
    const { tools } = await agent.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(TOOLS);
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    for (const name of ["draft_preview", "draft_list", "draft_get", "account_doctor"]) {
      expect(hints[name]).toMatchObject({ readOnlyHint: true });
    }
    expect(hints.draft_add).toMatchObject({ destructiveHint: false, idempotentHint: true });
    expect(hints.draft_delete).toMatchObject({ destructiveHint: true });
    expect(tools.every(({ outputSchema }) => outputSchema?.properties?.error)).toBe(true);
  });

  test("an article goes all its way, and the same call makes no second draft", async () => {
    const args = {
      markdown: `# By ${open === overPipes ? "pipe" : "wire"}\n\ntext`,
      author: "Ada",
    };
    const preview = await call("draft_preview", args);
    expect(preview).toMatchObject({ ok: true, preview: { ok: true } });
    const once = { markdown: `# At once ${crypto.randomUUID().slice(0, 8)}\n\ntext` };
    const met = await Promise.all([1, 2, 3].map(() => call("draft_add", once)));
    expect(new Set(met.map(({ draft }) => draft?.media_id)).size).toBe(1);
    const added = await call("draft_add", args);
    expect(added.draft).toMatchObject({ status: "in_box" });
    expect((await call("draft_add", args)).draft?.id).toBe(added.draft?.id ?? "");
    const id = added.draft?.id ?? "";
    const updated = await call("draft_update", { id, digest: "Changed." });
    expect(updated.draft).toMatchObject({ media_id: added.draft?.media_id, pushed_version: 2 });
    const read = await call("draft_get", { id });
    expect(read.draft).toMatchObject({ id, box: { in_box: true } });
    const list = await call("draft_list", { limit: 1 });
    expect(list.data).toMatchObject([{ id }]);
    expect(await call("draft_delete", { id })).toMatchObject({ ok: true, deleted: true, id });
    expect(await house.box()).not.toContain(String(added.draft?.media_id));
  });

  test("errors are part of the result, with their field, numbers and fix", async () => {
    const long = await call("draft_add", { markdown: `# ${"长".repeat(33)}\n\ntext` });
    expect(long.error).toMatchObject({
      code: "preflight_failed",
      param: "articles[0].title",
      problems: [{ field: "title", limit: 32, found: 33, fix: { kind: "shorten" } }, {}, {}],
    });
    expect((await call("draft_add", { markdown: 7 })).error).toMatchObject({ param: "markdown" });
    expect((await call("draft_add", {})).error).toMatchObject({
      code: "missing_required_parameter",
    });
    const publish = await call("draft_add", { markdown: "# T\n\nx", publish: true });
    expect(publish.error).toMatchObject({ code: "unsupported_parameter", param: "publish" });
    expect((await call("draft_get", {})).error).toMatchObject({ param: "id" });
    expect((await call("draft_get", { id: "drf_0" })).error).toMatchObject({ code: "not_found" });
    expect((await call("draft_delete", { id: "drf_0" })).error).toMatchObject({
      code: "not_found",
    });
  });

  test("a brief is written and shown with what it cost", async () => {
    const key = open === overPipes ? "a" : "b";
    const args = { brief: "Write about cranes", model: MODEL, idempotency_key: key };
    const { draft } = await call("draft_add", args);
    expect(draft).toMatchObject({ status: "in_box", writing: [{ model: MODEL }] });
  });

  test("themes and the health of an account are there", async () => {
    expect((await call("list_themes")).data).toBeArray();
    expect(await call("account_doctor")).toMatchObject({
      ok: true,
      diagnosis: { healthy: true },
    });
    const none = await call("account_doctor", { account: "none" });
    expect(none.error).toMatchObject({ code: "not_found" });
  });
});

test("a refusal after writing names the draft that was kept and the calls that were paid", async () => {
  house.modelSays({ ...ARTICLE, title: "x".repeat(50) }, { title: "x".repeat(49) });
  await withClient(overHttp(house.server.firstKey), async (call) => {
    const { error } = await call("draft_add", { brief: "b", model: SCRIPTED_MODEL });
    expect(error).toMatchObject({ code: "preflight_failed", writing: [{}, {}] });
    const id = String(error?.draft_id);
    expect((await call("draft_update", { id, title: "Short" })).draft).toMatchObject({
      id,
      status: "in_box",
    });
  });
});

test("a refusal for money says what helps, as a header would", async () => {
  const { key } = await house.server.account("0");
  await withClient(overHttp(key), async (call) => {
    const { error } = await call("draft_add", { brief: "b", model: SCRIPTED_MODEL });
    expect(error).toMatchObject({ type: "budget_exceeded", fix: "Top up the balance." });
  });
});

test("only the agent's own machine reads its files", async () => {
  const file = join(folder, "article.md");
  writeFileSync(file, "# From a file\n\ntext");
  await withClient(overPipes(), async (call) => {
    expect((await call("draft_add", { file })).draft).toMatchObject({
      articles: [{ title: "From a file" }],
    });
    const none = await call("draft_add", { file: join(folder, "none.md") });
    expect(none.error).toMatchObject({ param: "file" });
  });
  await withClient(overHttp(house.server.firstKey), async (call) => {
    expect((await call("draft_add", { file })).error).toMatchObject({ param: "file" });
  });
});

test("a key is needed, and there is nothing to GET", async () => {
  const headers = { "content-type": "application/json" };
  const closed = await fetch(`${house.origin}/mcp`, { method: "POST", headers, body: "{}" });
  await expectError(closed, { status: 401, code: "invalid_api_key" });
  const got = await house.server.fetch("/../mcp", house.server.firstKey);
  await expectError(got, { status: 405, code: "method_not_allowed" });
});
