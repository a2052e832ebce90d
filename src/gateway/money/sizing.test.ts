import { describe, expect, test } from "bun:test";
import {
  type Model,
  type PriceVersion,
  ratesFor,
  shippedCatalogue,
} from "../../catalogue/models.ts";
import { readConfig } from "../../config/config.ts";
import type { Endpoint } from "../../protocols/wire.ts";
import { openWires } from "../../protocols/wires.ts";
import { clampFor, costOf, outputFor, type Size, size } from "./sizing.ts";

const { limits } = readConfig({});
const wires = openWires(limits);

const MESSAGES = [{ role: "user", content: "What is new?" }];

function sized(id: string, body: object, wire: Endpoint = "chat", stopsWithUs = true) {
  const model = shippedCatalogue().find(id) as Model;
  const whole = { model: id, messages: MESSAGES, ...body };
  const path = { model: id, stream: false };
  const request = wires[wire].readRequest(whole, JSON.stringify(whole), path);
  const candidates = [{ model, priced: model.prices[0] as PriceVersion }];
  const routes = { stopsWithUs: () => stopsWithUs, feeOf: () => 0n };
  const sizing = size({ limits, routes }, wires[wire], request, candidates);
  return { ...sizing, own: sizing.sizes[0] as Size };
}

describe("the worst that a request can come to", () => {
  test("is what its model can write, or what its client allows, for every choice", () => {
    expect(sized("gpt-5.4", {}).own.output).toBe(128_000);
    expect(sized("gpt-5.4", { max_tokens: 1_000_000 }).own.output).toBe(128_000);
    expect(sized("gpt-5.4", { max_tokens: 50, n: 3 }).own.output).toBe(150);
  });

  test("reads no less than the estimate", () => {
    const { own, inputTokens } = sized("gpt-5.4", {});
    expect(own.input).toBeGreaterThanOrEqual(inputTokens);
  });

  test("is at the dearest price that it can come to, though long prompts may be cheaper", () => {
    const model = shippedCatalogue().find("gpt-4.1") as Model;
    const [listed] = model.prices;
    if (!listed) throw new Error("no price");
    const body = { model: model.id, messages: MESSAGES, max_tokens: 50 };
    const request = wires.chat.readRequest(body, JSON.stringify(body));
    const routes = { stopsWithUs: () => true, feeOf: () => 0n };
    const sizeAt = (priced: PriceVersion) =>
      size({ limits, routes }, wires.chat, request, [{ model, priced }]).sizes[0] as Size;
    const plain = sizeAt(listed);
    const cheap = { ...listed.rates, input: 1n, output: 1n };
    const above = [{ promptTokens: plain.input - 1, rates: cheap }];
    const tiered = { ...listed, above };
    expect(ratesFor(tiered, plain.input)).toBe(cheap);
    expect(sizeAt(tiered)).toEqual(plain);
  });

  test("is that of the dearest model that may answer", () => {
    const models = ["gpt-5.4-nano", "gpt-5.5"].map((id) => shippedCatalogue().find(id) as Model);
    const candidates = models.map((model) => ({ model, priced: model.prices[0] as PriceVersion }));
    const body = { model: "gpt-5.4-nano", messages: MESSAGES };
    const request = wires.chat.readRequest(body, JSON.stringify(body));
    const routes = { stopsWithUs: () => true, feeOf: () => 0n };
    const { worst } = size({ limits, routes }, wires.chat, request, candidates);
    expect(worst).toBe(sized("gpt-5.5", {}).worst);
  });
});

describe("the floor", () => {
  const floorTokens = ({ own, floor }: ReturnType<typeof sized>) => outputFor(own, floor);

  test.each([
    ["a stream whose tokens are seen", "gpt-4.1", { stream: true }, true, 1_024],
    ["one whose vendor bills it to the end", "gpt-4.1", { stream: true }, false, 8_192],
    ["one of a model that thinks unseen", "gpt-5.4", { stream: true }, true, 8_192],
    ["one that thinks aloud", "deepseek-flash", { stream: true }, true, 1_024],
    ["one that was not asked to think", "claude-sonnet-5.5", { stream: true }, true, 1_024],
    ["one that was", "claude-sonnet-5.5", { stream: true, reasoning_effort: "high" }, true, 8_192],
    [
      "one that was given tokens to think",
      "claude-sonnet-4.6",
      { stream: true, reasoning: { max_tokens: 20_000 } },
      true,
      8_192,
    ],
    ["a whole answer", "gpt-4.1", {}, true, 8_192],
    ["each of several", "gpt-4.1", { n: 2 }, true, 16_384],
  ])("of %s", (_name, id, body, stopsWithUs, tokens) => {
    expect(floorTokens(sized(id, body, "chat", stopsWithUs))).toBe(tokens);
  });

  test("is no more than the worst", () => {
    const { floor, worst, least } = sized("gpt-5.4", { max_tokens: 10 });
    expect([floor, least]).toEqual([worst, worst]);
  });
});

