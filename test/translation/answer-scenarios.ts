import { expect } from "bun:test";
import { blackPng } from "../conformance/png.ts";
import type { JsonObject } from "../support/samples/wires.ts";
import type { Client, ReportedUsage } from "./client.ts";
import { askPair, type Cell, isOfficial, isTranslated, prompt, type Scenario } from "./scenario.ts";
import {
  ANSWER_JSON,
  ANSWER_SCHEMA,
  COUNTS,
  CUT_TEXT,
  cue,
  REFUSAL,
  STOP,
  STOPPED_TEXT,
  TEXT,
  type WireName,
} from "./scenes.ts";

export const PNG = `data:image/png;base64,${Buffer.from(blackPng(32, 24)).toString("base64")}`;
const PDF = `data:application/pdf;base64,${Buffer.from("%PDF-1.4\n%%EOF\n").toString("base64")}`;
const ADDRESS = "https://example.org/fox.png";
const SYSTEM = "Answer in one word; never in two.";
const MAX_OUTPUT = 64;

/** The vendor's counts, as far as its wire has them and the client shows them. */
function countsFor(client: Client, vendor: WireName): Partial<ReportedUsage> {
  const told = { ...COUNTS, ...(vendor === "gemini" ? { cacheWrite: 0 } : {}) };
  return Object.fromEntries(client.buckets.map((bucket) => [bucket, told[bucket]]));
}

function chargedFor(vendor: WireName): JsonObject {
  const cache_write_tokens = vendor === "gemini" ? 0 : COUNTS.cacheWrite;
  return {
    fresh_input_tokens: COUNTS.input - COUNTS.cached - cache_write_tokens,
    cache_read_tokens: COUNTS.cached,
    cache_write_tokens,
    output_tokens: COUNTS.output,
    reasoning_tokens: COUNTS.reasoning,
    clamped: false,
  };
}

const text: Scenario = {
  name: "text, instructions and usage",
  async run(cell) {
    const pieces: string[] = [];
    const onText = (piece: string) => pieces.push(piece);
    const { told, seen } = await askPair(cell, [prompt("text")], { system: SYSTEM, onText });
    expect(seen).toMatchObject({ system: [SYSTEM], said: [], tools: [], calls: [], states: [] });
    expect(seen.asked.join("")).toEndWith(cue("text"));
    expect(told).toMatchObject({ text: TEXT, refusal: "", calls: [], finish: "done" });
    expect(told.usage).toMatchObject(countsFor(cell.client, cell.vendor));
    expect(told.headers.dropped).toBe("");
    // Whatever the client's wire has no words for is charged all the same.
    const { usage, billing_reason } = await cell.house.receipt(told);
    expect(usage).toMatchObject(chargedFor(cell.vendor));
    expect(billing_reason).toBe("completed");
    if (cell.stream) expect(pieces.join("")).toBe(TEXT);
  },
};

const severalTurns: Scenario = {
  name: "a second turn",
  async run(cell) {
    const first = prompt("text");
    const { told } = await askPair(cell, [first]);
    const turns = [first, { kind: "answer", answer: told } as const, prompt("limit")];
    const { seen } = await askPair(cell, turns);
    expect(seen.said.join("")).toBe(TEXT);
    expect(seen.asked).toHaveLength(2);
  },
};

const image: Scenario = {
  name: "image",
  async run(cell) {
    const { told, seen } = await askPair(cell, [prompt("text", { image: PNG })]);
    expect(seen.images).toEqual([PNG]);
    expect(told.text).toBe(TEXT);
  },
};

const imageAddress: Scenario = {
  name: "image by its address",
  fits: ({ client }) => client.abilities.includes("image address"),
  async run(cell) {
    const turns = [prompt("text", { image: ADDRESS })];
    if (cell.vendor === "gemini") {
      // This vendor fetches nothing, and without the image the answer would be another.
      await expectRefused(cell, turns, /data:/);
      return;
    }
    const { seen } = await askPair(cell, turns);
    expect(seen.images).toEqual([ADDRESS]);
  },
};

