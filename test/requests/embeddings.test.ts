// POST /v1/embeddings through vendors of OpenAI's wire, on bare sockets.
import { beforeEach, describe, expect, test } from "bun:test";
import { dollars, expectUntouched, keyFacts, nano } from "../support/books.ts";
import { expectError } from "../support/errors.ts";
import { perFile } from "../support/houses/house.ts";
import type { JsonObject } from "../support/samples/wires.ts";
import { refusing } from "../support/vendors/good-vendor.ts";
import type { Script } from "../support/vendors/scripted-vendor.ts";
import { SECRET, vendorHouse } from "../support/vendors/vendor-house.ts";

const MODEL = "text-embedding-3-small";
/** Nano-dollars for one token of it. */
const INPUT_NANO = 20n;
const VECTOR = [0.25, -0.5, 1];

const house = await perFile((parts) =>
  vendorHouse(parts, {
    settings: {
      FAREGATE_CHANNEL_ATTEMPTS_MIN: "100000",
      FAREGATE_UPSTREAM_ANSWER_MS: "2000",
      // Whether one is asked again depends on what it has answered so far.
      FAREGATE_REPEATS_MAX: "0",
    },
    file: (vendor) => ({
      channels: ["first", "second"].map((id, i) => ({
        id,
        vendor: "openai",
        base_url: vendor.url(id),
        keys: [`sk-${SECRET}${id}`],
        priority: -i,
      })),
    }),
  }),
);
beforeEach(() => {
  house.vendor.calls.length = 0;
  house.vendor.play("first", answering({ prompt_tokens: 8, total_tokens: 8 }));
  house.vendor.play("second", answering({ prompt_tokens: 8, total_tokens: 8 }));
});

/** A vector for each text, and these counts. */
function answering(usage: JsonObject | undefined): Script {
  return ({ json }, reply) => {
    const texts = Array.isArray(json.input) ? json.input : [json.input];
    const data = texts.map((_, index) => ({ object: "embedding", index, embedding: VECTOR }));
    const body = { object: "list", data, model: "vendor-embedder", ...(usage ? { usage } : {}) };
    reply.whole(200, JSON.stringify(body), { "x-request-id": "req_of_the_vendor" });
  };
}

const post = (body: unknown, key = house.key) => house.server.post("/embeddings", key, body);

async function embed(more: JsonObject = {}) {
  const response = await post({ model: MODEL, input: "The quick brown fox", ...more });
  expect(response.status).toBe(200);
  const body = (await response.json()) as JsonObject;
  return { body, receipt: await house.receipt(response.headers.get("x-request-id") ?? "") };
}