describe("what an allowance buys", () => {
  const { own, worst, least } = sized("gpt-5.4", { n: 2 });

  test("all of it where it covers the worst", () => {
    expect(outputFor(own, worst)).toBeUndefined();
    expect(clampFor(own, worst)).toBeUndefined();
    expect(clampFor(own, worst - 1n)).toBe(127_999);
  });

  test("as much as it pays for, and never less than vendors take", () => {
    expect(costOf(own, outputFor(own, worst / 2n) ?? 0)).toBeLessThanOrEqual(worst / 2n);
    expect(clampFor(own, least)).toBe(16);
    expect(clampFor(own, 0n)).toBe(16);
  });
});

describe("searches", () => {
  const tools = [{ type: "web_search_20250305", name: "web_search" }];
  const own = (more: object = {}) =>
    sized("claude-sonnet-5.5", { max_tokens: 100, tools, ...more }, "messages").own;

  test.each([-1_000_000, 0, 1.5, "abc", null, {}])(
    "a number of them that makes no sense (%p) does not shrink the hold",
    (max_tool_calls) => {
      expect(own({ max_tool_calls })).toEqual(own());
    },
  );

  test("are four, or fewer where the client says so", () => {
    expect(own().searches).toBe(4);
    expect(own({ max_tool_calls: 50 }).searches).toBe(4);
    expect(own({ max_tool_calls: 3 }).searches).toBe(3);
    expect(own({ tools: [{ ...tools[0], max_uses: 2 }] }).searches).toBe(2);
    expect(own({ tools: [] }).searches).toBe(0);
  });

  test("may be limited by any number of tools", () => {
    const many = Array(1_000_000).fill({ ...tools[0], max_uses: 3 });
    const model = shippedCatalogue().find("claude-sonnet-5.5") as Model;
    const request = wires.messages.readRequest(
      { model: model.id, max_tokens: 100, messages: MESSAGES, tools },
      "{}",
    );
    const asked = { ...request, body: { ...request.body, tools: many } };
    const candidates = [{ model, priced: model.prices[0] as PriceVersion }];
    const wire = { ...wires.messages, inputOf: () => ({ conversation: [], tools: [] }) };
    const routes = { stopsWithUs: () => true, feeOf: () => 0n };
    const { sizes } = size({ limits, routes }, wire, asked, candidates);
    expect(sizes[0]?.searches).toBe(3);
  });

  test("have the input counted as all that the model can read, for nobody knows what is read again", () => {
    expect(own().input).toBe(1_000_000);
    expect(own({ tools: [] }).input).toBeLessThan(2_000);
  });

  test("each has a long input read once more, and what it found beside it", () => {
    const long = { messages: [{ role: "user", content: "7".repeat(600_000) }] };
    const [none, one, two] = [0, 1, 2].map((max_uses) =>
      own({ ...long, tools: [{ ...tools[0], max_uses: Math.max(1, max_uses) }] }),
    );
    expect(none?.input).toBe(one?.input as number);
    const each = (one?.input ?? 0) - 16_000;
    expect((two?.input ?? 0) - 32_000).toBe((each / 2) * 3);
  });
});

