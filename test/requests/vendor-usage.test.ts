// What an answer costs whose vendor says something of its usage that cannot be true, on every wire.
import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { nano } from "../support/books.ts";
import { SocketClient } from "../support/clients/socket-client.ts";
import { count } from "../support/counts.ts";
import { covering } from "../support/covering.ts";
import { perSuite } from "../support/houses/house.ts";
import { callAs, FACES, type Face, goodText } from "../support/samples/faces.ts";
import type { JsonObject } from "../support/samples/wires.ts";
import {
  VENDOR_WIRES,
  type VendorWire,
  type VendorWireName,
} from "../support/vendors/vendor-bytes.ts";
import {
  CONTEXT,
  INPUT_NANO,
  MAX_OUTPUT,
  OUTPUT_NANO,
  type Receipt,
  vendorHouse,
} from "../support/vendors/vendor-house.ts";
import { COUNTS, TEXT } from "../support/vendors/vendor-play.ts";
import { inWordsOf, saying } from "../support/vendors/vendor-usage.ts";
import { eventually } from "../support/waiting.ts";

/** How a client of each wire says how much may be written. */
const atMost = (tokens: number): Readonly<Record<VendorWireName, JsonObject>> => ({
  chat: { max_completion_tokens: tokens },
  responses: { max_output_tokens: tokens },
  messages: { max_tokens: tokens },
  gemini: { generationConfig: { maxOutputTokens: tokens } },
});

/** The vendor's own counts where it says them well, and what the gateway would guess. */
const GUESS = { input: 9, output: 9 };
const { input, output } = COUNTS;
const FAR = 1e12;

interface Said {
  readonly name: string;
  readonly usage: (wire: VendorWireName) => unknown;
  /** What of it the receipt takes; what is left out here is estimated. */
  readonly taken?: { readonly input?: number; readonly output?: number };
  readonly clamped?: boolean;
}

const words =
  (counts: Parameters<typeof inWordsOf>[1]): Said["usage"] =>
  (wire) =>
    inWordsOf(wire, counts);

const UNTRUE: readonly Said[] = [
  { name: "nothing in an object", usage: () => ({}) },
  { name: "nulls", usage: words({ input: null, output: null, total: null }) },
  { name: "zeros", usage: words({ input: 0, output: 0, total: 0 }) },
  { name: "texts", usage: words({ input: "11", output: "7", total: "18" }), clamped: true },
  { name: "parts of tokens", usage: words({ input: 11.5, output: 7.5 }), clamped: true },
  { name: "less than nothing", usage: words({ input: -11, output: -7 }), clamped: true },
  { name: "more than can be", usage: words({ input: FAR, output: FAR }), clamped: true },
  { name: "an empty list", usage: () => [] },
  { name: "its input alone", usage: words({ input }), taken: { input } },
  { name: "its output alone", usage: words({ output }), taken: { output } },
  { name: "no output", usage: words({ input, output: 0 }), taken: { input } },
  { name: "no input", usage: words({ input: 0, output }), taken: { output } },
  {
    name: "its input, and too much output",
    usage: words({ input, output: FAR }),
    taken: { input },
    clamped: true,
  },
  {
    name: "too much input, and its output",
    usage: words({ input: CONTEXT + 1, output }),
    taken: { output },
    clamped: true,
  },
];

interface Case {
  readonly wire: VendorWire;
  readonly face: Face;
  readonly stream: boolean;
}

const faceOf = (wire: VendorWireName) => FACES.find(({ name }) => name === wire) as Face;

/** A client of the vendor's own wire, and one of the next. */
const CASES = Object.values(VENDOR_WIRES).flatMap((wire, i, wires) =>
  [wire, wires[(i + 1) % wires.length] as VendorWire].flatMap(({ name }) =>
    [false, true].map((stream) => {
      const how = stream ? "stream" : "whole answer";
      const each: Case = { wire, face: faceOf(name), stream };
      return [`${wire.name} vendor, ${name} client, ${how}`, each] as const;
    }),
  ),
);

/** What is not true, by way of vendors of every wire, whole and streamed, as it is and translated. */
const TOLD = covering(
  CASES.flatMap(([, each]) => UNTRUE.map((said) => ({ each, said }))),
  ({ each: { wire, face, stream }, said }) => [
    said.name,
    wire.name,
    `${stream ? "stream" : "whole"}, ${face.name === wire.name ? "as it is" : "translated"}`,
  ],
);

const RANDOM_USAGES = count(2, 6);
/** Of each wire: four ways for all but the last two, and those. */
const SLOTS = (UNTRUE.length + RANDOM_USAGES + 3) * 4 + 6 + 6 + 2;

const house = perSuite((parts) => vendorHouse(parts, { slots: SLOTS }));

