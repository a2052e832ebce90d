// Which models of a vendor are served at all, and what a request loses on the way to one.
import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { expectError } from "../support/errors.ts";
import { Parts, perFile } from "../support/houses/house.ts";
import { FACES, type Face, goodText } from "../support/samples/faces.ts";
import type { JsonObject } from "../support/samples/wires.ts";
import { answering, GOOD_TEXT } from "../support/vendors/good-vendor.ts";
import type { VendorWireName } from "../support/vendors/vendor-bytes.ts";
import { modelEntry, vendorHouse } from "../support/vendors/vendor-house.ts";
import { eventually } from "../support/waiting.ts";

const [RESPONSES, CHAT] = FACES as [Face, Face, ...Face[]];
const LIST = {
  object: "list",
  data: [
    { id: "priced-here", object: "model" },
    { id: "priced-1.0", object: "model" },
    { id: "unknown-7b", object: "model" },
    { id: "gpt-6-luna", object: "model" },
  ],
};

const COMING_PRICE = { input: "1", output: "1", effective_from: "2099-01-01" };

const house = await perFile((parts) =>
  vendorHouse(parts, {
    slots: 6,
    file(vendor) {
      vendor.lists.set("fetching", () => LIST);
      vendor.play("fetching", answering("chat"));
      vendor.play("naming", answering("chat"));
      return {
        channels: [
          { id: "fetching", vendor: "custom", base_url: vendor.url("fetching"), models: "fetch" },
          {
            id: "naming",
            vendor: "custom",
            base_url: vendor.url("naming"),
            models: { "named-1.0": "anything", "coming-1.0": "anything" },
          },
        ],
        models: [
          modelEntry("renamed-1.0", { upstream: { fetching: "priced-here" } }),
          modelEntry("priced-1.0"),
          modelEntry("absent-1.0", { upstream: { fetching: "not-listed" } }),
          modelEntry("named-1.0"),
          modelEntry("coming-1.0", { price: COMING_PRICE }),
        ],
      };
    },
  }),
);
beforeEach(() => {
  house.vendor.calls.length = 0;
});

async function listed(): Promise<string[]> {
  const body = (await (await house.server.fetch("/models", house.key)).json()) as JsonObject;
  return (body.data as { id: string }[]).map(({ id }) => id);
}

async function ask(model: string, more: JsonObject = {}): Promise<Response> {
  const body = { ...CHAT.body(model, false, "Hello"), ...more };
  return house.server.post("/chat/completions", house.key, body);
}

describe("a vendor that is asked for its list", () => {
  beforeAll(async () => {
    await eventually("the list is there", async () => {
      const ids = await listed();
      return ids.includes("gpt-6-luna") && !ids.includes("absent-1.0");
    });
  });

  test.each([
    ["renamed-1.0", "priced-here"],
    ["priced-1.0", "priced-1.0"],
    ["gpt-6-luna", "gpt-6-luna"],
  ])("serves %s, which has a price", async (id, name) => {
    expect(await listed()).toContain(id);
    const response = await ask(id);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ model: id });
    expect(house.vendor.calls[0]?.json.model).toBe(name);
  });

  test.each(["unknown-7b", "priced-here", "absent-1.0"])("does not serve %s", async (id) => {
    expect(await listed()).not.toContain(id);
    await expectError(await ask(id), { status: 404, code: "model_not_found", param: "model" });
    expect(house.vendor.calls).toHaveLength(0);
  });
});

describe("a channel that names its models", () => {
  test("serves those and no others", async () => {
    expect((await ask("named-1.0")).status).toBe(200);
    expect(house.vendor.callsOf("naming")).toHaveLength(1);
    const response = await ask("anything");
    await expectError(response, { status: 404, code: "model_not_found", param: "model" });
    expect(house.vendor.callsOf("naming")).toHaveLength(1);
  });

  test("cannot name one without a price", async () => {
    const channel = {
      id: "x",
      vendor: "custom",
      base_url: "http://127.0.0.1:1",
      models: ["m-1.0"],
    };
    await using parts = new Parts();
    const opened = vendorHouse(parts, { file: () => ({ channels: [channel] }) });
    expect(opened).rejects.toThrow(/names "m-1.0", a model without a price/);
    await opened.catch(() => {});
  });

  test("cannot have one that the file leaves without a price", async () => {
    const { price: _price, ...unpriced } = modelEntry("m-1.0");
    await using parts = new Parts();
    const opened = vendorHouse(parts, { file: () => ({ models: [unpriced] }) });
    expect(opened).rejects.toThrow(/price/);
    await opened.catch(() => {});
  });

  test("leaves no sandbox in the list", async () => {
    expect((await listed()).filter((id) => id.startsWith("sandbox"))).toEqual([]);
  });
});

