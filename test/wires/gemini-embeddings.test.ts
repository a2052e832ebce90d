// Embeddings as Google's clients ask for them, of models whose vendors speak OpenAI's wire.
import { beforeEach, describe, expect, test } from "bun:test";
import { GoogleGenAI } from "@google/genai";
import { keyFacts } from "../support/books.ts";
import { perFile } from "../support/houses/house.ts";
import type { JsonObject } from "../support/samples/wires.ts";
import { refusing } from "../support/vendors/good-vendor.ts";
import type { Script } from "../support/vendors/scripted-vendor.ts";
import { SECRET, vendorHouse } from "../support/vendors/vendor-house.ts";

const MODEL = "text-embedding-3-small";

const house = await perFile((parts) =>
  vendorHouse(parts, {
    // Some tests have it fail, which the next must not notice.
    settings: { FAREGATE_CHANNEL_ATTEMPTS_MIN: "100000" },
    file: (vendor) => ({
      channels: [
        { id: "only", vendor: "openai", base_url: vendor.url("only"), keys: [`sk-${SECRET}only`] },
      ],
    }),
  }),
);
beforeEach(() => {
  house.vendor.calls.length = 0;
  house.vendor.play("only", answer);
});

/** A vector for each text that tells its place, in the wrong order, as vendors may. */
const answer: Script = ({ json }, reply) => {
  const texts = Array.isArray(json.input) ? json.input : [json.input];
  const data = texts.map((_, index) => ({ object: "embedding", index, embedding: [index, 0.5] }));
  const usage = { prompt_tokens: 8, total_tokens: 8 };
  reply.whole(200, JSON.stringify({ object: "list", data: data.reverse(), model: "v", usage }));
};

const content = (...texts: string[]) => ({ parts: texts.map((text) => ({ text })) });

