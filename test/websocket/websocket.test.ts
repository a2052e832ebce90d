// What a WebSocket of /v1/responses does beyond answering: who may open one, what it refuses, how its
// turns are paid for, and how it ends.
import { describe, expect, test } from "bun:test";
import { eventProblems, socketErrorShape } from "../conformance/open-responses-shapes.ts";
import { nano } from "../support/books.ts";
import {
  connect,
  expectWhole,
  SocketClient,
  type SocketTurn,
  shakeHands,
} from "../support/clients/socket-client.ts";
import { expectError } from "../support/errors.ts";
import { noHolds, type ReceiptRow, receipts } from "../support/houses/database.ts";
import { perSuite } from "../support/houses/house.ts";
import { type MockHouse, serveMock } from "../support/houses/serving.ts";
import type { JsonObject } from "../support/samples/wires.ts";
import {
  answer,
  pausedEvents,
  piecesFor,
  streamOf,
  VENDOR_TEXT,
} from "../support/vendors/mock-vendor.ts";
import { eventually } from "../support/waiting.ts";

const MODEL = "gpt-6-luna";
const SOCKETS_MAX = 3;
const FRAME_BYTES_MAX = 100_000;
const ASK = { model: MODEL, input: "Tell me about foxes." };
const never = new Promise<void>(() => {});

async function rowsOf({ database }: MockHouse, ...turns: SocketTurn[]): Promise<ReceiptRow[]> {
  const ids = turns.map(({ id }) => id);
  return (await receipts(database)).filter(({ responseId }) => ids.includes(String(responseId)));
}

/** A refusal and nothing else. */
async function refused(socket: SocketClient, message: string | Uint8Array | JsonObject) {
  socket.send(message);
  const { messages } = await socket.take();
  expect(messages).toHaveLength(1);
  const { status, error } = socketErrorShape.parse(messages[0]);
  return { status, code: error.code, param: error.param };
}

