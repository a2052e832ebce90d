// What Anthropic's clients find here: their list of models, their errors, and a way on without threads.
import { describe, expect, test } from "bun:test";
import Anthropic, { NotFoundError } from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { type JsonObject, MODEL, readEvents } from "../support/samples/wires.ts";

const { key, root, server } = await perFile(async (parts) => {
  const { server } = await serve(parts, { books: true });
  const { key } = await server.account("10", "--rpm", "0");
  return { key, server, root: server.url.replace(/\/v1$/, "") };
});

const client = new Anthropic({ apiKey: key, baseURL: root, maxRetries: 0 });
const VERSION = { "anthropic-version": "2023-06-01" };
const HEADERS = { ...VERSION, "x-api-key": key, "content-type": "application/json" };

interface Page {
  readonly data: readonly (JsonObject & { readonly id: string })[];
  readonly has_more: boolean;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

async function pageOf(query: string): Promise<Page> {
  const answer = await fetch(`${root}/v1/models${query}`, { headers: HEADERS });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Page;
}

async function expectAnthropicError(answer: Response, status: number, type: string) {
  const body = (await answer.json()) as JsonObject;
  expect([answer.status, body]).toMatchObject([status, { type: "error", error: { type } }]);
  expect(body.request_id).toBe(answer.headers.get("request-id") ?? "none");
  return String((body.error as JsonObject).message);
}

describe("the list of models", () => {
  test("has Anthropic's shape where its version is sent", async () => {
    const all = await pageOf("");
    expect(all).toMatchObject({ has_more: false, first_id: all.data[0]?.id ?? "" });
    expect(all.last_id).toBe(all.data.at(-1)?.id ?? "");
    expect(all.data.find(({ id }) => id === MODEL)).toEqual({
      type: "model",
      id: MODEL,
      display_name: "Sandbox 1.0",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      max_input_tokens: 128_000,
      max_tokens: 16_384,
      lifecycle: "active",
      deprecated_at: null,
      retires_at: null,
      line: null,
      capabilities: null,
    });
  });

  test("has OpenAI's shape for all others, and takes their key alone", async () => {
    const plain = await server.fetch("/models", key);
    expect(await plain.json()).toMatchObject({ object: "list" });
    const foreign = await fetch(`${root}/v1/models`, { headers: { "x-api-key": key } });
    expect(foreign.status).toBe(401);
    expect(await foreign.json()).toMatchObject({ error: { code: "invalid_api_key" } });
  });

  test("is walked by the vendor's client, forwards and backwards", async () => {
    const ids = (await pageOf("?limit=1000")).data.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(2);
    const forwards: string[] = [];
    for await (const { id } of client.models.list({ limit: 1 })) forwards.push(id);
    expect(forwards).toEqual(ids);
    const backwards: string[] = [];
    const last = ids.at(-1) ?? "";
    for await (const { id } of client.models.list({ limit: 1, before_id: last })) {
      backwards.unshift(id);
    }
    expect(backwards).toEqual(ids.slice(0, -1));
    expect(await client.models.retrieve(MODEL)).toMatchObject({ type: "model", id: MODEL });
    const missing = await client.models.retrieve("nothing").catch((thrown: unknown) => thrown);
    expect(missing).toBeInstanceOf(NotFoundError);
  });

  test("pages lie where they should", async () => {
    const [first = "", second = "", third = ""] = (await pageOf("")).data.map(({ id }) => id);
    const idsOf = ({ data }: Page) => data.map(({ id }) => id);
    const start = await pageOf("?limit=2");
    expect([idsOf(start), start.has_more]).toEqual([[first, second], true]);
    const behind = await pageOf(`?limit=1&after_id=${second}`);
    expect(idsOf(behind)).toEqual([third]);
    const front = await pageOf(`?limit=1&before_id=${third}`);
    expect([idsOf(front), front.has_more]).toEqual([[second], true]);
    const beginning = await pageOf(`?limit=5&before_id=${third}`);
    expect([idsOf(beginning), beginning.has_more]).toEqual([[first, second], false]);
    const nothing = await pageOf(`?before_id=${first}`);
    expect(nothing).toEqual({ data: [], has_more: false, first_id: null, last_id: null });
  });

  test("a page that cannot be is refused by the name of its field", async () => {
    const wrong = ["limit=0", "limit=x", "limit=-3", "after_id=nothing", "before_id=nothing"];
    for (const query of [...wrong, `before_id=${MODEL}&after_id=${MODEL}`]) {
      const answer = await fetch(`${root}/v1/models?${query}`, { headers: HEADERS });
      const message = await expectAnthropicError(answer, 400, "invalid_request_error");
      expect(message).toContain(query.split("=")[0] ?? "");
    }
  });
});

describe("errors have Anthropic's shape", () => {
  test.each([
    ["GET", "/v1/messages/nothing", 404, "not_found_error"],
    ["POST", "/v1/messages/nothing/at/all", 404, "not_found_error"],
    ["GET", "/v1/messages", 405, "invalid_request_error"],
    ["PUT", "/v1/messages/count_tokens", 405, "invalid_request_error"],
  ])("%s %s, whoever asks", async (method, path, status, type) => {
    const answer = await fetch(root + path, { method });
    await expectAnthropicError(answer, status, type);
  });

  test.each([
    ["GET", "/v1/nothing", 404, "not_found_error"],
    ["GET", "/v1/models/nothing", 404, "not_found_error"],
    ["PUT", "/v1/models", 405, "invalid_request_error"],
  ])("%s %s, where its version is sent", async (method, path, status, type) => {
    const answer = await fetch(root + path, { method, headers: HEADERS });
    await expectAnthropicError(answer, status, type);
  });

  test("a missing key is asked for as its clients show it", async () => {
    for (const path of ["/v1/models", "/v1/messages"]) {
      const method = path === "/v1/models" ? "GET" : "POST";
      const answer = await fetch(root + path, { method, headers: VERSION });
      const message = await expectAnthropicError(answer, 401, "authentication_error");
      expect(message).toContain("x-api-key");
    }
  });
});

describe("threads", () => {
  const MESSAGES = [{ role: "user" as const, content: "What is the weather in Oslo?" }];

  test("are refused in the words by which its clients go on without", async () => {
    const body = { model: MODEL, max_tokens: 50, messages: MESSAGES, thread: { type: "create" } };
    const answer = await fetch(`${root}/v1/messages`, {
      method: "POST",
      headers: HEADERS,
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      type: "error",
      error: {
        type: "invalid_request_error",
        details: { error_code: "thread_unsupported_request", unsupported: ["thread"] },
      },
    });
  });

  test.each([false, true])(
    "the vendor's runner of tools goes on without one: stream %p",
    async (stream) => {
      const asked: JsonObject[] = [];
      const statuses: number[] = [];
      const watched: typeof fetch = Object.assign(
        async (...[input, init]: Parameters<typeof fetch>) => {
          asked.push(JSON.parse(String(init?.body)) as JsonObject);
          const answer = await fetch(input, init);
          statuses.push(answer.status);
          return answer;
        },
        { preconnect: fetch.preconnect },
      );
      const weather = betaTool({
        name: "weather",
        description: "The weather of a city.",
        inputSchema: { type: "object", properties: { city: { type: "string" } } },
        run: () => "sunny",
      });
      const runner = new Anthropic({ apiKey: key, baseURL: root, maxRetries: 0, fetch: watched });
      const done = await runner.beta.messages
        .toolRunner({ model: MODEL, max_tokens: 300, messages: MESSAGES, tools: [weather], stream })
        .runUntilDone();
      expect(done.stop_reason).toBe("end_turn");
      expect(asked[0]).toHaveProperty("thread");
      expect(statuses[0]).toBe(400);
      expect(statuses.slice(1)).toEqual(statuses.slice(1).map(() => 200));
      expect(asked.slice(1).filter(({ thread }) => thread !== undefined)).toEqual([]);
    },
  );

  test("no other refusal has such details", async () => {
    const body = { model: MODEL, max_tokens: 50, messages: MESSAGES, container: "c" };
    const answer = await fetch(`${root}/v1/messages`, {
      method: "POST",
      headers: HEADERS,
      body: JSON.stringify(body),
    });
    const { error } = (await answer.json()) as { error: JsonObject };
    expect(Object.keys(error).sort()).toEqual(["message", "type"]);
  });
});

describe("the first event of a stream", () => {
  const ask = async (headers: Record<string, string> = {}) => {
    const messages = [{ role: "user", content: "Tell me about foxes, wolves and bears." }];
    const answer = await fetch(`${root}/v1/messages`, {
      method: "POST",
      headers: { ...HEADERS, ...headers },
      body: JSON.stringify({ model: MODEL, max_tokens: 50, stream: true, messages }),
    });
    const events = readEvents(await answer.text());
    const start = events.find(({ name }) => name === "message_start")?.json?.message as JsonObject;
    const delta = events.find(({ name }) => name === "message_delta")?.json as JsonObject;
    const id = answer.headers.get("x-request-id") ?? "";
    const receipt = (await (await server.fetch(`/generation?id=${id}`, key)).json()) as JsonObject;
    return { first: start.usage as JsonObject, last: delta.usage as JsonObject, receipt };
  };

  test("says how much was read, and the last one what was counted", async () => {
    const { first, last } = await ask();
    expect(first.input_tokens).toBeGreaterThan(0);
    expect(first.output_tokens).toBe(0);
    expect(last.input_tokens).toBeGreaterThan(0);
  });

  test("is no count of the vendor's", async () => {
    const { first, last, receipt } = await ask({ "x-sandbox-fault": "no_usage" });
    expect(first.input_tokens).toBeGreaterThan(0);
    expect(last.input_tokens).toBe(first.input_tokens as number);
    expect(JSON.stringify(receipt)).toContain('"estimated"');
  });
});