/** Keys of accounts that must not overrun: one with plenty, one with enough for the least request. */
const hard = { rich: "", poor: "" };
beforeAll(async () => {
  const open = async (dollars: string) => {
    const named = ["account", "create", "--name", "h", "--hard"];
    const { id } = await house.server.command<{ id: string }>(...named);
    await house.server.command("topup", "--account", id, dollars);
    const asked = ["key", "create", "--account", id, "--name", "h", "--rpm", "0"];
    const made = await house.server.command<{ key: string }>(...asked, "--account-read", "yes");
    return made.key;
  };
  // The models are the operator's own: all of their context is held, for a tenth of a dollar.
  hard.rich = await open("5.00");
  hard.poor = await open("0.1004");
});

async function ask(each: Case, usage: unknown, more: JsonObject = {}, key = house.key) {
  const { wire, face, stream } = each;
  const slot = house.slot(wire.name, saying(wire, stream, usage));
  const heard = await callAs(face, house.root, key, slot.model, stream, more);
  expect(goodText(face, heard, stream)).toBe(TEXT);
  const receipt = await eventually("there is a receipt", async () => {
    const response = await house.server.fetch(`/generation?id=${heard.requestId}`, key);
    return response.status === 200 ? ((await response.json()) as Receipt) : undefined;
  });
  return { heard, receipt };
}

function quantity(receipt: Receipt, item: string): number {
  const line = (receipt.lines as { item: string; quantity: number }[]).find(
    (each) => each.item === item,
  );
  return line?.quantity ?? 0;
}

describe.each(CASES)("an answer by way of %s", (_name, each) => {
  const told = TOLD.filter((row) => row.each === each).map(({ said }) => said);

  test.each(told)("whose vendor says $name is charged all the same", async (said) => {
    const { taken = {}, clamped = false } = said;
    const { receipt } = await ask(each, said.usage(each.wire.name));
    const own = Object.keys(taken).length === 0;
    expect(receipt).toMatchObject({
      status: 200,
      billing_reason: own ? "completed_estimated" : "completed",
      usage: { source: own ? "estimated" : "mixed", estimated: true, clamped },
    });
    const read = quantity(receipt, "input");
    const written = quantity(receipt, "output");
    if (taken.input === undefined) expect(Math.abs(read - GUESS.input)).toBeLessThan(7);
    else expect(read).toBe(taken.input);
    if (taken.output === undefined) expect(Math.abs(written - GUESS.output)).toBeLessThan(4);
    else expect(written).toBe(taken.output);
    expect(nano(receipt.cost)).toBe(BigInt(read) * INPUT_NANO + BigInt(written) * OUTPUT_NANO);
  });

  test("whose vendor says more than was asked for costs no more than that", async () => {
    const more = atMost(16)[each.face.name];
    const usage = inWordsOf(each.wire.name, { input, output: MAX_OUTPUT });
    const { receipt } = await ask(each, usage, more);
    expect(receipt.usage).toMatchObject({ source: "vendor", estimated: false, clamped: true });
    expect([quantity(receipt, "input"), quantity(receipt, "output")]).toEqual([input, 16]);
  });

  test("whose vendor says what is true is charged by it", async () => {
    const { receipt } = await ask(each, inWordsOf(each.wire.name, COUNTS));
    expect(receipt.usage).toMatchObject({ source: "vendor", estimated: false, clamped: false });
    expect([quantity(receipt, "input"), quantity(receipt, "output")]).toEqual([input, output]);
  });

  test("tells its client what was priced, not what cannot be", async () => {
    const { name } = each.wire;
    const { heard, receipt } = await ask(each, inWordsOf(name, { input: FAR, output: FAR }));
    // What a vendor counts before it writes has gone out by then; the last word is ours.
    const end = heard.text.slice(each.stream ? heard.text.lastIndexOf("sleeps.") : 0);
    expect(end).not.toContain(String(FAR));
    expect(receipt.usage).toMatchObject({ clamped: true });
  });

  const anything: fc.Arbitrary<unknown> = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc
      .record({ input: fc.jsonValue(), output: fc.jsonValue(), total: fc.jsonValue() })
      .map((counts) => inWordsOf(each.wire.name, counts)),
    fc
      .record({ input: fc.integer(), output: fc.integer(), total: fc.integer() })
      .map((counts) => inWordsOf(each.wire.name, counts)),
  );

  test("costs something whatever its vendor says, and no more than it can", async () => {
    const property = fc.asyncProperty(anything, async (usage) => {
      const { receipt } = await ask(each, usage, atMost(16)[each.face.name]);
      const cost = nano(receipt.cost);
      expect(cost).toBeGreaterThan(0n);
      expect(cost).toBeLessThanOrEqual(BigInt(CONTEXT) * INPUT_NANO + 16n * OUTPUT_NANO);
    });
    await fc.assert(property, { numRuns: RANDOM_USAGES, endOnFailure: true });
  });
});