async function ask(method: string, body: unknown, version = "v1beta") {
  const response = await fetch(`${house.root}/${version}/models/${MODEL}:${method}`, {
    method: "POST",
    headers: { "x-goog-api-key": house.key, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { response, status: response.status, json: (await response.json()) as JsonObject };
}

const sent = () => house.vendor.calls.at(-1)?.json;

describe("embeddings on Gemini's wire", () => {
  test.each(["v1", "v1beta"])("one is made below /%s, charged and receipted", async (version) => {
    const before = await keyFacts(house.server, house.key);
    const asked = { content: content("A fox.", "A wolf."), outputDimensionality: 2 };
    const { response, status, json } = await ask("embedContent", asked, version);
    expect(status).toBe(200);
    expect(json).toEqual({
      embedding: { values: [0, 0.5] },
      usageMetadata: {
        ...{ promptTokenCount: 8, totalTokenCount: 8 },
        ...{ cost: expect.any(Number), cost_exact: expect.any(String) },
      },
    });
    expect(sent()).toEqual({ model: MODEL, input: ["A fox.\nA wolf."], dimensions: 2 });
    const receipt = await house.receipt(response.headers.get("x-request-id") ?? "");
    expect(receipt).toMatchObject({ endpoint: "embeddings", model: MODEL });
    expect(await keyFacts(house.server, house.key)).not.toEqual(before);
  });

  test("several are made at once, in the order they were asked for", async () => {
    const texts = ["a", "b", "c"];
    const requests = texts.map((text) => ({ model: `models/${MODEL}`, content: content(text) }));
    const { status, json } = await ask("batchEmbedContents", { requests });
    expect(status).toBe(200);
    expect(json.embeddings).toEqual(texts.map((_, i) => ({ values: [i, 0.5] })));
    expect(sent()).toEqual({ model: MODEL, input: texts });
  });

  test.each([
    ["embedContent", 1],
    ["embedContent", 40_000],
    ["batchEmbedContents", 1],
  ])(
    "another model makes them where the client wishes for one: %s of %d",
    async (method, words) => {
      house.vendor.play("only", (call, reply) => {
        const script = call.json.model === MODEL ? refusing(500) : answer;
        return script(call, reply);
      });
      const text = "A fox. ".repeat(words);
      const one = { content: content(text) };
      const asked = method === "embedContent" ? one : { requests: [one] };
      const models = ["text-embedding-3-large"];
      const { response, status } = await ask(method, { ...asked, models });
      expect(status).toBe(200);
      expect(sent()).toEqual({ model: "text-embedding-3-large", input: [text] });
      const receipt = await house.receipt(response.headers.get("x-request-id") ?? "");
      expect(receipt).toMatchObject({ model: MODEL, served_model: "text-embedding-3-large" });
    },
  );

  test("very many numbers come as few do", async () => {
    const values = Array.from({ length: 200_000 }, (_, i) => i / 7);
    house.vendor.play("only", (_call, reply) => {
      const data = [{ object: "embedding", index: 0, embedding: values }];
      const usage = { prompt_tokens: 4, total_tokens: 4 };
      reply.whole(200, JSON.stringify({ object: "list", data, model: "v", usage }));
    });
    const { response, json } = await ask("embedContent", { content: content("A fox.") });
    expect(Bun.deepEquals(json.embedding, { values })).toBe(true);
    expect(json.usageMetadata).toMatchObject({ promptTokenCount: 4 });
    expect(response.headers.has("content-length")).toBe(true);
  });

  test.each(["v1", "v1beta"])("the vendor's client works below /%s", async (apiVersion) => {
    const httpOptions = { baseUrl: house.root, apiVersion };
    const client = new GoogleGenAI({ apiKey: house.key, httpOptions });
    const config = { outputDimensionality: 2 };
    const made = await client.models.embedContent({ model: MODEL, contents: ["x", "y"], config });
    expect(made.embeddings?.map(({ values }) => values)).toEqual([
      [0, 0.5],
      [1, 0.5],
    ]);
    expect((await client.models.get({ model: MODEL })).supportedActions).toEqual([
      "embedContent",
      "batchEmbedContents",
    ]);
  });

  test("what the model does not take is left out by name", async () => {
    const { response, status } = await ask("embedContent", {
      content: content("a"),
      task_type: "RETRIEVAL_QUERY",
      title: "t",
    });
    expect(status).toBe(200);
    expect(response.headers.get("x-faregate-dropped")).toBe("taskType, title");
  });

  test.each([
    ["embedContent", {}, "content"],
    ["embedContent", { content: 7 }, "content"],
    ["embedContent", { content: { parts: [] } }, "content.parts"],
    ["embedContent", { content: content("") }, "content.parts"],
    ["embedContent", { content: { parts: [{ text: 7 }] } }, "content.parts[0].text"],
    [
      "embedContent",
      { content: { parts: [{ inlineData: { mimeType: "image/png", data: "" } }] } },
      "content.parts[0]",
    ],
    ["embedContent", { content: content("a"), outputDimensionality: 0 }, "outputDimensionality"],
    ["embedContent", { content: content("a"), model: "models/other" }, "model"],
    ["embedContent", { content: content("a"), models: "other" }, "models"],
    ["batchEmbedContents", {}, "requests"],
    ["batchEmbedContents", { requests: [{ content: content("a") }], models: [7] }, "models[0]"],
    ["batchEmbedContents", { requests: [] }, "requests"],
    ["batchEmbedContents", { requests: [7] }, "requests[0]"],
    ["batchEmbedContents", { requests: [{ content: content("a") }, {}] }, "requests[1].content"],
    [
      "batchEmbedContents",
      {
        requests: [1, 2].map((outputDimensionality) => ({
          content: content("a"),
          outputDimensionality,
        })),
      },
      "requests[1].outputDimensionality",
    ],
    [
      "batchEmbedContents",
      { requests: Array.from({ length: 2_049 }, () => ({ content: content("a") })) },
      "requests",
    ],
  ])("%s of %j is refused at its field", async (method, body, field) => {
    const { status, json } = await ask(method, body);
    expect([status, json]).toMatchObject([400, { error: { status: "INVALID_ARGUMENT" } }]);
    expect((json.error as JsonObject).message).toContain(`'${field}'`);
    expect(house.vendor.calls).toEqual([]);
  });

  test("a vendor that leaves one out has not answered", async () => {
    house.vendor.play("only", (_call, reply) => {
      const data = [{ object: "embedding", index: 0, embedding: [1] }];
      reply.whole(200, JSON.stringify({ object: "list", data, model: "v" }));
    });
    const requests = ["a", "b"].map((text) => ({ content: content(text) }));
    const { status, json } = await ask("batchEmbedContents", { requests });
    expect([status, json]).toMatchObject([503, { error: { status: "UNAVAILABLE" } }]);
  });

  test("a member that is there twice is refused", async () => {
    const response = await fetch(`${house.root}/v1beta/models/${MODEL}:embedContent`, {
      method: "POST",
      headers: { "x-goog-api-key": house.key, "content-type": "application/json" },
      body: '{"content":{"parts":[{"text":"a"}]},"content":{"parts":[{"text":"b"}]}}',
    });
    expect(response.status).toBe(400);
    expect(house.vendor.calls).toEqual([]);
  });
});
