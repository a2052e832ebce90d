// What one key or one person may ask of drafts within a minute, and what one article may take.
import { describe, expect, test } from "bun:test";
import { bodyOf } from "../support/browser.ts";
import { RawClient } from "../support/clients/raw-client.ts";
import { draftsServer } from "../support/houses/drafts-server.ts";
import { perFile } from "../support/houses/house.ts";
import { wholeConsole } from "../support/houses/whole-console.ts";
import type { JsonObject } from "../support/samples/wires.ts";

const CALLS = 4;
const settings = { FAREGATE_DRAFT_CALLS_PER_MINUTE: String(CALLS) };

const openServer = await perFile(
  async (parts) =>
    (more: Record<string, string> = {}) =>
      draftsServer(parts, { ...settings, ...more }),
);
const openConsole = await perFile(
  async (parts) =>
    (more: Record<string, string> = {}) =>
      wholeConsole(parts, { ...settings, ...more }),
);

async function expectLimited(answer: Response): Promise<void> {
  expect(answer.status).toBe(429);
  const { error } = (await answer.json()) as { error: JsonObject };
  expect(error.code).toBe("rate_limit_exceeded");
  expect(error.message).toContain(`draft calls per minute: limit ${CALLS}`);
  const seconds = Number(answer.headers.get("retry-after"));
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(Math.ceil(Number(answer.headers.get("retry-after-ms")) / 1000)).toBe(seconds);
  expect(answer.headers.get("x-faregate-limit")).toBe("draft_calls");
}

