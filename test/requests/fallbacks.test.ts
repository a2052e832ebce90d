// Models that stand in for others, and how often a request is tried before it fails.
import { beforeEach, describe, expect, test } from "bun:test";
import { dollars, nano } from "../support/books.ts";
import { expectError } from "../support/errors.ts";
import { partsOfTest, perSuite } from "../support/houses/house.ts";
import { callAs, FACES, type Face, goodText, type Heard } from "../support/samples/faces.ts";
import { type JsonObject, readEvents } from "../support/samples/wires.ts";
import { answering, GOOD_COUNTS, GOOD_TEXT, refusing } from "../support/vendors/good-vendor.ts";
import type { VendorWireName } from "../support/vendors/vendor-bytes.ts";
import { modelEntry, type VendorHouse, vendorHouse } from "../support/vendors/vendor-house.ts";
import { eventually } from "../support/waiting.ts";

const [RESPONSES, CHAT, , GEMINI] = FACES as [Face, Face, Face, Face];
const WIRES: readonly VendorWireName[] = ["responses", "chat", "messages", "gemini"];

/** What the model that stands in costs: nano-dollars for one token. */
const DEAR_PRICE = { input: "3", output: "9" };
const DEAR_COST = BigInt(GOOD_COUNTS.input) * 3_000n + BigInt(GOOD_COUNTS.output) * 9_000n;

const channel = (id: string, url: string, model: string, wire: VendorWireName = "chat") => ({
  id,
  vendor: "custom",
  base_url: url,
  protocols: [wire],
  models: { [model]: "vendor-name" },
});