describe("embeddings", () => {
  test("cost their input and nothing else, and leave a receipt", async () => {
    const { body, receipt } = await embed();
    expect(body).toMatchObject({
      object: "list",
      model: MODEL,
      data: [{ object: "embedding", index: 0, embedding: VECTOR }],
      usage: { prompt_tokens: 8, total_tokens: 8 },
    });
    expect(receipt).toMatchObject({
      endpoint: "embeddings",
      model: MODEL,
      status: 200,
      stream: false,
      billing_reason: "completed",
      channel: "first",
      vendor_request_id: "req_of_the_vendor",
      usage: { input_tokens: 8, output_tokens: 0, source: "vendor" },
      cost: dollars(8n * INPUT_NANO),
    });
    expect((receipt.lines as JsonObject[]).map(({ item }) => item)).toEqual(["input"]);
    // Nothing is held for output that cannot come.
    expect(nano(String(receipt.held))).toBeLessThan(100n * INPUT_NANO);
    expect(nano(String(receipt.held))).toBeGreaterThan(0n);
  });

  test("are charged to the key to the last nano", async () => {
    const { key } = await house.server.account("1");
    for (let i = 0; i < 3; i++)
      expect((await post({ model: MODEL, input: "The quick brown fox" }, key)).status).toBe(200);
    expect((await keyFacts(house.server, key)).used).toBe(dollars(3n * 8n * INPUT_NANO));
  });

  test.each([
    ["several texts", { input: ["one", "two", "three"] }, 3],
    ["a text as tokens", { input: [1, 2, 3] }, 3],
    ["several texts as tokens", { input: [[1, 2], [3]] }, 2],
    ["settings", { dimensions: 3, encoding_format: "float", user: "u" }, 1],
    ["base64", { encoding_format: "base64" }, 1],
  ])("take %s as they are", async (_name, more, vectors) => {
    const { body } = await embed(more);
    expect(body.data).toHaveLength(vectors);
    const [call] = house.vendor.calls;
    expect(call?.path).toBe("/first/embeddings");
    expect(call?.json).toEqual({ model: MODEL, input: "The quick brown fox", ...more });
  });

  test.each([1, 6, 10])(
    "of %p MB come whole and with their length, and once more under their Idempotency-Key",
    async (megabytes) => {
      const numbers = `[${"-0.0123456789,".repeat((megabytes * 2 ** 20) / 14)}1]`;
      const data = `[{"object":"embedding","index":0,"embedding":${numbers}}]`;
      const written = (model: string, cost: string) =>
        `{"object":"list","data":${data},"model":"${model}","usage":{"prompt_tokens":8,"total_tokens":8${cost}}}`;
      house.vendor.play("first", (_call, reply) => reply.whole(200, written("v", "")));
      const value = { "idempotency-key": crypto.randomUUID() };
      const ask = () =>
        house.server.post(
          "/embeddings",
          house.key,
          { model: MODEL, input: "The quick brown fox" },
          value,
        );
      const exact = dollars(8n * INPUT_NANO);
      const told = written(MODEL, `,"cost":${exact},"cost_exact":"${exact}"`);
      const response = await ask();
      expect(response.headers.get("content-length")).toBe(String(told.length));
      expect((await response.text()) === told).toBe(true);
      const again = await ask();
      // What is longer than may be kept is not given twice.
      const isKept = megabytes < 8;
      expect(again.status).toBe(isKept ? 200 : 409);
      expect((await again.text()) === told).toBe(isKept);
      expect(house.vendor.calls).toHaveLength(1);
    },
  );

  test("whose vendor does not count are charged as estimated", async () => {
    house.vendor.play("first", answering(undefined));
    const { body, receipt } = await embed();
    expect(receipt).toMatchObject({
      billing_reason: "completed_estimated",
      usage: { source: "estimated", output_tokens: 0 },
    });
    expect(nano(receipt.cost)).toBeGreaterThan(0n);
    const { prompt_tokens } = body.usage as { prompt_tokens: number };
    expect(nano(receipt.cost)).toBe(BigInt(prompt_tokens) * INPUT_NANO);
  });

  test.each([
    ["nothing in an object", {}, false],
    ["zeros", { prompt_tokens: 0, total_tokens: 0 }, false],
    ["texts", { prompt_tokens: "8", total_tokens: "8" }, true],
    ["less than zero", { prompt_tokens: -4, total_tokens: -4 }, true],
    ["more than the model can read", { prompt_tokens: 9e15, total_tokens: 9e15 }, true],
  ])("whose vendor counts %s are estimated", async (_name, usage, clamped) => {
    house.vendor.play("first", answering(usage));
    const { body, receipt } = await embed();
    const reason = "completed_estimated";
    expect(receipt).toMatchObject({ billing_reason: reason, usage: { estimated: true, clamped } });
    expect(nano(receipt.cost)).toBeGreaterThan(0n);
    expect(nano(receipt.cost)).toBeLessThan(20n * INPUT_NANO);
    const { prompt_tokens } = body.usage as { prompt_tokens: number };
    expect(nano(receipt.cost)).toBe(BigInt(prompt_tokens) * INPUT_NANO);
  });

  test("whose vendor gives a total alone are charged by it", async () => {
    house.vendor.play("first", answering({ total_tokens: 7 }));
    const { receipt } = await embed();
    expect(receipt).toMatchObject({ usage: { source: "vendor" }, cost: dollars(7n * INPUT_NANO) });
  });

  test("of several texts may be more than the model reads at once", async () => {
    const tokens = 15_000;
    house.vendor.play("first", answering({ prompt_tokens: tokens, total_tokens: tokens }));
    const text = "word ".repeat(7_500);
    const { receipt } = await embed({ input: [text, text] });
    expect(receipt.usage).toMatchObject({ source: "vendor", clamped: false, input_tokens: tokens });
  });
});

