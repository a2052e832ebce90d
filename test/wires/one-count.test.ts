// One text has one count of input tokens: whichever wire asks, estimates, or is charged without a vendor's count.
import { expect, test } from "bun:test";
import { perFile } from "../support/houses/house.ts";
import type { JsonObject } from "../support/samples/wires.ts";
import { GOOD_COUNTS, GOOD_TEXT } from "../support/vendors/good-vendor.ts";
import { VENDOR_WIRES } from "../support/vendors/vendor-bytes.ts";
import { modelEntry, vendorHouse } from "../support/vendors/vendor-house.ts";

const MODEL = "fox-1.0";
const house = await perFile((parts) =>
  vendorHouse(parts, {
    file: (vendor) => ({
      channels: [
        {
          ...{ id: "fox", vendor: "custom", base_url: vendor.url("fox"), protocols: ["chat"] },
          models: [MODEL],
        },
      ],
      models: [modelEntry(MODEL)],
    }),
  }),
);

interface Said {
  readonly system?: string;
  readonly turns: readonly (readonly ["user" | "assistant", string])[];
}

const CONVERSATIONS: readonly (readonly [string, Said])[] = [
  ["one letter", { turns: [["user", "x"]] }],
  ["a sentence", { turns: [["user", "The quick brown fox jumps over the lazy dog."]] }],
  ["Chinese", { turns: [["user", "你好，世界。今天天气很好。"]] }],
  ["a system prompt", { system: "Be brief and polite.", turns: [["user", "Say hello."]] }],
  [
    "several turns",
    {
      system: "Be brief.",
      turns: [
        ["user", "Say hello."],
        ["assistant", "Hello, dear friend."],
        ["user", "Once more, in 日本語."],
      ],
    },
  ],
];

const messagesOf = ({ turns }: Said) => turns.map(([role, content]) => ({ role, content }));
const withSystem = (said: Said) => [
  ...(said.system === undefined ? [] : [{ role: "system", content: said.system }]),
  ...messagesOf(said),
];

/** The body of each wire for a conversation, with the path that counts it and the path that it is called by. */
function asked(said: Said) {
  const { system, turns } = said;
  const messages = messagesOf(said);
  const blocks = (text: string) => [{ type: "text", text }];
  const contents = turns.map(([role, text]) => ({
    role: role === "user" ? "user" : "model",
    parts: [{ text }],
  }));
  const [first] = turns;
  const isLone = turns.length === 1 && first !== undefined;
  const gemini = {
    contents,
    ...(system !== undefined && { systemInstruction: { parts: [{ text: system }] } }),
  };
  const bodies: Record<string, JsonObject> = {
    chat: { model: MODEL, messages: withSystem(said) },
    "chat in parts": {
      model: MODEL,
      messages: withSystem(said).map(({ role, content }) => ({ role, content: blocks(content) })),
    },
    responses: {
      model: MODEL,
      input: isLone ? first[1] : messages,
      ...(system !== undefined && { instructions: system }),
    },
    "responses in items": { model: MODEL, input: withSystem(said) },
    messages: { model: MODEL, messages, ...(system !== undefined && { system }) },
    "messages in blocks": {
      model: MODEL,
      messages: messages.map(({ role, content }) => ({ role, content: blocks(content) })),
      ...(system !== undefined && { system: blocks(system) }),
    },
    gemini,
  };
  return bodies;
}

/** The one number that an answer has, whatever it is called there. */
async function counted(path: string, body: JsonObject): Promise<number> {
  const response = await fetch(house.root + path, {
    method: "POST",
    headers: { authorization: `Bearer ${house.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as JsonObject;
  expect([path, response.status]).toEqual([path, 200]);
  return Number(answer.input_tokens ?? answer.totalTokens);
}

function counterOf(wire: string): string {
  if (wire.startsWith("messages")) return "/v1/messages/count_tokens";
  if (wire.startsWith("gemini")) return `/v1beta/models/${MODEL}:countTokens`;
  return wire.startsWith("chat") ? "/v1/estimate" : "/v1/responses/input_tokens";
}

/** What a call of the same conversation is charged for as input, where its vendor counts nothing. */
async function charged(wire: string, body: JsonObject): Promise<number> {
  house.vendor.play("fox", (_call, reply) => {
    const { usage: _, ...uncounted } = VENDOR_WIRES.chat.whole(
      GOOD_TEXT,
      GOOD_COUNTS,
    ) as JsonObject;
    reply.whole(200, JSON.stringify(uncounted));
  });
  const path = wire.startsWith("messages")
    ? "/v1/messages"
    : wire.startsWith("gemini")
      ? `/v1beta/models/${MODEL}:generateContent`
      : wire.startsWith("chat")
        ? "/v1/chat/completions"
        : "/v1/responses";
  const more = wire.startsWith("messages") ? { max_tokens: 100 } : {};
  const response = await fetch(house.root + path, {
    method: "POST",
    headers: { authorization: `Bearer ${house.key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...body, ...more }),
  });
  await response.text();
  expect([path, response.status]).toEqual([path, 200]);
  const receipt = await house.receipt(response.headers.get("x-request-id") ?? "");
  expect(receipt.usage).toMatchObject({ source: "estimated" });
  return Number(receipt.usage.input_tokens);
}

test.each(CONVERSATIONS)("%s has the same count everywhere", async (_, said) => {
  const counts: [string, number][] = [];
  const bodies = asked(said);
  for (const [wire, body] of Object.entries(bodies)) {
    counts.push([`${wire} counted`, await counted(counterOf(wire), body)]);
    counts.push([`${wire} charged`, await charged(wire, body)]);
  }
  counts.push(["responses estimated", await counted("/v1/estimate", bodies.responses ?? {})]);
  const [[, first] = ["", 0]] = counts;
  expect(first).toBeGreaterThan(0);
  expect(counts).toEqual(counts.map(([where]) => [where, first]));
});

test("all of this leaves no trace", () => house.expectNoTrace());