describe("an account", () => {
  const ACCOUNT_CALLS = 3;
  const limits = { FAREGATE_DRAFT_CALLS_PER_ACCOUNT: String(ACCOUNT_CALLS) };
  const preview = { markdown: "# A\n\nwords" };

  async function expectAccountLimited(answer: Response): Promise<void> {
    expect(answer.status).toBe(429);
    expect(answer.headers.get("x-faregate-limit")).toBe("draft_calls_per_account");
    expect(Number(answer.headers.get("retry-after"))).toBeWithin(1, 61);
    const { error } = (await answer.json()) as { error: JsonObject };
    expect(error.message).toContain(`of this account per minute: limit ${ACCOUNT_CALLS}`);
  }

  test("has so many calls a minute by all its keys together, over HTTP and by tools", async () => {
    const house = await openServer(limits);
    for (let at = 0; at < ACCOUNT_CALLS; at++) {
      const { key } = await house.server.command("key", "create", "--name", `key ${at}`);
      expect((await house.post("/drafts:preview", preview, String(key))).status).toBe(200);
    }
    await expectAccountLimited(await house.post("/drafts:preview", preview));
    const tool = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_themes" } };
    const headers = {
      authorization: `Bearer ${house.server.firstKey}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const body = JSON.stringify(tool);
    await expectAccountLimited(
      await fetch(`${house.origin}/mcp`, { method: "POST", headers, body }),
    );
    const other = await house.server.account("1");
    expect((await house.post("/drafts:preview", preview, other.key)).status).toBe(200);
  });

  test("has so many by all its people and kinds of calls in the editor", async () => {
    const house = await openConsole(limits);
    const operator = await house.operator("op@example.com");
    const account = await house.account(operator, "Customer");
    const article = { title: "A", source: { format: "markdown", text: "words" } };
    const draft = (): Promise<Response> =>
      operator.post(`/api/accounts/${account}/drafts`, { articles: [article] });
    const look = (): Promise<Response> =>
      operator.post(`/api/accounts/${account}/drafts/preview`, { articles: [article] });
    const answers = [await look(), await draft(), await look()];
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, true]);
    await expectAccountLimited(await look());
    await expectAccountLimited(await draft());
  });
});

describe("a key", () => {
  const preview = { markdown: "# A\n\nwords" };

  test("has so many calls a minute, whatever they are, and others have their own", async () => {
    const house = await openServer();
    const added = await house.made("/drafts", preview);
    await house.made("/drafts:preview", preview);
    const path = `/drafts/${added.id}`;
    const patch = { method: "PATCH", body: JSON.stringify({ digest: "d", dry_run: true }) };
    const json = { "content-type": "application/json" };
    const { firstKey } = house.server;
    const change = () => house.server.fetch(path, firstKey, { ...patch, headers: json });
    expect((await change()).status).toBe(200);
    await house.made(`${path}:retry`, {});
    await expectLimited(await house.post("/drafts:preview", preview));
    await expectLimited(await house.post("/drafts", preview));
    await expectLimited(await house.post(`${path}:retry`, {}));
    await expectLimited(await change());
    await expectLimited(await house.post("/drafts:preview", "not even JSON"));
    // Looking and deleting have no such limit.
    expect((await house.read(path)).id).toBe(added.id);
    const other = await house.server.command("key", "create", "--name", "other");
    const answer = await house.post("/drafts:preview", preview, String(other.key));
    expect(answer.status).toBe(200);
  });

  test("has its calls of tools counted one by one, and what may be large before it is read", async () => {
    const house = await openServer();
    const call = (id: number, args = {}) => ({
      ...{ jsonrpc: "2.0", id, method: "tools/call" },
      params: { name: "list_themes", arguments: args },
    });
    const headers = {
      authorization: `Bearer ${house.server.firstKey}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const send = (body: string | Uint8Array<ArrayBuffer>, more = {}) =>
      fetch(`${house.origin}/mcp`, { method: "POST", headers: { ...headers, ...more }, body });
    const ask = (body: unknown) => send(JSON.stringify(body));
    const packed = (body: unknown) =>
      send(Bun.gzipSync(JSON.stringify(body)), { "content-encoding": "gzip" });
    const list = { jsonrpc: "2.0", id: 0, method: "tools/list" };
    expect((await ask(list)).status).toBe(200);
    expect((await ask(call(1, { beside: "x".repeat(200_000) }))).status).toBe(200);
    expect((await packed([call(2), call(3)])).status).toBe(200);
    expect((await ask(call(4))).status).toBe(200);
    await expectLimited(await ask([call(5), call(6)]));
    expect((await ask(list)).status).toBe(200);
    await expectLimited(await packed(list));

    const answered = Promise.withResolvers<void>();
    const client = await RawClient.connect(house.origin, (text) => {
      if (text.includes("rate_limit_exceeded")) answered.resolve();
    });
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    client.send(
      `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join("")}content-length: 5000000\r\n\r\n{`,
    );
    await answered.promise;
    expect(client.text).toStartWith("HTTP/1.1 429");
    client.leave();

    const flood = await ask(Array.from({ length: 21 }, (_, id) => ({ ...call(id), method: "x" })));
    expect(flood.status).toBe(400);
    expect(await flood.text()).toContain("at most 20 messages");
  });

  test("hears what to make simpler when an article takes too long", async () => {
    const house = await openServer({ FAREGATE_DRAFT_RENDER_MS: "1" });
    // Each formula takes milliseconds, also in a thread that is there already.
    const formulas = Array.from({ length: 20 }, (_, at) => `$x^{${at}}$`);
    const answer = await house.post("/drafts", { markdown: formulas.join(" ") });
    expect(answer.status).toBe(400);
    const { error } = (await answer.json()) as { error: JsonObject };
    expect(error).toMatchObject({ code: "render_too_slow", param: "articles" });
    expect((await house.read<{ data: [] }>("/drafts")).data).toEqual([]);
  });
});

test("a person in the console has so many of each kind", async () => {
  const house = await openConsole();
  const operator = await house.operator("op@example.com");
  const account = await house.account(operator, "Mine");
  const base = `/api/accounts/${account}`;
  const member = await house.person(operator, account, "member", "member@example.com");
  const other = await house.person(operator, account, "member", "other@example.com");
  const article = { type: "news", title: "t", source: { format: "markdown", text: "words" } };
  const form = { articles: [article] };
  const draft = await bodyOf<{ id: string }>(member.post(`${base}/drafts`, form));
  const path = `${base}/drafts/${draft.id}`;
  for (const [kind, ask] of Object.entries({
    preview: () => member.post(`${base}/drafts/preview`, form),
    save: () => member.send("PUT", path, { ...form, base: 1_000 }),
    frame: () => member.get(`${path}/frame`),
  })) {
    for (let at = 0; at < CALLS; at++) {
      expect({ kind, status: (await ask()).status }).not.toMatchObject({ status: 429 });
    }
    await expectLimited(await ask());
  }
  expect((await other.post(`${base}/drafts/preview`, form)).status).toBe(200);
});
