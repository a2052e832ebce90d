// POST /v1/estimate against the calls that it is about, with the embedded vendor.
import { describe, expect, test } from "bun:test";
import { expectRightBooks, expectUntouched, nano, nothingHeld } from "../support/books.ts";
import { expectError } from "../support/errors.ts";
import { noHolds, openHolds } from "../support/houses/database.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import {
  type JsonObject,
  RESPONSES,
  StreamReader,
  type TestWire,
  WIRES,
} from "../support/samples/wires.ts";

const { server, database } = await perFile((parts) => serve(parts, { books: true }));

interface Estimate extends JsonObject {
  readonly input_tokens: number;
  readonly max_input_tokens: number;
  readonly max_output_tokens: number;
  /** What could be written for the money that it would hold. */
  readonly room_output_tokens: number;
  readonly typical_output_tokens: number;
  readonly worst_case: string;
  readonly held: string;
  readonly typical: string;
  readonly admitted: boolean;
  readonly reason: string | null;
}

/** A key with five dollars that is told all of them, and what its requests held. */
function reader(...settings: string[]) {
  return server.account("5", "--account-read", "yes", ...settings);
}

async function estimate(key: string, body: JsonObject): Promise<Estimate> {
  const response = await server.post("/estimate", key, body);
  expect(response.status).toBe(200);
  return (await response.json()) as Estimate;
}

/** A real call and its receipt. */
async function call(wire: TestWire, key: string, body: JsonObject): Promise<JsonObject> {
  const response = await server.post(wire.path, key, body);
  expect(response.status).toBe(200);
  await response.text();
  const id = response.headers.get("x-request-id");
  return (await (await server.fetch(`/generation?id=${id}`, key)).json()) as JsonObject;
}

const wires = WIRES.map((wire) => [wire.path, wire] as const);

/** 1 and 4 dollars for a million tokens, as nano-dollars for one. */
const INPUT_NANO = 1_000n;
const OUTPUT_NANO = 4_000n;

describe("an estimate", () => {
  test.each(wires)("is what a call on %s then holds", async (_path, wire) => {
    const { key } = await reader();
    const tools =
      wire === RESPONSES ? [{ type: "function", name: "f", parameters: {} }] : undefined;
    for (const more of [{}, { [wire.maxOutputName]: 300 }, { tools }, { stream: true }]) {
      const body = wire.request("Write 20 words about bread.", more);
      const told = await estimate(key, body);
      expect(told).toMatchObject({ object: "estimate", model: "sandbox-1.0", currency: "usd" });
      expect(told).toMatchObject({ admitted: true, reason: null });
      const receipt = await call(wire, key, body);
      expect(told.worst_case).toBe(receipt.held as string);
      expect(told.price_version).toBe(receipt.price_version);
      expect(nano(told.worst_case)).toBeGreaterThanOrEqual(nano(String(receipt.cost)));
    }
  });

  test.each(wires)("adds up, on %s", async (_path, wire) => {
    const { key } = await server.account("5");
    const told = await estimate(key, wire.request("Hello", { [wire.maxOutputName]: 100 }));
    expect(told.max_output_tokens).toBe(100);
    expect(told.max_input_tokens).toBeGreaterThanOrEqual(told.input_tokens);
    const most = BigInt(told.max_input_tokens) * INPUT_NANO;
    expect(nano(told.worst_case)).toBe(most + 100n * OUTPUT_NANO);
    // No more than may be written, however much is typical.
    expect(told.typical_output_tokens).toBe(100);
    const input = BigInt(told.input_tokens) * INPUT_NANO;
    expect(nano(told.typical)).toBe(input + 100n * OUTPUT_NANO);
  });

  test.each([false, true])(
    "of a call with little left is the share that it gets, stream %p",
    async (stream) => {
      const { key } = await reader("--budget", "0.15");
      const body = RESPONSES.request("Write 20 words about bread.", { stream });
      const told = await estimate(key, body);
      expect(told).toMatchObject({ admitted: true, max_output_tokens: 16_384 });
      // A quarter of what is left, since nobody else is there.
      expect(told.held).toBe("0.0375");
      expect(told.room_output_tokens).toBeLessThan(9_375);
      expect(told.room_output_tokens).toBeGreaterThan(9_000);
      expect((await call(RESPONSES, key, body)).held).toBe(told.held);
    },
  );

  test("of a call with little left and others beside it is the share of so many", async () => {
    const { key } = await reader("--budget", "0.15");
    const body = RESPONSES.request("Write 20 words about bread.", { stream: true });
    const stalled = { "x-sandbox-fault": "stall_after=2" };
    const running = await StreamReader.open(server, "/responses", key, body, stalled);
    const told = await estimate(key, body);
    const receipt = await call(RESPONSES, key, body);
    running.leave();
    await noHolds(database);
    expect(told.held).toBe(String(receipt.held));
    // An eighth of what the other has left, where it would be a quarter for one alone.
    expect(nano(told.held)).toBe(nano("0.1125") / 8n);
  });

  test("of several choices is for all of them", async () => {
    const { key } = await server.account("5");
    const body = WIRES[1]?.request("Hello", { n: 3, max_tokens: 100 }) ?? {};
    expect(await estimate(key, body)).toMatchObject({ max_output_tokens: 300 });
  });

  test("knows from earlier calls what is typical", async () => {
    const { key } = await server.account("5");
    const body = RESPONSES.request("Write 40 words about bread.");
    expect(await estimate(key, body)).toMatchObject({
      typical_source: "default",
      typical_output_tokens: 500,
    });
    const { usage } = (await call(RESPONSES, key, body)) as { usage: { output_tokens: number } };
    const told = await estimate(key, body);
    expect(told).toMatchObject({
      typical_source: "history",
      typical_output_tokens: usage.output_tokens,
    });
    const output = BigInt(usage.output_tokens) * OUTPUT_NANO;
    expect(nano(told.typical)).toBe(BigInt(told.input_tokens) * INPUT_NANO + output);
  });

  test("reads the conversation that it continues", async () => {
    const { key } = await server.account("5");
    const long = RESPONSES.request("word ".repeat(500));
    const first = (await (await server.post("/responses", key, long)).json()) as { id: string };
    const alone = await estimate(key, RESPONSES.request("And?"));
    const more = { previous_response_id: first.id };
    const continued = await estimate(key, RESPONSES.request("And?", more));
    expect(continued.input_tokens).toBeGreaterThan(alone.input_tokens + 400);
  });

  test("charges and holds nothing, and is no generation", async () => {
    const { key } = await server.account("5", "--rpm", "5");
    const before = (await expectRightBooks(server)).receipts;
    for (let i = 0; i < 5; i++) await estimate(key, RESPONSES.request("Hello"));
    // It is a request all the same: whoever asks too often is not read.
    const refused = await server.post("/estimate", key, RESPONSES.request("Hello"));
    const limited = { status: 429, type: "rate_limit_error", code: "rate_limit_exceeded" };
    await expectError(refused, limited);
    await expectUntouched(server, key);
    expect(await openHolds(database)).toHaveLength(0);
    expect((await expectRightBooks(server)).receipts).toBe(before);
  });
});