const file: Scenario = {
  name: "file",
  async run(cell) {
    const { told, seen } = await askPair(cell, [prompt("text", { pdf: PDF })]);
    expect(seen.files).toEqual([PDF]);
    expect(told.text).toBe(TEXT);
  },
};

const schema: Scenario = {
  name: "JSON schema",
  async run(cell) {
    const { told, seen } = await askPair(cell, [prompt("schema")], { schema: ANSWER_SCHEMA });
    // One client writes schemas in a form that cannot close an object.
    const { additionalProperties: _, ...open } = ANSWER_SCHEMA;
    expect(seen.schema).toMatchObject(isOfficial(cell) ? ANSWER_SCHEMA : open);
    expect(JSON.parse(told.text)).toEqual(ANSWER_JSON);
  },
};

const limit: Scenario = {
  name: "token limit",
  async run(cell) {
    const { told, seen } = await askPair(cell, [prompt("limit")], { maxOutput: MAX_OUTPUT });
    expect(seen.maxOutput).toBe(MAX_OUTPUT);
    expect(told).toMatchObject({ text: CUT_TEXT, finish: "limit" });
  },
};

/** Clients without a word for refusals get its text as text. */
function readsRefusalAs({ client }: Pick<Cell, "client">): "refusal" | "text" {
  return client.abilities.includes("refusal") ? "refusal" : "text";
}

const refusal: Scenario = {
  name: "refusal",
  // Vendors of the other two wires only stop, which is told below. Of the clients that know refusals
  // the AI SDK's drop them, unless another wire's refusal is told to them as text.
  fits: ({ client, vendor }) =>
    (vendor === "responses" || vendor === "chat") &&
    (isOfficial({ client }) || (client.wire !== "chat" && isTranslated({ client, vendor }))),
  async run(cell) {
    const settings = isOfficial(cell) ? { schema: ANSWER_SCHEMA } : {};
    const { told } = await askPair(cell, [prompt("refusal")], settings);
    const expected = { text: "", refusal: "", [readsRefusalAs(cell)]: REFUSAL };
    expect(told).toMatchObject({ ...expected, finish: "done" });
  },
};

const safetyStop: Scenario = {
  name: "safety stop",
  async run(cell) {
    const { told } = await askPair(cell, [prompt("safety-stop")]);
    expect(told).toMatchObject({ text: "", calls: [], finish: "safety" });
  },
};

const stop: Scenario = {
  name: "stop sequence",
  fits: ({ client }) => client.abilities.includes("stop"),
  async run(cell) {
    const { client, vendor } = cell;
    if (vendor === "responses") {
      // Without it the answer would go on where the client wants it to end.
      const settings = { stop: STOP };
      await expectRefused(cell, [prompt("stop")], /stop/, settings);
      return;
    }
    const { told, seen } = await askPair(cell, [prompt("stop")], { stop: STOP });
    expect(seen.stop).toEqual([STOP]);
    expect(told).toMatchObject({ text: STOPPED_TEXT, finish: "done" });
    const isTold = client.wire === "messages" && vendor === "messages" && isOfficial(cell);
    expect(told.stopSequence).toBe(isTold ? STOP : undefined);
  },
};

/** The gateway refuses: the client hears of it as of a request of its own that is wrong. */
async function expectRefused(
  { house, client, vendor, stream }: Cell,
  turns: readonly ReturnType<typeof prompt>[],
  words: RegExp,
  settings: { readonly stop?: string } = {},
): Promise<void> {
  const before = house.vendor.requests.length;
  const ask = { model: `pair-${vendor}-1.0`, stream, turns, ...settings };
  const fault = await house.askInVain(client, ask);
  expect(fault.status).toBe(400);
  expect(fault.message).toMatch(words);
  expect(house.vendor.requests).toHaveLength(before);
}

export const ANSWER_SCENARIOS: readonly Scenario[] = [
  text,
  severalTurns,
  image,
  imageAddress,
  file,
  schema,
  limit,
  refusal,
  safetyStop,
  stop,
];