describe("embeddings that the first vendor does not give", () => {
  const failures: readonly (readonly [string, Script, number])[] = [
    ["by a 500", refusing(500), 500],
    ["by an error in a 200", (_c, reply) => reply.whole(200, '{"error":{"message":"x"}}'), 200],
    ["by nonsense", (_c, reply) => reply.whole(200, '{"object":"list"}'), 200],
    ["by a reset", (_c, reply) => reply.reset(), 0],
  ];

  test.each(failures)("come from the second: %s", async (_name, script, status) => {
    house.vendor.play("first", script);
    const { body, receipt } = await embed();
    expect(body.data).toHaveLength(1);
    expect(receipt).toMatchObject({
      channel: "second",
      cost: dollars(8n * INPUT_NANO),
      attempts: [
        { channel: "first", status, code: "upstream_unavailable" },
        { channel: "second", status: 200, code: null },
      ],
    });
  });

  test("nor the second are a 503 and cost nothing", async () => {
    house.vendor.play("first", refusing(500));
    house.vendor.play("second", refusing(502));
    const { key } = await house.server.account("1");
    const response = await post({ model: MODEL, input: "x" }, key);
    const error = { type: "service_unavailable_error", code: "upstream_unavailable" };
    await expectError(response, { status: 503, ...error });
    await expectUntouched(house.server, key);
  });

  test("for a fault of the client's are a 400 with the vendor's words", async () => {
    const message = "This model's maximum context length is 8192 tokens.";
    house.vendor.play("first", (_call, reply) =>
      reply.whole(400, JSON.stringify({ error: { message, type: "invalid_request_error" } })),
    );
    const response = await post({ model: MODEL, input: "x" });
    const error = await expectError(response, { status: 400, code: "upstream_rejected" });
    expect(error.message).toBe(message);
    expect(house.vendor.callsOf("second")).toHaveLength(0);
  });
});

describe("embeddings are refused", () => {
  const wrong: readonly (readonly [string, JsonObject, string, string])[] = [
    ["no input", { input: undefined }, "missing_required_parameter", "input"],
    ["null", { input: null }, "missing_required_parameter", "input"],
    ["an empty text", { input: "" }, "invalid_value", "input"],
    ["nothing in a list", { input: [] }, "empty_array", "input"],
    ["a number", { input: 5 }, "invalid_type", "input"],
    ["an object", { input: {} }, "invalid_type", "input"],
    ["an empty text in a list", { input: ["a", ""] }, "invalid_type", "input[1]"],
    ["texts and tokens mixed", { input: ["a", 1] }, "invalid_type", "input[1]"],
    ["half a token", { input: [1.5] }, "invalid_type", "input[0]"],
    ["no tokens in a list", { input: [[]] }, "invalid_type", "input[0]"],
    ["too many texts", { input: Array(2_049).fill("a") }, "invalid_value", "input"],
    ["no dimensions", { dimensions: 0 }, "integer_below_min_value", "dimensions"],
    ["half a dimension", { dimensions: 1.5 }, "invalid_type", "dimensions"],
    ["a strange format", { encoding_format: "hex" }, "invalid_value", "encoding_format"],
    ["a user that is a number", { user: 7 }, "invalid_type", "user"],
    ["no model", { model: undefined }, "missing_required_parameter", "model"],
    ["a model that is a number", { model: 7 }, "invalid_type", "model"],
    ["a model that writes", { model: "gpt-6-luna" }, "unsupported_endpoint", "model"],
  ];

  test.each(wrong)("for %s", async (_name, more, code, param) => {
    const response = await post({ model: MODEL, input: "x", ...more });
    await expectError(response, { status: 400, code, param });
    expect(house.vendor.calls).toHaveLength(0);
  });

  test("for a model that is not there", async () => {
    const response = await post({ model: "text-embedding-3-smal", input: "x" });
    await expectError(response, { status: 404, code: "model_not_found", param: "model" });
  });

  test.each([
    ["/responses", { input: "x" }],
    ["/chat/completions", { messages: [{ role: "user", content: "x" }] }],
    ["/messages", { max_tokens: 5, messages: [{ role: "user", content: "x" }] }],
  ])("on %s, and so is every other use of such a model", async (path, body) => {
    const response = await house.server.post(path, house.key, { model: MODEL, ...body });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("/v1/embeddings");
  });

  test("without money", async () => {
    const { key } = await house.server.account("0");
    const response = await post({ model: MODEL, input: "x" }, key);
    await expectError(response, { status: 400, type: "budget_exceeded", code: "400" });
    expect(house.vendor.calls).toHaveLength(0);
  });
});

test("all of this leaves no trace", () => house.expectNoTrace());