describe("a WebSocket", () => {
  const house = perSuite((parts) =>
    serveMock(parts, {
      FAREGATE_WEBSOCKETS_PER_KEY_MAX: String(SOCKETS_MAX),
      FAREGATE_WEBSOCKET_FRAME_BYTES_MAX: String(FRAME_BYTES_MAX),
      FAREGATE_KEEP_ALIVE_MS: "100",
    }),
  );

  test.each([
    ["without a key", {}],
    ["with a key that is none", { authorization: "Bearer sk-fg-nobody" }],
    ["with a key in another header", { "x-api-key": "sk-fg-nobody" }],
  ])("is refused %s", async (_how, headers) => {
    const response = await shakeHands(house.server, headers);
    await expectError(response, { status: 401, code: "invalid_api_key" });
  });

  test("is refused to a key that is disabled", async () => {
    const { key, keyId } = await house.server.account("1");
    const authorization = `Bearer ${key}`;
    expect((await shakeHands(house.server, { authorization })).status).toBe(200);
    await house.server.command("key", "disable", keyId);
    const response = await shakeHands(house.server, { authorization });
    await expectError(response, { status: 401, code: "invalid_api_key" });
  });

  test("is not what a plain GET gets", async () => {
    const response = await house.server.fetch("/responses", house.key);
    expect(response.headers.get("allow")).toBe("POST");
    await expectError(response, { status: 405, code: "method_not_allowed" });
  });

  test("is one of so many that a key may have", async () => {
    const { key } = await house.server.account("1");
    const open = () => SocketClient.open(house.server, key);
    const form = await Promise.allSettled(Array.from({ length: SOCKETS_MAX + 3 }, open));
    const sockets = form.flatMap((form) => (form.status === "fulfilled" ? [form.value] : []));
    expect(sockets).toHaveLength(SOCKETS_MAX);
    const authorization = `Bearer ${key}`;
    const response = await shakeHands(house.server, { authorization });
    expect(response.headers.get("retry-after")).toBe("1");
    const expected = { status: 429, type: "rate_limit_error", code: "rate_limit_exceeded" };
    await expectError(response, expected);
    await (await connect(house)).close();
    await sockets[0]?.close();
    const next = await eventually("the slot is free", () => open().catch(() => undefined));
    expectWhole(await next.turn(ASK));
    for (const socket of [next, ...sockets.slice(1)]) await socket.close();
  });

  test.each<[string, string | Uint8Array | JsonObject, number, string, string | null]>([
    ["no JSON", "{oops", 400, "invalid_json", null],
    [
      "bytes that are no text",
      Buffer.concat([
        Buffer.from(`{"type":"response.create","model":"${MODEL}","input":"`),
        Buffer.from([0xff]),
        Buffer.from('"}'),
      ]),
      400,
      "invalid_json",
      null,
    ],
    ["a list", "[]", 400, "invalid_type", "message"],
    ["no type", { model: MODEL, input: "x" }, 400, "missing_required_parameter", "type"],
    ["an unknown type", { type: "response.cancel" }, 400, "invalid_value", "type"],
    [
      "no model",
      { type: "response.create", input: "x" },
      400,
      "missing_required_parameter",
      "model",
    ],
    [
      "an unknown model",
      { type: "response.create", model: "no-such-1.0", input: "x" },
      404,
      "model_not_found",
      "model",
    ],
    [
      "a wish for no answer",
      { type: "response.create", ...ASK, generate: false },
      400,
      "unsupported_parameter",
      "generate",
    ],
    [
      "an input of no kind",
      { type: "response.create", model: MODEL, input: 5 },
      400,
      "invalid_type",
      "input",
    ],
  ])("survives a message with %s", async (_what, message, status, code, param) => {
    const socket = await connect(house);
    expect(await refused(socket, message)).toEqual({ status, code, param });
    expectWhole(await socket.turn(ASK));
    await socket.close();
  });

  test("takes what only makes sense over HTTP for nothing", async () => {
    const socket = await connect(house);
    const options = { stream_options: { include_obfuscation: false } };
    const odd = { stream: false, background: false, generate: true, ...options };
    expectWhole(await socket.turn({ ...ASK, ...odd }));
    const { body } = house.vendor.lastCall;
    expect(body).toMatchObject({ stream: true, store: false });
    for (const name of ["type", "background", "generate"]) expect(body).not.toContainKey(name);
    await socket.close();
  });

  test("says in the first event what was left out of a turn", async () => {
    const socket = await connect(house);
    const odd = { presence_penalty: 0.5, service_tier: "flex" };
    const turn = await socket.turn({ ...ASK, ...odd });
    expectWhole(turn);
    const told = turn.messages.map(({ headers }) => headers ?? null);
    const headers = { "x-faregate-dropped": "presence_penalty, service_tier" };
    expect(told).toEqual([headers, ...Array(told.length - 1).fill(null)]);
    // The same words as over HTTP.
    const answer = await house.server.post("/responses", house.key, { ...ASK, ...odd });
    expect(answer.headers.get("x-faregate-dropped")).toBe(headers["x-faregate-dropped"]);
    const plain = await socket.turn(ASK);
    expect(plain.messages.filter((message) => "headers" in message)).toEqual([]);
    await socket.close();
  });

  test("runs messages that come at once one after the other", async () => {
    const socket = await connect(house);
    const gate = Promise.withResolvers<void>();
    const running = { now: 0, most: 0 };
    house.vendor.play((call) => {
      async function* counted() {
        running.most = Math.max(running.most, ++running.now);
        yield* pausedEvents(call, gate.promise);
        running.now--;
      }
      return streamOf(counted());
    });
    for (let i = 0; i < 3; i++) socket.create({ ...ASK, metadata: { turn: String(i) } });
    await socket.hears(({ type }) => type === "response.output_text.delta");
    expect(house.vendor.calls).toHaveLength(1);
    gate.resolve();
    const turns = [await socket.take(), await socket.take(), await socket.take()];
    house.vendor.play(answer);
    expect(running.most).toBe(1);
    for (const turn of turns) expectWhole(turn);
    expect(new Set(turns.map(({ id }) => id)).size).toBe(3);
    expect(await rowsOf(house, ...turns)).toHaveLength(3);
    await socket.close();
  });

  test("does not let messages pile up", async () => {
    const socket = await connect(house);
    house.vendor.play((call) => streamOf(pausedEvents(call, never)));
    for (let i = 0; i < 20; i++) socket.create(ASK);
    await socket.hears(({ status }) => status === 503);
    const many = socket.heard.filter(({ status }) => status === 503);
    expect(many[0]).toMatchObject({ type: "error", error: { code: "overloaded" } });
    socket.leave();
    await socket.ended;
    house.vendor.play(answer);
    const other = await connect(house);
    const long = { ...ASK, input: "x".repeat(FRAME_BYTES_MAX / 2) };
    house.vendor.play((call) => streamOf(pausedEvents(call, never)));
    for (let i = 0; i < 4; i++) other.create(long);
    await other.hears(({ status }) => status === 503);
    other.leave();
    await other.ended;
    house.vendor.play(answer);
  });

  test("charges each turn on a receipt of its own, as HTTP would", async () => {
    const socket = await connect(house);
    const turns = [await socket.turn(ASK), await socket.turn({ ...ASK, store: false })];
    await socket.close();
    const rows = await rowsOf(house, ...turns);
    expect(rows.map(({ reason, status }) => [reason, status])).toEqual([
      ["completed", 200],
      ["completed", 200],
    ]);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2);
    for (const turn of turns) {
      const cost = (turn.response.usage as JsonObject).cost_exact as string;
      const row = rows.find(({ responseId }) => responseId === turn.id);
      expect(row?.cost).toBe(nano(cost));
    }
    const whole = await house.server.post("/responses", house.key, ASK);
    const { usage } = (await whole.json()) as { usage: { cost_exact: string } };
    expect(rows[0]?.cost).toBe(nano(usage.cost_exact));
  });

  test("leaves a row also of a turn that was refused", async () => {
    const socket = await connect(house);
    const model = `no-such-${crypto.randomUUID().slice(0, 8)}`;
    await refused(socket, { type: "response.create", model, input: "x" });
    await socket.close();
    // The row of a refusal is written behind the answer.
    const rows = await eventually("there is a row", async () => {
      const found = await house.database.run(`select cost, billing_reason, error_code, status
        from receipts where model = '${model}'`);
      return found.length > 0 && found;
    });
    expect(rows).toEqual([
      { cost: 0n, billing_reason: "refused", error_code: "model_not_found", status: 404n },
    ]);
  });

  test("settles a turn before it says that it is over", async () => {
    const socket = await connect(house);
    const gate = Promise.withResolvers<void>();
    house.vendor.play((call) => streamOf(pausedEvents(call, gate.promise)));
    socket.create(ASK);
    await socket.hears(({ type }) => type === "response.output_text.delta");
    const unlock = await house.database.lockWrites();
    const signs = () => socket.heard.filter(({ type }) => type === "keepalive").length;
    try {
      gate.resolve();
      await socket.hears(({ type }) => type === "response.output_text.done");
      const before = signs();
      await eventually("it waits for the disk", () => signs() >= before + 2);
      expect(socket.heard.some(({ type }) => type === "response.completed")).toBe(false);
    } finally {
      await unlock();
    }
    const turn = await socket.take();
    house.vendor.play(answer);
    expectWhole(turn);
    expect(await rowsOf(house, turn)).toMatchObject([{ reason: "completed" }]);
    await socket.close();
  });

  test.each([
    ["closes", (socket: SocketClient) => void socket.close()],
    ["is gone", (socket: SocketClient) => socket.leave()],
  ])("whose client %s in a turn costs what was delivered", async (_how, end) => {
    const { key, keyId } = await house.server.account("1");
    const socket = await SocketClient.open(house.server, key);
    house.vendor.play((call) => streamOf(pausedEvents(call, never, 3)));
    socket.create(ASK);
    socket.create(ASK);
    await socket.hears(({ delta }) => delta === VENDOR_TEXT[2]);
    end(socket);
    const { vendor, database } = house;
    await eventually("the vendor's call is cancelled", () => vendor.lastCall.signal.aborted);
    const rows = await eventually("there is a receipt", async () => {
      const found = (await receipts(database)).filter((row) => row.keyId === keyId);
      return found.length > 0 && found;
    });
    expect(rows).toMatchObject([{ reason: "client_closed", status: 499 }]);
    expect(rows[0]?.cost).toBeGreaterThan(0n);
    await noHolds(database);
    expect(vendor.calls).toHaveLength(1);
    vendor.play(answer);
  });

  test("tells of a vendor that fails in a turn, and begins anew", async () => {
    const socket = await connect(house);
    const first = await socket.turn({ ...ASK, store: false });
    house.vendor.play((call) => {
      const pieces = piecesFor(call);
      return streamOf([...pieces.opening, ...pieces.deltas(VENDOR_TEXT.slice(0, 2))]);
    });
    const previous_response_id = first.id;
    const failed = await socket.turn({ ...ASK, store: false, previous_response_id });
    house.vendor.play(answer);
    expect(failed.messages.map(({ type }) => type).slice(-2)).toEqual(["error", "response.failed"]);
    expect(eventProblems(failed.messages.slice(-2, -1))).toEqual([]);
    expect(failed.status).toBe("failed");
    const again = { type: "response.create", ...ASK, previous_response_id };
    expect(await refused(socket, again)).toMatchObject({ code: "previous_response_not_found" });
    expectWhole(await socket.turn(ASK));
    await socket.close();
  });

  test("asks for its key again with every turn", async () => {
    const { key, keyId } = await house.server.account("1");
    const socket = await SocketClient.open(house.server, key);
    expectWhole(await socket.turn(ASK));
    await house.server.command("key", "disable", keyId);
    const turn = { type: "response.create", ...ASK };
    expect(await refused(socket, turn)).toMatchObject({ status: 401, code: "invalid_api_key" });
    // The refusal is said once, and the connection goes with its key.
    expect(await socket.ended).toEqual({
      code: 1008,
      reason: "This API key is disabled. Enable it or use another one.",
    });
    expect(socket.heard).toEqual([]);
  });

  test("refuses a turn that nobody can pay", async () => {
    const { key } = await house.server.account("0");
    const socket = await SocketClient.open(house.server, key);
    const turn = { type: "response.create", ...ASK };
    expect(await refused(socket, turn)).toMatchObject({ status: 400, code: "400" });
    await socket.close();
  });

  test("ends with a message that is too large", async () => {
    const socket = await connect(house);
    expectWhole(await socket.turn(ASK));
    const before = house.vendor.calls.length;
    socket.create({ ...ASK, input: "x".repeat(FRAME_BYTES_MAX) });
    expect((await socket.ended).code).toBeGreaterThan(1001);
    expect(house.vendor.calls).toHaveLength(before);
    const next = await connect(house);
    expectWhole(await next.turn({ ...ASK, input: "x".repeat(FRAME_BYTES_MAX - 200) }));
    await next.close();
  });
});
