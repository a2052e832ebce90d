// Vendors that fail in every way the embedded one can play: what the client sees, what is charged,
// and that no money stays held.
import { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import OpenAI from "openai";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { eventually } from "../support/waiting.ts";
import { Chance } from "./chance.ts";
import { type Frame, framesOf, type Json, jsonOf } from "./frames.ts";
import { lifecycleProblems } from "./lifecycle.ts";
import { snapshotShape } from "./snapshot.ts";

const MODEL = "sandbox-1.0";
const IDLE_MS = 1_000;
const chance = new Chance();
const settings = {
  FAREGATE_UPSTREAM_IDLE_MS: String(IDLE_MS),
  FAREGATE_UPSTREAM_FIRST_BYTE_MS: String(IDLE_MS),
  FAREGATE_UPSTREAM_ANSWER_MS: String(IDLE_MS),
  FAREGATE_KEEP_ALIVE_MS: "100",
};
const { server, database } = await perFile((parts) => serve(parts, { settings, books: true }));

/** Nothing may stay held, however a request ended. */
afterEach(async () => {
  const key = await (await server.fetch("/key", server.firstKey)).json();
  expect(key).toMatchObject({ held: "0.0" });
});

type Path = "/responses" | "/chat/completions";
const PATHS: readonly Path[] = ["/responses", "/chat/completions"];

interface Asked {
  readonly response: Response;
  readonly text: string;
  readonly receipt: Json;
}

function bodyOf(path: Path, stream: boolean): Json {
  const input = `Describe ${chance.name()}.`;
  const asked =
    path === "/responses" ? { input } : { messages: [{ role: "user", content: input }] };
  return { model: MODEL, stream, ...asked };
}

/** The receipt of a request; one whose client left is settled a moment later. */
function receiptOf(id: string, key = server.firstKey): Promise<Json> {
  return eventually(`there is a receipt of ${id}`, async () => {
    const response = await server.fetch(`/generation?id=${id}`, key);
    return response.ok && ((await response.json()) as Json);
  });
}

async function ask(path: Path, stream: boolean, fault: string, more: Json = {}): Promise<Asked> {
  const body = { ...bodyOf(path, stream), ...more };
  const response = await server.post(path, server.firstKey, body, { "x-sandbox-fault": fault });
  const text = await response.text();
  const receipt = await receiptOf(String(response.headers.get("x-request-id")));
  return { response, text, receipt };
}

const UNCHARGED = {
  billing_reason: "upstream_failed",
  error_code: "upstream_unavailable",
  status: 503,
  cost: "0.0",
  lines: [],
};

function expectRefusal({ response, text, receipt }: Asked): void {
  expect(response.status).toBe(503);
  expect(response.headers.get("content-type")).toStartWith("application/json");
  expect(response.headers.get("x-should-retry")).toBe("true");
  const { error } = JSON.parse(text) as { error: Json };
  expect(Object.keys(error).toSorted()).toEqual(["code", "message", "param", "type"]);
  expect(error).toMatchObject({ code: "upstream_unavailable", param: null });
  expect(receipt).toMatchObject(UNCHARGED);
}

describe(`before the first byte, seed ${chance.seed}`, () => {
  const faults = ["http_500", "http_429", "reset", "stall", "cut_after=0", "reset_after=0"];

  test("is a status and costs nothing, whole and streaming", async () => {
    const all = PATHS.flatMap((path) =>
      [true, false].flatMap((stream) => faults.map((fault) => ask(path, stream, fault))),
    );
    for (const asked of await Promise.all(all)) expectRefusal(asked);
  });
});

/** Without what a keep-alive adds between two events. */
function spoken(frames: readonly Frame[]): Frame[] {
  return frames.filter(({ event }) => event !== "keepalive");
}

/** The same of a stream whose keep-alives are comments or events: a busy machine makes some anywhere. */
function spokenIn(text: string): Frame[] {
  return spoken(framesOf(text.replaceAll(/^: keep-alive\n\n/gm, "")));
}

describe(`after the first byte, seed ${chance.seed}`, () => {
  const faults = [1, 2, 3, 4, 5, 6].flatMap((count) => [
    `cut_after=${count}`,
    `reset_after=${count}`,
    `stall_after=${count}`,
  ]);

  test("responses: error, response.failed, end marker, and no charge", async () => {
    const all = await Promise.all(faults.map((fault) => ask("/responses", true, fault)));
    for (const { response, text, receipt } of all) {
      expect(response.status).toBe(200);
      const frames = framesOf(text);
      const types = spoken(frames).map(({ event }) => event);
      expect(types.slice(-3)).toEqual(["error", "response.failed", undefined]);
      expect(lifecycleProblems(frames)).toEqual([]);
      const failed = snapshotShape.parse(jsonOf(frames).at(-1)?.response);
      expect(failed.error?.code).toBe("server_error");
      expect(failed.usage).toBeNull();
      expect(receipt).toMatchObject({ ...UNCHARGED, response_id: failed.id });
    }
  });

  test("chat: an error frame, then the end without an end marker, and no charge", async () => {
    const all = await Promise.all(faults.map((fault) => ask("/chat/completions", true, fault)));
    for (const { response, text, receipt } of all) {
      expect(response.status).toBe(200);
      expect(text).not.toContain("[DONE]");
      const frames = spokenIn(text);
      const { error } = JSON.parse(frames.at(-1)?.data ?? "{}") as { error: Json };
      expect(Object.keys(error).toSorted()).toEqual(["code", "message", "param", "type"]);
      expect(error.code).toBe("upstream_unavailable");
      for (const chunk of jsonOf(frames).slice(0, -1)) expect(chunk).not.toHaveProperty("error");
      expect(receipt).toMatchObject(UNCHARGED);
    }
  });

  test("a failed response is not kept", async () => {
    const { text } = await ask("/responses", true, "cut_after=5");
    const { response } = jsonOf(spokenIn(text)).at(-1) ?? {};
    const { id } = snapshotShape.parse(response);
    expect((await server.fetch(`/responses/${id}`, server.firstKey)).status).toBe(404);
  });
});

describe(`a vendor that stops only short of its end marker, seed ${chance.seed}`, () => {
  test.each(PATHS)("has answered: %s", async (path) => {
    const counted = { stream_options: { include_usage: true } };
    const more = path === "/responses" ? {} : counted;
    const input = { ...more, ...withoutStream(bodyOf(path, true)) };
    const whole = await ask(path, true, "", input);
    const count = spokenIn(whole.text).length;
    const cut = await ask(path, true, `cut_after=${count - 1}`, input);
    expect(spokenIn(cut.text).map(({ event }) => event)).toEqual(
      spokenIn(whole.text).map(({ event }) => event),
    );
    expect(spokenIn(cut.text).at(-1)?.data).toBe("[DONE]");
    expect(cut.receipt).toMatchObject({ billing_reason: "completed", cost: whole.receipt.cost });
  });
});

function withoutStream({ stream: _, ...body }: Json): Json {
  return body;
}

describe.each(PATHS)(`a vendor that counts badly, %s, seed ${chance.seed}`, (path) => {
  test.each([true, false])("no counts: charged by estimate, stream %p", async (stream) => {
    const more = stream && path !== "/responses" ? { stream_options: { include_usage: true } } : {};
    const { response, text, receipt } = await ask(path, stream, "no_usage", more);
    expect(response.status).toBe(200);
    expect(receipt).toMatchObject({ billing_reason: "completed_estimated", status: 200 });
    expect(receipt.usage).toMatchObject({ source: "estimated" });
    expect(Number(receipt.cost)).toBeGreaterThan(0);
    if (stream) expect(spokenIn(text).at(-1)?.data).toBe("[DONE]");
  });

  test.each([true, false])("no counts: the client gets the estimate, stream %p", async (stream) => {
    const more = stream && path !== "/responses" ? { stream_options: { include_usage: true } } : {};
    const { text, receipt } = await ask(path, stream, "no_usage", more);
    const last = stream ? (jsonOf(spokenIn(text)).at(-1) ?? {}) : (JSON.parse(text) as Json);
    const { usage } = (last.response ?? last) as Json;
    const counts = receipt.usage as Json;
    expect(usage).toMatchObject({ total_tokens: counts.total_tokens, cost_exact: receipt.cost });
  });

  test("wrong counts are clamped and flagged, and cost no more than an answer can", async () => {
    // An account of its own: what is charged here by mistake must not break the other tests.
    const { key } = await server.account("5.00");
    for (const fault of ["usage=negative", "usage=absurd"]) {
      const headers = { "x-sandbox-fault": fault };
      const response = await server.post(path, key, bodyOf(path, false), headers);
      expect(response.status).toBe(200);
      const receipt = await receiptOf(String(response.headers.get("x-request-id")), key);
      expect(receipt.usage).toMatchObject({ clamped: true });
      expect(String(receipt.cost)).toMatch(/^\d+\.\d+$/);
      // One answer of this model cannot cost a dollar: its context and output are limited.
      expect(Number(receipt.cost)).toBeLessThan(1);
    }
  });
});

describe(`a slow vendor, seed ${chance.seed}`, () => {
  test("responses: keep-alives between events, numbers still rising", async () => {
    const phrase = chance.word();
    const { text } = await ask("/responses", true, "delay_ms=200", {
      input: `Reply with exactly "${phrase}".`,
    });
    const frames = framesOf(text);
    expect(frames.length).toBeGreaterThan(spoken(frames).length);
    expect(lifecycleProblems(frames)).toEqual([]);
    expect(snapshotShape.parse(jsonOf(frames).at(-1)?.response).output_text).toBe(phrase);
  });

  test.each(["faregate.sqlite", "responses.sqlite"])(
    "keep-alives while %s is busy come before the end, in order",
    async (file) => {
      const books = new Database(join(database.settings.FAREGATE_DATA, file), { readwrite: true });
      const headers = { "x-sandbox-fault": "delay_ms=20" };
      const body = bodyOf("/responses", true);
      const response = await server.post("/responses", server.firstKey, body, headers);
      // The money is held by now; from here on the answer can be written but not settled.
      books.run("begin immediate");
      const chunks: string[] = [];
      const decoder = new TextDecoder();
      try {
        let waited = 0;
        for await (const chunk of response.body ?? []) {
          chunks.push(decoder.decode(chunk, { stream: true }));
          const text = chunks.join("");
          // A few signs of life behind the last item: the stream is waiting for its commit.
          const settling = text.includes("event: response.output_item.done");
          if (settling && chunks.at(-1)?.includes("event: keepalive")) waited += 1;
          if (waited === 3 && books.inTransaction) books.run("rollback");
        }
      } finally {
        books.close();
      }
      const frames = framesOf(chunks.join(""));
      expect(frames.length).toBeGreaterThan(spoken(frames).length);
      expect(lifecycleProblems(frames)).toEqual([]);
    },
  );

  test("the official client does not mind the keep-alives", async () => {
    const client = new OpenAI({ baseURL: server.url, apiKey: server.firstKey, maxRetries: 0 });
    const phrase = chance.word();
    const slow = { headers: { "x-sandbox-fault": "delay_ms=200" } };
    const input = `Reply with exactly "${phrase}".`;
    const messages = [{ role: "user" as const, content: input }];
    const [response, completion] = await Promise.all([
      client.responses.stream({ model: MODEL, input }, slow).finalResponse(),
      client.chat.completions.stream({ model: MODEL, messages }, slow).finalChatCompletion(),
    ]);
    expect(response.output_text).toBe(phrase);
    expect(completion.choices[0]?.message.content).toBe(phrase);
  });
});

describe.each(PATHS)(`a client that leaves, %s, seed ${chance.seed}`, (path) => {
  test("a stream is charged for its input and what was delivered", async () => {
    const leave = new AbortController();
    const headers = { "x-sandbox-fault": "delay_ms=100" };
    const body = bodyOf(path, true);
    const response = await server.post(path, server.firstKey, body, headers, leave.signal);
    const reader = response.body?.getReader();
    for (let i = 0; i < 3; i++) await reader?.read();
    leave.abort();
    const receipt = await receiptOf(String(response.headers.get("x-request-id")));
    expect(receipt).toMatchObject({ billing_reason: "client_closed", status: 499 });
    expect(receipt.usage).toMatchObject({ source: "estimated" });
    expect(Number(receipt.cost)).toBeGreaterThan(0);
  });
});