describe("what a vendor may read for a request", () => {
  const address = "https://example.com/all.pdf";
  const base64 = "A".repeat(4_000_000);
  const asMessages = (block: object) => ({
    max_tokens: 50,
    messages: [{ role: "user", content: [block] }],
  });
  const asGemini = (part: object) => ({ contents: [{ role: "user", parts: [part] }] });
  const CONTEXT = 1_000_000;

  test.each([
    [
      "a document at an address",
      "messages",
      asMessages({ type: "document", source: { type: "url", url: address } }),
    ],
    [
      "the same as what a tool returned",
      "messages",
      asMessages({
        type: "tool_result",
        tool_use_id: "call_1",
        content: [{ type: "document", source: { type: "url", url: address } }],
      }),
    ],
    [
      "a document that is called an image",
      "messages",
      asMessages({
        type: "image",
        source: { type: "base64", media_type: "application/pdf", data: base64 },
      }),
    ],
    [
      "a document at an address",
      "gemini",
      asGemini({ fileData: { mimeType: "application/pdf", fileUri: address } }),
    ],
    [
      "a document at an address",
      "chat",
      { messages: [{ role: "user", content: [{ type: "document_url", document_url: address }] }] },
    ],
    [
      "a document at an address in the place of its data",
      "chat",
      {
        messages: [
          { role: "user", content: [{ type: "file", file: { file_data: address.toUpperCase() } }] },
        ],
      },
    ],
    [
      "a text of ideographs in an address that is not base64",
      "chat",
      {
        messages: [
          {
            role: "user",
            content: [
              { type: "image_url", image_url: { url: `data:text/plain,${"字".repeat(500_000)}` } },
            ],
          },
        ],
      },
    ],
    [
      "a document at an address",
      "responses",
      { input: [{ role: "user", content: [{ type: "input_file", file_url: address }] }] },
    ],
  ] as const)("is all that the model can read with %s (%s)", (_name, wire, body) => {
    expect(sized("gemini-2.5-pro", body, wire).own.input).toBeGreaterThanOrEqual(CONTEXT);
  });

  test("has a picture at its address as a picture, on every wire and in any spelling of it", () => {
    const least = 4_200;
    const picture = "HTTPS://example.com/a.png";
    const bodies = {
      messages: asMessages({ type: "image", source: { type: "url", url: picture } }),
      gemini: asGemini({ fileData: { mimeType: "image/png", fileUri: picture } }),
      chat: {
        messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: picture } }] }],
      },
      responses: {
        input: [{ role: "user", content: [{ type: "input_image", image_url: picture }] }],
      },
    };
    for (const [wire, body] of Object.entries(bodies)) {
      const { input } = sized("gemini-2.5-pro", body, wire as Endpoint).own;
      expect(input).toBeGreaterThanOrEqual(least);
      expect(input).toBeLessThan(2 * least);
    }
  });

  /** Names of members are read by a model as its texts are. */
  const named = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`member_${i}`, {}]));
  const schema = { type: "object", properties: named };
  const tool = { type: "function", name: "f", parameters: schema };
  const input = (wire: Endpoint, body: object) => sized("claude-sonnet-5.5", body, wire).own.input;

  test("has the schema of an answer by either of the names that clients of the Messages wire have for it", () => {
    const format = { type: "json_schema", schema };
    const said = asMessages({ type: "text", text: "Fill it." });
    const older = input("messages", { ...said, output_format: format });
    expect(older).toBeGreaterThan(input("messages", { ...said, output_config: { format } }) * 0.9);
  });

  test("has tools with their names wherever they are declared", () => {
    const among = [
      { role: "user", content: "Go." },
      { type: "additional_tools", role: "developer", tools: [tool] },
    ];
    expect(input("responses", { input: among })).toBeGreaterThanOrEqual(
      input("responses", { input: "Go.", tools: [tool] }),
    );
  });

  test("has what a tool returned as the JSON that it is told as", () => {
    const result = (output: unknown) => ({
      input: [
        { type: "function_call", call_id: "call_1", name: "f", arguments: "{}" },
        { type: "function_call_output", call_id: "call_1", output },
      ],
    });
    const flags = Object.fromEntries(Object.keys(named).map((name) => [name, true]));
    const told = input("responses", result(JSON.stringify(flags)));
    expect(input("responses", result(flags))).toBeGreaterThan(told * 0.9);
  });

  test.each([[{}], [[]]])("has each %p of a list in JSON", (empty) => {
    const tools = (enumerated: unknown[]) => ({
      input: "Go.",
      tools: [{ ...tool, parameters: { enum: enumerated } }],
    });
    const many = input("responses", tools(Array(1_000).fill(empty)));
    expect(many - input("responses", tools([]))).toBeGreaterThanOrEqual(2_000);
  });

  test("has a search that is asked for by settings as one that is a tool", () => {
    const city = "Llanfairpwllgwyngyll ".repeat(500);
    const where = { type: "approximate", approximate: { city } };
    const options = { web_search_options: { user_location: where } };
    const tools = [{ type: "web_search", user_location: { type: "approximate", city } }];
    const chat = input("chat", options);
    expect(chat).toBeGreaterThanOrEqual(input("responses", { input: MESSAGES, tools }));
  });
});