describe("a single model", () => {
  const shown = (id: string) => house.server.fetch(`/models/${id}`, house.key);
  const gone = { status: 404, code: "model_not_found", param: "model" };

  test("is shown where it is listed", async () => {
    expect(await listed()).toContain("named-1.0");
    expect(await (await shown("named-1.0")).json()).toMatchObject({ id: "named-1.0" });
  });

  test("is not there before its price is", async () => {
    expect(await listed()).not.toContain("coming-1.0");
    await expectError(await ask("coming-1.0"), gone);
    await expectError(await shown("coming-1.0"), gone);
  });
});

describe("what a route cannot express", () => {
  interface Loss {
    readonly face: Face;
    readonly vendor: VendorWireName;
    readonly more: JsonObject;
    readonly dropped: string | null;
    /** Members of the vendor's request that must not be there. */
    readonly gone?: readonly string[];
  }

  const losses: readonly (readonly [string, Loss])[] = [
    ["nothing", { face: CHAT, vendor: "messages", more: {}, dropped: null }],
    ["nothing of its own wire", { face: CHAT, vendor: "chat", more: { seed: 5 }, dropped: null }],
    [
      "the seed and the penalties of chat to messages",
      {
        face: CHAT,
        vendor: "messages",
        more: { seed: 5, presence_penalty: 0.5, logit_bias: { 1: 2 } },
        dropped: "logit_bias, presence_penalty, seed",
        gone: ["seed", "presence_penalty", "logit_bias"],
      },
    ],
    [
      "the verbosity of responses to gemini",
      {
        face: RESPONSES,
        vendor: "gemini",
        more: { text: { verbosity: "low" }, parallel_tool_calls: false },
        dropped: "parallel_tool_calls, verbosity",
      },
    ],
    [
      "a service tier without a price",
      {
        face: CHAT,
        vendor: "chat",
        more: { service_tier: "priority" },
        dropped: "service_tier",
        gone: ["service_tier"],
      },
    ],
    [
      "a hosted tool without a price",
      {
        face: RESPONSES,
        vendor: "responses",
        more: { tools: [{ type: "code_interpreter", container: { type: "auto" } }] },
        dropped: "tools[0]",
        gone: ["tools"],
      },
    ],
    [
      "a search where nobody runs one",
      {
        face: RESPONSES,
        vendor: "chat",
        more: { tools: [{ type: "web_search" }] },
        dropped: "tools.web_search",
        gone: ["tools"],
      },
    ],
  ];

  test.each(losses)("is named in a header: %s", async (_name, loss) => {
    const { face, vendor, more, dropped, gone = [] } = loss;
    for (const stream of [false, true]) {
      house.vendor.calls.length = 0;
      const slot = { part: `${vendor}-0`, model: `${vendor}-model-0` };
      house.vendor.play(slot.part, answering(vendor));
      const body = { ...face.body(slot.model, stream, "Hello"), ...more };
      const path = face.path(slot.model, stream).replace("/v1", "");
      const response = await house.server.post(path, house.key, body);
      const text = await response.text();
      const heard = { status: response.status, headers: response.headers, text, requestId: "" };
      expect(goodText(face, heard, stream)).toBe(GOOD_TEXT);
      const header = response.headers.get("x-faregate-dropped");
      const names = header?.split(", ").toSorted().join(", ") ?? null;
      expect(names).toBe(dropped);
      for (const name of gone) expect(house.vendor.calls[0]?.json).not.toHaveProperty(name);
    }
  });

  test.each(["messages", "gemini"] as const)(
    "is refused where the answer would lack it: choices of %s",
    async (vendor) => {
      house.vendor.play(`${vendor}-0`, answering(vendor));
      const response = await ask(`${vendor}-model-0`, { n: 2 });
      const id = response.headers.get("x-request-id") ?? "";
      await expectError(response, { status: 400, code: "unsupported_parameter", param: "n" });
      expect(house.vendor.calls).toHaveLength(0);
      expect(await house.receipt(id)).toMatchObject({ status: 400, cost: "0.0" });
    },
  );
});

