// What a model does not take is named in a header, and the answer tells what was used in its place.
import { beforeEach, describe, expect, test } from "bun:test";
import { perSuite } from "../support/houses/house.ts";
import { callAs, FACES, type Face } from "../support/samples/faces.ts";
import { type JsonObject, readEvents } from "../support/samples/wires.ts";
import { answering } from "../support/vendors/good-vendor.ts";
import type { VendorWireName } from "../support/vendors/vendor-bytes.ts";
import { MAX_OUTPUT, modelEntry, PRICE, vendorHouse } from "../support/vendors/vendor-house.ts";

const WIRES: readonly VendorWireName[] = ["responses", "chat", "messages", "gemini"];
const [RESPONSES, CHAT, MESSAGES, GEMINI] = FACES as [Face, Face, Face, Face];

/** What each face calls its maximum of output, and a body that asks for so much. */
const MAXIMA: readonly (readonly [Face, string, (max: number) => JsonObject])[] = [
  [RESPONSES, "max_output_tokens", (max) => ({ max_output_tokens: max })],
  [CHAT, "max_completion_tokens", (max) => ({ max_completion_tokens: max })],
  [MESSAGES, "max_tokens", (max) => ({ max_tokens: max })],
  [
    GEMINI,
    "generationConfig.maxOutputTokens",
    (max) => ({ generationConfig: { maxOutputTokens: max } }),
  ],
];

/** Vendors that run searches, their wires, and how many searches a request asked them for. */
const SEARCHING: readonly (readonly [string, VendorWireName, (sent: JsonObject) => unknown])[] = [
  ["openai", "responses", (sent) => sent.max_tool_calls],
  ["anthropic", "messages", (sent) => (sent.tools as JsonObject[])[0]?.max_uses],
];

/** What each face calls its maximum of searches, and a body that asks for so many. */
const SEARCHES: readonly (readonly [Face, string, (max: number) => JsonObject])[] = [
  [
    RESPONSES,
    "max_tool_calls",
    (max) => ({ tools: [{ type: "web_search" }], max_tool_calls: max }),
  ],
  [CHAT, "max_tool_calls", (max) => ({ web_search_options: {}, max_tool_calls: max })],
  [
    MESSAGES,
    "tools.max_uses",
    (max) => ({ tools: [{ type: "web_search_20250305", name: "web_search", max_uses: max }] }),
  ],
];

