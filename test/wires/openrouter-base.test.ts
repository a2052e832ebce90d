// OpenRouter's base URL, `/api/v1`: the models, and nothing of the console that lies at `/api`.
import { describe, expect, test } from "bun:test";
import { expectError } from "../support/errors.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import type { JsonObject } from "../support/samples/wires.ts";
import { MockVendor, VENDOR_KEY } from "../support/vendors/mock-vendor.ts";
import { modelEntry } from "../support/vendors/vendor-house.ts";

/** An id as many servers write them. */
const SLASHED = "acme/fox-1.0";
const MODEL = "sandbox-1.0";
/** Of another site than ours. */
const PAGE = { origin: "https://app.example.com" };

/** Gate and office as they are served: two processes behind one port. */
const { vendor, root, key } = await perFile(async (parts) => {
  const vendor = parts.keep(new MockVendor());
  const { server } = await serve(parts, {
    settings: { FAREGATE_SANDBOX: "on", FAREGATE_CORS: "*" },
    file: {
      channels: [
        {
          ...{ id: "acme", vendor: "custom", base_url: vendor.url, keys: [VENDOR_KEY] },
          models: [SLASHED],
        },
      ],
      models: [modelEntry(SLASHED)],
    },
    books: true,
    process: true,
  });
  const { key } = await server.account("100", "--rpm", "0");
  return { server, vendor, key, root: server.url.replace(/\/v1$/, "") };
});

function ask(path: string, body?: JsonObject, headers: Record<string, string> = {}) {
  const own = { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers };
  const init = body ? { method: "POST", body: JSON.stringify(body) } : {};
  return fetch(root + path, { ...init, headers: own });
}

const messages = [{ role: "user", content: "Say hello." }];

test.each(["/api/chat", "/api/tags", "/api/generate"])(
  "%s of Ollama is told by the office what to use instead",
  async (path) => {
    const answer = (await (await ask(path, { model: MODEL })).json()) as JsonObject;
    expect((answer.error as JsonObject).message).toStartWith("Ollama's API is not offered; use");
  },
);

describe("OpenRouter's base URL", () => {
  test.each([
    ["/chat/completions", { messages }],
    ["/responses", { input: "Say hello." }],
    ["/messages", { messages, max_tokens: 50 }],
    ["/messages/count_tokens", { messages }],
    ["/embeddings", { model: "sandbox-embedding-1.0", input: "hello" }],
  ])("takes calls of models: %s", async (path, body) => {
    const response = await ask(`/api/v1${path}`, { model: MODEL, ...body }, PAGE);
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([
      200,
      "*",
    ]);
    expect(response.headers.get("cache-control")).toBe("no-cache, no-store");
    // The clock of the console's pages is theirs.
    expect(response.headers.has("x-faregate-time")).toBe(false);
    await response.text();
  });

  test("has the models as below /v1", async () => {
    const [own, there] = await Promise.all(
      ["/v1", "/api/v1"].map(async (base) => (await ask(`${base}/models`)).json()),
    );
    expect(there).toEqual(own);
  });

  test.each(["/v1", "/api/v1"])("finds models whose ids have a slash: %s", async (base) => {
    for (const id of [SLASHED, encodeURIComponent(SLASHED)]) {
      const response = await ask(`${base}/models/${id}`);
      expect(await response.json()).toMatchObject({ id: SLASHED, object: "model" });
    }
    await expectError(await ask(`${base}/models/acme/wolf-1.0`), {
      status: 404,
      code: "model_not_found",
      param: "model",
    });
  });

  test("calls such a model on Gemini's wire too", async () => {
    const contents = [{ role: "user", parts: [{ text: "hi" }] }];
    const response = await ask(`/v1beta/models/${SLASHED}:generateContent`, { contents });
    expect(await response.json()).toMatchObject({ modelVersion: SLASHED });
  });

  test("tells thoughts in OpenRouter's words, and below /v1 in those that most read", async () => {
    const message = { role: "assistant", content: "so", reasoning_content: "hm" };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    const toldAt = async (base: string) => {
      vendor.play(() => Response.json({ id: "c", object: "chat.completion", choices, usage }));
      const response = await ask(`${base}/chat/completions`, { model: SLASHED, messages });
      return ((await response.json()) as { choices: { message: JsonObject }[] }).choices[0]
        ?.message;
    };
    expect(await toldAt("/v1")).toEqual(message);
    expect(await toldAt("/api/v1")).toEqual({
      ...{ role: "assistant", content: "so", reasoning: "hm" },
      reasoning_details: [{ type: "reasoning.text", format: "unknown", index: 0, text: "hm" }],
    });
  });

  test("is asked without a key in the words of models, and never of the console", async () => {
    const response = await fetch(`${root}/api/v1/models`, { headers: PAGE });
    await expectError(response, { status: 401, code: "invalid_api_key" });
  });

  test.each([
    ["/api/v1/nothing", 404, "unknown_url", /Unknown request URL/],
    ["/api/v1/key", 404, "unknown_url", /It is at \/v1\/key alone\./],
    ["/api/v1/me", 404, "unknown_url", /Unknown request URL/],
    ["/api/v1/audio/speech", 404, "not_offered", /Only text has a price/],
    ["/api/v1/chat/completions", 405, "method_not_allowed", /use POST/],
  ])("has nothing else: %s", async (path, status, code, message) => {
    const response = await ask(path, undefined, PAGE);
    await expectError(response, { status, code, message });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("forgives a slash too many, as below /v1", async () => {
    for (const path of ["/api/v1//models", "/api//v1/models", "/api/v1/models/"]) {
      expect([path, (await ask(path)).status]).toEqual([path, 200]);
    }
    expect((await ask("/api/v1//nothing")).status).toBe(404);
  });

  test("leaves the console where it was", async () => {
    const response = await fetch(`${root}/api/me`);
    await expectError(response, { status: 401, code: "not_signed_in" });
    expect(response.headers.has("x-faregate-time")).toBe(true);
  });

  test("has an answer again under its Idempotency-Key", async () => {
    const value = { "idempotency-key": crypto.randomUUID() };
    const twice = [1, 2].map(() =>
      ask("/api/v1/chat/completions", { model: MODEL, messages }, value),
    );
    const words = await Promise.all((await Promise.all(twice)).map((each) => each.text()));
    expect(words[0]).toBe(words[1] ?? "");
  });
});