describe("a model that fails", () => {
  const house = perSuite((parts) =>
    vendorHouse(parts, {
      settings: { FAREGATE_CHANNEL_ATTEMPTS_MIN: "100000", FAREGATE_RETRY_BUDGET_MIN: "1000" },
      file: (vendor) => ({
        channels: [
          channel("broken", vendor.url("broken"), "broken-1.0"),
          channel("modest", vendor.url("modest"), "modest-1.0"),
          ...["plain", "plain-two", "plain-three"].map((id) =>
            channel(id, vendor.url(id), "plain-1.0"),
          ),
          ...WIRES.map((wire) =>
            channel(`dear-${wire}`, vendor.url(`dear-${wire}`), `dear-${wire}-1.0`, wire),
          ),
        ],
        models: [
          modelEntry("broken-1.0"),
          modelEntry("modest-1.0", { fallbacks: ["broken-1.0", "dear-messages-1.0"] }),
          modelEntry("plain-1.0", { rules: ["tools_or_thinking"] }),
          ...WIRES.map((wire) => modelEntry(`dear-${wire}-1.0`, { price: DEAR_PRICE })),
        ],
      }),
    }),
  );
  beforeEach(() => {
    house.vendor.calls.length = 0;
    house.vendor.play("broken", refusing(500));
    house.vendor.play("modest", refusing(503));
    for (const wire of WIRES) house.vendor.play(`dear-${wire}`, answering(wire));
  });

  const pairs = FACES.flatMap((face) =>
    WIRES.flatMap((wire) =>
      [false, true].map((stream) => [face.name, wire, stream, face] as const),
    ),
  );

  test.each(pairs)(
    "is stood in for, as the client wishes: %s client, %s vendor, stream %p",
    async (_name, wire, stream, face) => {
      const id = `dear-${wire}-1.0`;
      const body = { ...face.body("broken-1.0", stream, "Hello"), models: [id] };
      const response = await fetch(house.root + face.path("broken-1.0", stream), {
        method: "POST",
        headers: { authorization: `Bearer ${house.key}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      const requestId = response.headers.get("x-request-id") ?? "";
      const heard = { status: response.status, headers: response.headers, text, requestId };
      expect(goodText(face, heard, stream)).toBe(GOOD_TEXT);
      expect(modelsIn(text, stream)).toEqual([id]);
      expect(response.headers.get("x-faregate-dropped")).toBeNull();
      const receipt = await house.receipt(requestId);
      expect(receipt).toMatchObject({
        model: "broken-1.0",
        served_model: id,
        channel: `dear-${wire}`,
        billing_reason: "completed",
        cost: dollars(DEAR_COST),
        attempts: [
          { channel: "broken", model: null, status: 500, code: "upstream_unavailable" },
          { channel: "broken", model: null, status: 500, code: "upstream_unavailable" },
          { channel: `dear-${wire}`, model: id, status: 200, code: null },
        ],
      });
      // What is held covers whoever may answer.
      expect(nano(String(receipt.held))).toBeGreaterThanOrEqual(DEAR_COST);
      expect(house.vendor.calls).toHaveLength(3);
      for (const call of house.vendor.calls) expect(call.json).not.toHaveProperty("models");
    },
  );

  test.each(FACES.map((face) => [face.name, face] as const))(
    "passes its own wire without the wish: %s",
    async (_name, face) => {
      const id = `dear-${face.name}-1.0`;
      const response = await fetch(house.root + face.path(id, false), {
        method: "POST",
        headers: { authorization: `Bearer ${house.key}`, "content-type": "application/json" },
        body: JSON.stringify({ ...face.body(id, false, "Hello"), models: ["broken-1.0"] }),
      });
      expect(response.status).toBe(200);
      expect(house.vendor.calls[0]?.json).not.toHaveProperty("models");
      const receipt = await house.receipt(response.headers.get("x-request-id") ?? "");
      // One call that served says nothing that the receipt does not.
      expect(receipt).toMatchObject({
        served_model: null,
        attempts: [],
        channel: `dear-${face.name}`,
      });
    },
  );

  test.each([false, true])("is stood in for as the file says, stream %p", async (stream) => {
    const heard = await house.call(CHAT, "modest-1.0", stream);
    expect(goodText(CHAT, heard, stream)).toBe(GOOD_TEXT);
    expect(modelsIn(heard.text, stream)).toEqual(["dear-messages-1.0"]);
    const { attempts, served_model } = await house.receipt(heard.requestId);
    expect(served_model).toBe("dear-messages-1.0");
    expect(attempts?.map(({ channel: id, status }) => [id, status])).toEqual([
      ["modest", 503],
      ["modest", 503],
      ["broken", 500],
      ["dear-messages", 200],
    ]);
  });

  test("is not stood in for by the file's models where the client wishes for others", async () => {
    const body = { ...CHAT.body("modest-1.0", false, "Hello"), models: ["dear-chat-1.0"] };
    const response = await house.server.post("/chat/completions", house.key, body);
    expect(await response.json()).toMatchObject({ model: "dear-chat-1.0" });
    expect(house.vendor.calls).toHaveLength(3);
    expect(house.vendor.callsOf("broken")).toHaveLength(0);
  });

  test.each([
    ["short", "Hello"],
    ["long", "Hello ".repeat(100_000)],
  ])(
    "is stood in for while a %s conversation is compacted, as the client wishes",
    async (_, input) => {
      const form = { model: "broken-1.0", models: ["dear-responses-1.0"], input };
      const response = await house.server.post("/responses/compact", house.key, form);
      expect(await response.json()).toMatchObject({ object: "response.compaction" });
      const receipt = await house.receipt(response.headers.get("x-request-id") ?? "");
      expect(receipt).toMatchObject({ model: "broken-1.0", served_model: "dear-responses-1.0" });
      for (const call of house.vendor.calls) expect(call.json).not.toHaveProperty("models");
    },
  );

  test("is not stood in for by the file's models where a compaction wishes for none", async () => {
    const form = { model: "modest-1.0", models: [], input: "Hello" };
    const response = await house.server.post("/responses/compact", house.key, form);
    const type = "service_unavailable_error";
    await expectError(response, { status: 503, type, code: "upstream_unavailable" });
    expect(house.vendor.callsOf("modest")).toHaveLength(house.vendor.calls.length);
  });

  test("is not stood in for when the request itself is at fault", async () => {
    house.vendor.play("broken", refusing(400));
    const body = { ...CHAT.body("broken-1.0", false, "Hello"), models: ["dear-chat-1.0"] };
    const response = await house.server.post("/chat/completions", house.key, body);
    await expectError(response, { status: 400, code: "upstream_rejected" });
    expect(house.vendor.calls).toHaveLength(1);
  });

  describe("that cannot be told what the client says", () => {
    /** Only vendors of this wire have such answers. */
    const generationConfig = { responseMimeType: "text/x.enum" };
    const ask = (model: string, other: string) => {
      const more = { generationConfig, models: [other] };
      return callAs(GEMINI, house.root, house.key, model, false, more, () => {});
    };

    test("is stood in for by one that can", async () => {
      const heard = await ask("plain-1.0", "dear-gemini-1.0");
      expect(goodText(GEMINI, heard, false)).toBe(GOOD_TEXT);
      expect(house.vendor.calls).toHaveLength(1);
      expect(await house.receipt(heard.requestId)).toMatchObject({
        served_model: "dear-gemini-1.0",
        billing_reason: "completed",
      });
    });

    test("does not stand in for one that may be well again, and this is what the client hears", async () => {
      house.vendor.play("dear-gemini", refusing(503, { "retry-after": "7" }));
      const heard = await ask("dear-gemini-1.0", "plain-1.0");
      expect([heard.status, heard.headers.get("retry-after")]).toEqual([503, "7"]);
      expect(house.vendor.calls).toHaveLength(1);
      expect((await house.receipt(heard.requestId)).billing_reason).toBe("upstream_failed");
    });
  });

  const wrong: readonly (readonly [string, unknown, JsonObject])[] = [
    ["a text", "dear-chat-1.0", { status: 400, code: "invalid_type", param: "models" }],
    ["a number inside", [5], { status: 400, code: "invalid_type", param: "models[0]" }],
    [
      "a model that is not there",
      ["dear-chat-1.0", "nobody-1.0"],
      { status: 404, code: "model_not_found", param: "models[1]" },
    ],
    [
      "too many",
      Array.from({ length: 9 }, () => "dear-chat-1.0"),
      { status: 400, code: "invalid_value", param: "models" },
    ],
  ];

  test.each(wrong)("cannot be stood in for by %s", async (_name, models, expected) => {
    for (const face of [CHAT, RESPONSES]) {
      const body = { ...face.body("broken-1.0", false, "Hello"), models };
      const path = face.path("broken-1.0", false).replace("/v1", "");
      const response = await house.server.post(path, house.key, body);
      await expectError(response, expected as { status: number; code: string });
    }
    expect(house.vendor.calls).toHaveLength(0);
  });

  test("is not stood in for by a model that the key may not call", async () => {
    const { key } = await house.server.account("1", "--models", "broken-1.0,modest-1.0");
    const entered = { ...CHAT.body("broken-1.0", false, "Hello"), models: ["dear-chat-1.0"] };
    const refused = await house.server.post("/chat/completions", key, entered);
    await expectError(refused, { status: 404, code: "model_not_found", param: "models[0]" });
    // Of the file's models, only those that it may.
    const body = CHAT.body("modest-1.0", false, "Hello");
    const response = await house.server.post("/chat/completions", key, body);
    expect(response.status).toBe(503);
    expect(house.vendor.callsOf("dear-messages")).toHaveLength(0);
  });

  test("tells of every attempt when all fail, and charges nothing", async () => {
    house.vendor.play("dear-messages", refusing(529));
    const heard = await house.call(CHAT, "modest-1.0", true);
    expect(heard.status).toBe(503);
    const receipt = await house.receipt(heard.requestId);
    expect(receipt).toMatchObject({ cost: "0.0", billing_reason: "upstream_failed", status: 503 });
    expect(receipt.attempts?.map(({ channel: id, status, code }) => [id, status, code])).toEqual([
      ["modest", 503, "upstream_unavailable"],
      ["modest", 503, "upstream_unavailable"],
      ["broken", 500, "upstream_unavailable"],
      ["dear-messages", 529, "upstream_unavailable"],
    ]);
    for (const attempt of receipt.attempts ?? []) {
      expect(attempt.started_ms).toBeNumber();
      expect(attempt.duration_ms).toBeNumber();
    }
  });

  test("and all of this leaves no trace", () => house.expectNoTrace());
});

/** The models that an answer names, each once. */
function modelsIn(text: string, stream: boolean): unknown[] {
  const objects = stream ? readEvents(text).map(({ json }) => json ?? {}) : [JSON.parse(text)];
  const named = objects.flatMap((object: JsonObject) => {
    const inner = (object.response ?? object.message ?? {}) as JsonObject;
    return [object.model, object.modelVersion, inner.model].filter((name) => name !== undefined);
  });
  return [...new Set(named)];
}

describe("when every channel fails", () => {
  const CHANNELS = ["one", "two", "three", "four", "five"];

  const parts = partsOfTest();

  async function open(settings: Record<string, string>): Promise<VendorHouse> {
    const house = await vendorHouse(parts, {
      settings: { FAREGATE_CHANNEL_ATTEMPTS_MIN: "100000", ...settings },
      file: (vendor) => ({
        channels: CHANNELS.map((id) => channel(id, vendor.url(id), "doomed-1.0")),
        models: [modelEntry("doomed-1.0")],
      }),
    });
    for (const id of CHANNELS) house.vendor.play(id, refusing(500));
    return house;
  }

  /** So many requests at once: the vendor refuses when each of them waits for it or is answered. */
  async function crowd(house: VendorHouse, requests: number): Promise<Heard[]> {
    const waiting: (() => void)[] = [];
    for (const id of CHANNELS) {
      house.vendor.play(id, async (call, reply) => {
        await new Promise<void>((resolve) => waiting.push(resolve));
        await refusing(500)(call, reply);
      });
    }
    let answered = 0;
    const calls = Array.from({ length: requests }, async () => {
      const heard = await house.call(CHAT, "doomed-1.0", false);
      answered += 1;
      return heard;
    });
    while (answered < requests) {
      await eventually("all are at the vendor", () => answered + waiting.length === requests);
      for (const refuse of waiting.splice(0)) refuse();
    }
    return Promise.all(calls);
  }

  test("one request is tried no more often than it may be", async () => {
    const house = await open({ FAREGATE_RETRIES_MAX: "3" });
    expect((await house.call(CHAT, "doomed-1.0", false)).status).toBe(503);
    // Three further channels, and the first of all once more.
    expect(house.vendor.calls).toHaveLength(5);
    expect(new Set(house.vendor.calls.map(({ path }) => path)).size).toBe(4);
    await house.expectNoTrace();
  });

  test("many at once add no more calls than the budget for retries", async () => {
    const house = await open({});
    const requests = 60;
    const first = await crowd(house, requests);
    expect(first.every(({ status }) => status === 503)).toBe(true);
    // By now nobody takes any of them to be well.
    house.vendor.calls.length = 0;
    await crowd(house, requests);
    expect(house.vendor.calls.length).toBeGreaterThanOrEqual(requests);
    // A fifth of those that wait at any time, each at most twice; without a budget, three times all.
    expect(house.vendor.calls.length).toBeLessThan(requests * 1.6);
    await house.expectNoTrace();
  });

  test("nothing is retried where there is no budget for it", async () => {
    const house = await open({
      FAREGATE_RETRY_BUDGET_MIN: "0",
      FAREGATE_RETRY_BUDGET_PERCENT: "0",
    });
    // One request finds out about three of them, and the others soon about the rest.
    for (let i = 0; i < 20; i++) await house.call(CHAT, "doomed-1.0", i % 2 === 0);
    expect(house.vendor.calls.length).toBeLessThanOrEqual(20 + CHANNELS.length);
    house.vendor.calls.length = 0;
    for (let i = 0; i < 5; i++) await house.call(CHAT, "doomed-1.0", false);
    expect(house.vendor.calls).toHaveLength(5);
    await house.expectNoTrace();
  });
});