describe("members of OpenRouter and LiteLLM", () => {
  const models = ["chat", "responses", "messages", "gemini"].map((vendor) => `${vendor}-model-0`);
  const pairs = FACES.flatMap((face) =>
    models.map((model) => [face.path("m", false), model, face] as const),
  );
  const post = (face: Face, model: string, more: JsonObject) => {
    house.vendor.play(
      model.replace("-model", ""),
      answering(model.split("-")[0] as VendorWireName),
    );
    const body = { ...face.body(model, false, "Hello"), ...more };
    return house.server.post(face.path(model, false).replace("/v1", ""), house.key, body);
  };

  test.each(pairs)("on %s a choice of provider is refused for %s", async (_, model, face) => {
    const response = await post(face, model, { provider: { data_collection: "deny" } });
    const id = response.headers.get("x-request-id") ?? "";
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("The gateway chooses the vendor; leave it out");
    expect(house.vendor.calls).toHaveLength(0);
    expect(await house.receipt(id)).toMatchObject({ status: 400, cost: "0.0" });
  });

  test.each(pairs)(
    "on %s a provider that asks for nothing passes to %s",
    async (_, model, face) => {
      const response = await post(face, model, { provider: {} });
      expect([response.status, response.headers.get("x-faregate-dropped")]).toEqual([200, null]);
    },
  );

  test.each([CHAT, RESPONSES])(
    "the first of 'models' is asked without 'model': %#",
    async (face) => {
      const [model = ""] = models;
      const { model: _, ...body } = face.body(model, false, "Hello") as JsonObject;
      house.vendor.play("chat-0", answering("chat"));
      const path = face.path(model, false).replace("/v1", "");
      const named = { ...body, models: [model, "responses-model-0"] };
      const response = await house.server.post(path, house.key, named);
      expect(response.status).toBe(200);
      expect(((await response.json()) as JsonObject).model).toBe(model);
      expect(house.vendor.calls[0]?.json).not.toHaveProperty("models");
      const none = await house.server.post(path, house.key, { ...body, models: [] });
      await expectError(none, { status: 400, code: "missing_required_parameter", param: "model" });
      const odd = await house.server.post(path, house.key, { ...body, models: [5] });
      expect(odd.status).toBe(400);
    },
  );

  test.each([
    [CHAT, "chat-model-0"],
    [CHAT, "responses-model-0"],
    [RESPONSES, "responses-model-0"],
    [RESPONSES, "messages-model-0"],
  ] as const)("tags pass in metadata, and no vendor is told them: %#", async (face, model) => {
    const response = await post(face, model, { metadata: { tags: ["a", "b"], team: "c" } });
    expect([response.status, response.headers.get("x-faregate-dropped")]).toEqual([200, null]);
    expect(JSON.stringify(house.vendor.calls[0]?.json)).not.toContain("tags");
    const odd = await post(face, model, { metadata: { tags: ["a", 1] } });
    await expectError(odd, { status: 400, code: "invalid_type", param: "metadata.tags" });
  });

  test.each([CHAT, RESPONSES])(
    "a tier of service that nobody knows is refused: %#",
    async (face) => {
      for (const service_tier of ["auto", "default", null, undefined]) {
        const response = await post(face, "chat-model-0", { service_tier });
        expect([response.status, response.headers.get("x-faregate-dropped")]).toEqual([200, null]);
      }
      house.vendor.calls.length = 0;
      const odd = await post(face, "chat-model-0", { service_tier: "turbo" });
      await expectError(odd, { status: 400, code: "invalid_value", param: "service_tier" });
      expect(house.vendor.calls).toHaveLength(0);
    },
  );

  test("a maximum above what the model can write is clamped, and nothing is called dropped", async () => {
    const response = await post(CHAT, "chat-model-0", { max_tokens: 10_000_000 });
    const sent = house.vendor.calls[0]?.json as JsonObject;
    const told = response.headers.get("x-faregate-clamped");
    expect(told).toBe(String(sent.max_completion_tokens ?? sent.max_tokens));
    expect(response.headers.get("x-faregate-dropped")).toBeNull();
  });
});

test("all of this leaves no trace", () => house.expectNoTrace());