describe("whether a call would be admitted", () => {
  test("is no once the budget is spent, as the call then finds", async () => {
    const { key } = await server.account("5", "--budget", "0.000001");
    const body = RESPONSES.request("Write 20 words about bread.");
    // A lone request is judged by what was spent, not by what it may cost.
    expect(await estimate(key, body)).toMatchObject({ admitted: true });
    await call(RESPONSES, key, body);
    expect(await estimate(key, body)).toMatchObject({ admitted: false, reason: "budget_exceeded" });
    const refused = await server.post("/responses", key, body);
    await expectError(refused, { status: 400, type: "budget_exceeded", code: "400" });
  });

  test("is no without a balance", async () => {
    const { key } = await server.account("0");
    const told = await estimate(key, RESPONSES.request("Hello"));
    expect(told).toMatchObject({ admitted: false, reason: "budget_exceeded" });
  });

  test("is not now while others hold the money", async () => {
    const { key } = await server.account("5", "--budget", "0.01");
    const body = RESPONSES.request("Write 20 words about bread.");
    const headers = { "x-sandbox-fault": "stall_after=2" };
    const running = await StreamReader.open(server, "/responses", key, body, headers);
    expect(await estimate(key, body)).toMatchObject({ admitted: false, reason: "budget_busy" });
    running.leave();
    await nothingHeld(server, key);
    expect(await estimate(key, body)).toMatchObject({ admitted: true });
  });
});

describe("an estimate is refused", () => {
  type Refused = { readonly code: string; readonly param?: string; readonly status?: number };

  const wrong: readonly (readonly [string, JsonObject, Refused])[] = [
    ["nothing to say", {}, { code: "missing_required_parameter", param: "input" }],
    ["no model", { input: "x" }, { code: "missing_required_parameter", param: "model" }],
    ["a strange model", { input: "x", model: "nobody" }, { status: 404, code: "model_not_found" }],
    [
      "a strange maximum",
      { input: "x", model: "sandbox-1.0", max_output_tokens: "many" },
      { code: "invalid_type", param: "max_output_tokens" },
    ],
    [
      "a chain that is not there",
      { input: "x", model: "sandbox-1.0", previous_response_id: "resp_nobody" },
      { code: "previous_response_not_found", param: "previous_response_id" },
    ],
    [
      "a model of the other endpoint",
      { input: "x", model: "lantern-2.1" },
      { code: "unsupported_endpoint", param: "model" },
    ],
  ];

  test.each(wrong)("for %s", async (_name, body, expected) => {
    const response = await server.post("/estimate", server.firstKey, body);
    await expectError(response, { status: 400, param: "model", ...expected });
  });

  test("for a key that is none", async () => {
    const response = await server.post("/estimate", "sk-fg-nobody", RESPONSES.request("x"));
    await expectError(response, { status: 401, code: "invalid_api_key" });
  });
});