describe("a request", () => {
  const house = perSuite((parts) =>
    vendorHouse(parts, {
      file: (vendor) => ({
        channels: [
          ...WIRES.map((wire) => ({
            id: wire,
            vendor: "custom",
            base_url: vendor.url(wire),
            protocols: [wire],
            models: { [`${wire}-1.0`]: "vendor-name" },
          })),
          {
            id: "both",
            vendor: "custom",
            base_url: vendor.url("both"),
            protocols: ["responses", "chat"],
            models: { "both-1.0": "vendor-name" },
          },
          ...SEARCHING.map(([id]) => ({
            id,
            vendor: id,
            base_url: vendor.url(id),
            keys: ["a-key-of-tests"],
            models: { [`${id}-1.0`]: "vendor-name" },
          })),
        ],
        models: [
          ...[...WIRES, "both"].map((id) => modelEntry(`${id}-1.0`)),
          ...SEARCHING.map(([id]) =>
            modelEntry(`${id}-1.0`, { price: { ...PRICE, web_search_per_thousand: "10" } }),
          ),
        ],
      }),
    }),
  );
  beforeEach(() => {
    house.vendor.calls.length = 0;
    for (const wire of WIRES) house.vendor.play(wire, answering(wire));
  });

  async function ask(face: Face, model: string, stream: boolean, more: JsonObject) {
    const heard = await callAs(face, house.root, house.key, model, stream, more, () => {});
    expect([heard.status, heard.status === 200 ? "" : heard.text]).toEqual([200, ""]);
    const sent = house.vendor.calls.at(-1);
    return { ...heard, dropped: heard.headers.get("x-faregate-dropped"), sent };
  }

  test.each([false, true])("with a temperature above the model's, stream %p", async (stream) => {
    const more = { temperature: 1.7 };
    const { dropped, sent, text } = await ask(RESPONSES, "messages-1.0", stream, more);
    expect([sent?.json.temperature, dropped]).toEqual([1, "temperature"]);
    const objects = stream
      ? readEvents(text).flatMap(({ json }) =>
          json?.response ? [json.response as JsonObject] : [],
        )
      : [JSON.parse(text) as JsonObject];
    expect(objects.length).toBeGreaterThan(0);
    for (const { temperature } of objects) expect(temperature).toBe(1);
  });

  test("kept for later is kept with what was used", async () => {
    const { text } = await ask(RESPONSES, "messages-1.0", false, { temperature: 1.7 });
    const { id } = JSON.parse(text) as { id: string };
    const kept = await house.server.fetch(`/responses/${id}`, house.key);
    expect(await kept.json()).toMatchObject({ id, temperature: 1 });
  });

  /** More output than the model can write. */
  function maximum(face: Face): JsonObject {
    return MAXIMA.find(([each]) => each === face)?.[2](MAX_OUTPUT + 1) ?? {};
  }

  const pairs = MAXIMA.flatMap(([face, name, more]) =>
    WIRES.flatMap((wire) =>
      [false, true].map((stream) => [face.name, wire, stream, name, face, more] as const),
    ),
  );
  test.each(pairs)(
    "for more than the model can write, %s to %s, stream %p",
    async (_face, wire, stream, name, face, more) => {
      const over = await ask(face, `${wire}-1.0`, stream, more(MAX_OUTPUT + 1));
      expect(over.headers.get("x-faregate-clamped")).toBe(String(MAX_OUTPUT));
      expect(over.dropped ?? "").not.toContain(name);
      const within = await ask(face, `${wire}-1.0`, stream, more(MAX_OUTPUT));
      expect(within.headers.get("x-faregate-clamped")).toBeNull();
      expect(within.dropped ?? "").not.toContain(name);
    },
  );

  test.each(
    SEARCHES.flatMap(([face, name, more]) =>
      SEARCHING.map(([id, wire, told]) => [face.name, id, wire, name, face, more, told] as const),
    ),
  )("for more searches than are allowed, %s to %s", async (...row) => {
    const [, id, wire, name, face, more, told] = row;
    house.vendor.play(id, answering(wire));
    for (const stream of [false, true]) {
      const over = await ask(face, `${id}-1.0`, stream, more(50));
      expect(told(over.sent?.json as JsonObject)).toBe(4);
      expect([over.headers.get("x-faregate-clamped"), over.dropped]).toEqual([`${name}=4`, null]);
    }
    const both = await ask(face, `${id}-1.0`, false, { ...more(50), ...maximum(face) });
    expect(both.headers.get("x-faregate-clamped")).toBe(`${MAX_OUTPUT}, ${name}=4`);
    const within = await ask(face, `${id}-1.0`, false, more(4));
    expect(told(within.sent?.json as JsonObject)).toBe(4);
    expect([within.headers.get("x-faregate-clamped"), within.dropped]).toEqual([null, null]);
  });

  test("for less than a wire's vendors write takes another wire", async () => {
    house.vendor.play("both", answering("chat"));
    const { sent, text } = await ask(RESPONSES, "both-1.0", false, { max_output_tokens: 5 });
    expect(sent?.path).toEndWith("/chat/completions");
    expect(sent?.json.max_completion_tokens ?? sent?.json.max_tokens).toBe(5);
    expect(JSON.parse(text)).toMatchObject({ object: "response", max_output_tokens: 5 });
    house.vendor.play("both", answering("responses"));
    const other = await ask(RESPONSES, "both-1.0", false, { max_output_tokens: 16 });
    expect(other.sent?.path).toEndWith("/responses");
  });

  test("for less than the only wire's vendors write gets their least, and hears so", async () => {
    const { dropped, sent } = await ask(CHAT, "responses-1.0", false, { max_tokens: 5 });
    expect([sent?.json.max_output_tokens, dropped]).toEqual([16, "max_output_tokens"]);
  });
});