describe("a total", () => {
  const wires = Object.values(VENDOR_WIRES).filter(({ name }) => name !== "messages");
  const cases = wires.flatMap((wire) =>
    [false, true].map((stream): Case => ({ wire, face: faceOf(wire.name), stream })),
  );

  test.each(cases)("alone is split: $wire.name, stream $stream", async (each) => {
    const { receipt } = await ask(each, inWordsOf(each.wire.name, { total: 60 }));
    const read = quantity(receipt, "input");
    expect(receipt.usage).toMatchObject({ source: "mixed", estimated: true, total_tokens: 60 });
    expect(Math.abs(read - GUESS.input)).toBeLessThan(7);
  });

  test.each(cases)("says what a part left out: $wire.name, stream $stream", async (each) => {
    const { receipt } = await ask(each, inWordsOf(each.wire.name, { input: 20, total: 60 }));
    expect(receipt.usage).toMatchObject({ source: "vendor", input_tokens: 20, output_tokens: 40 });
  });

  test.each(cases)("that cannot be is none: $wire.name, stream $stream", async (each) => {
    const { receipt } = await ask(each, inWordsOf(each.wire.name, { total: FAR }));
    expect(receipt.usage).toMatchObject({ source: "estimated" });
    expect(nano(receipt.cost)).toBeLessThan(100n * OUTPUT_NANO);
  });
});

describe("an account that must not overrun", () => {
  const balance = async (key: string) =>
    ((await (await house.server.fetch("/credits", key)).json()) as { balance: string }).balance;

  test.each(CASES)("pays what it holds and no more to %s", async (_name, each) => {
    const before = nano(await balance(hard.rich));
    const usage = inWordsOf(each.wire.name, { input: CONTEXT, output: 16 });
    const { receipt } = await ask(each, usage, atMost(16)[each.face.name], hard.rich);
    const held = nano(String(receipt.held));
    expect(nano(receipt.cost)).toBe(held);
    expect(nano(await balance(hard.rich))).toBe(before - held);
    expect(held).toBe(BigInt(CONTEXT) * INPUT_NANO + 16n * OUTPUT_NANO);
    expect([quantity(receipt, "input"), quantity(receipt, "output")]).toEqual([CONTEXT, 16]);
  });

  test("is not taken below zero", async () => {
    const [, each] = CASES[0] as (typeof CASES)[number];
    const usage = inWordsOf(each.wire.name, { input: FAR, output: FAR });
    const first = await ask(each, usage, atMost(16)[each.face.name], hard.poor);
    expect(nano(first.receipt.cost)).toBeGreaterThan(0n);
    const counted = inWordsOf(each.wire.name, { input: CONTEXT, output: MAX_OUTPUT });
    const second = await ask(each, counted, {}, hard.poor);
    expect(quantity(second.receipt, "input")).toBe(CONTEXT);
    expect(quantity(second.receipt, "output")).toBeLessThan(100);
    const left = nano(String(second.receipt.held)) - nano(second.receipt.cost);
    expect(left).toBeLessThan(OUTPUT_NANO);
    expect(nano(await balance(hard.poor))).toBe(left);
  });
});

describe("counts that say nothing", () => {
  const { responses } = VENDOR_WIRES;

  test("of a compaction are estimated, and that is what its client reads", async () => {
    const slot = house.slot("responses", saying(responses, false, {}));
    const body = { model: slot.model, input: "Tell me about foxes." };
    const response = await house.server.post("/responses/compact", house.key, body);
    const { usage } = (await response.json()) as { usage: JsonObject };
    const receipt = await house.receipt(response.headers.get("x-request-id") ?? "");
    expect(receipt).toMatchObject({ billing_reason: "completed_estimated" });
    expect(nano(receipt.cost)).toBeGreaterThan(0n);
    const total = receipt.usage.total_tokens;
    expect(usage).toMatchObject({ total_tokens: total, cost_exact: receipt.cost });
  });

  test("of a turn on a WebSocket are estimated", async () => {
    const slot = house.slot("responses", saying(responses, true, {}));
    const socket = await SocketClient.open(house.server, house.key);
    socket.send({ type: "response.create", model: slot.model, input: "Tell me about foxes." });
    const turn = await socket.take();
    expect(turn.status).toBe("completed");
    const usage = turn.response.usage as { cost_exact: string; input_tokens: number };
    expect(usage.input_tokens).toBeGreaterThan(0);
    expect(nano(usage.cost_exact)).toBeGreaterThan(0n);
    await socket.close();
  });
});

test("all of this leaves the books right", () => house.expectNoTrace());
