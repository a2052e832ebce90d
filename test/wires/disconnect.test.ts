// What happens at both ends of a call when the other end leaves, stalls or misbehaves. The vendor is
// a real HTTP server, so everything passes over sockets on both sides.
import { describe, expect, test } from "bun:test";
import { receiptForOperators } from "../support/books.ts";
import { headerOf, RawClient } from "../support/clients/raw-client.ts";
import { expectError } from "../support/errors.ts";
import { gauge, METRICS_PUBLIC } from "../support/gauges.ts";
import { noHolds, openHolds, type ReceiptRow, receipts } from "../support/houses/database.ts";
import { perSuite } from "../support/houses/house.ts";
import { type MockHouse, serveMock } from "../support/houses/serving.ts";
import {
  CHAT,
  type JsonObject,
  RESPONSES,
  StreamReader,
  type TestWire,
  textOf,
  WIRES,
} from "../support/samples/wires.ts";
import {
  answer,
  eventsFor,
  isChat,
  MockVendor,
  pausedEvents,
  piecesFor,
  streamOf,
  VENDOR_KEY,
  VENDOR_MODEL,
  VENDOR_TEXT,
} from "../support/vendors/mock-vendor.ts";
import { caughtUp, eventually } from "../support/waiting.ts";

const MODEL = "gpt-6-luna";
const CLIENT_IDLE_MS = 400;

/** The books are right in the end, whatever was tried, and no log names the vendor's key. */
const openHouse = (settings: Record<string, string>) =>
  perSuite((parts) =>
    serveMock(parts, {
      FAREGATE_SANDBOX: "on",
      FAREGATE_LOG: "debug",
      // Vendors fail on purpose here, which is not to keep the next test from its vendor.
      FAREGATE_CHANNEL_ATTEMPTS_MIN: "100000",
      ...settings,
    }),
  );

const requestOf = (wire: TestWire, more: JsonObject = {}): JsonObject => ({
  ...wire.request("Tell me about foxes."),
  model: MODEL,
  ...more,
});

const openStream = ({ server, key }: MockHouse, wire: TestWire, more: JsonObject = {}) =>
  StreamReader.open(server, wire.path, key, requestOf(wire, more));

/** The row of a request, which may be written after its client has gone. */
function rowOf({ database }: MockHouse, id: string): Promise<ReceiptRow> {
  return eventually(`there is a receipt of ${id}`, async () =>
    (await receipts(database)).find((row) => row.id === id),
  );
}

const hungUp = ({ vendor }: MockHouse) =>
  eventually("the vendor's call is cancelled", () => vendor.lastCall.signal.aborted);

const never = new Promise<void>(() => {});
const wires = WIRES.map((wire) => [wire.path, wire] as const);
const wiresAndStreams = WIRES.flatMap((wire) =>
  [false, true].map((stream) => [wire.path, stream, wire] as const),
);

describe("a client", () => {
  const house = openHouse({
    ...METRICS_PUBLIC,
    FAREGATE_CLIENT_IDLE_MS: String(CLIENT_IDLE_MS),
    FAREGATE_ADMISSION_WAIT_MS: "60000",
    FAREGATE_DRAIN_MS: "60000",
  });

  test.each(wires)("that leaves a stream of %s pays what it got", async (_path, wire) => {
    house.vendor.play((call) => streamOf(pausedEvents(call, never, 3)));
    const stream = await openStream(house, wire);
    await stream.readUntil(({ events }) => textOf(events) === VENDOR_TEXT.slice(0, 3).join(""));
    stream.leave();
    const row = await rowOf(house, stream.requestId);
    expect(row).toMatchObject({ reason: "client_closed", status: 499 });
    expect(row.cost).toBeGreaterThan(0n);
    await noHolds(house.database);
    await hungUp(house);
  });

  test.each(wires)("that leaves %s before the first byte ends the call", async (_path, wire) => {
    house.vendor.play(async () => {
      await never;
      return new Response();
    });
    const leave = new AbortController();
    const body = requestOf(wire, { stream: true });
    const sent = house.server.post(wire.path, house.key, body, {}, leave.signal);
    const [hold] = await eventually("the vendor is called", async () => {
      const holds = await openHolds(house.database);
      return house.vendor.calls.length === 1 && holds.length === 1 ? holds : undefined;
    });
    leave.abort();
    expect(sent).rejects.toThrow();
    await hungUp(house);
    expect(await rowOf(house, hold?.id ?? "")).toMatchObject({ reason: "client_closed" });
  });

  test.each(wires)("that leaves a whole answer of %s pays for all of it", async (_path, wire) => {
    const gate = Promise.withResolvers<void>();
    house.vendor.play(async (call) => {
      await gate.promise;
      return answer(call);
    });
    const leave = new AbortController();
    const sent = house.server.post(wire.path, house.key, requestOf(wire), {}, leave.signal);
    const [hold] = await eventually("the vendor is called", async () => {
      const holds = await openHolds(house.database);
      return house.vendor.calls.length === 1 && holds.length === 1 ? holds : undefined;
    });
    leave.abort();
    expect(sent).rejects.toThrow();
    await caughtUp(house.server.url);
    expect(house.vendor.lastCall.signal.aborted).toBe(false);
    gate.resolve();
    const row = await rowOf(house, hold?.id ?? "");
    expect(row).toMatchObject({ reason: "client_closed_finished", status: 200 });
    // 11 input and 7 output tokens at the prices of this model: the vendor's counts, not a guess.
    expect(row.cost).toBe(11n * 100n + 7n * 500n);
  });

  test("that leaves the waiting line is not served later", async () => {
    house.vendor.play((call) => streamOf(pausedEvents(call, never)));
    const { key } = await house.server.account("1", "--budget", "0.0001");
    const body = requestOf(RESPONSES);
    const holder = await StreamReader.open(house.server, "/responses", key, body);
    await holder.readUntil(({ events }) => events.length > 0);
    const leave = new AbortController();
    const waiting = house.server.post("/responses", key, body, {}, leave.signal);
    const next = house.server.post("/responses", key, body);
    const { url } = house.server;
    await eventually(
      "both stand in line",
      async () => (await gauge(url, "requests_waiting")) === 2,
    );
    expect(house.vendor.calls).toHaveLength(1);
    leave.abort();
    expect(waiting).rejects.toThrow();
    const gone = await eventually("its row is there", async () =>
      (await receipts(house.database)).find((row) => row.errorCode === "budget_busy"),
    );
    expect(gone).toMatchObject({ reason: "refused", cost: 0n });

    house.vendor.script = answer;
    holder.leave();
    expect((await next).status).toBe(200);
    expect(house.vendor.calls).toHaveLength(2);
  });

  test.each(wires)("that stops reading %s counts as gone", async (_path, wire) => {
    house.vendor.play((call) => {
      const pieces = piecesFor(call);
      async function* endless() {
        yield* pieces.opening;
        // Far more than the buffers between here and the client can hold.
        while (!call.signal.aborted) yield* pieces.deltas(["x".repeat(60_000)]);
      }
      return streamOf(endless());
    });
    const client = await RawClient.connect(house.server.url, (text) => {
      if (text.includes("xxxx")) client.stopReading();
    });
    client.post(`/v1${wire.path}`, house.key, requestOf(wire, { stream: true }));
    await eventually("the answer has begun", () => client.text.includes("xxxx"));
    await hungUp(house);
    const row = await rowOf(house, headerOf(client.text, "x-request-id"));
    expect(row).toMatchObject({ reason: "client_closed", status: 499 });
    expect(row.cost).toBeGreaterThan(0n);
    client.leave();
  });

  test("that leaves the embedded vendor's stream pays what it got", async () => {
    const { key } = await house.server.account("1");
    const body = RESPONSES.request("Write 200 words about foxes.");
    const headers = { "x-sandbox-fault": "delay_ms=20" };
    const stream = await StreamReader.open(house.server, "/responses", key, body, headers);
    const deltas = () =>
      stream.events.filter(({ json }) => json?.type === "response.output_text.delta");
    await stream.readUntil(() => deltas().length >= 3);
    stream.leave();
    const row = await rowOf(house, stream.requestId);
    expect(row).toMatchObject({ reason: "client_closed" });
    // A few tokens of two hundred words, and the question.
    expect(row.cost).toBeGreaterThan(0n);
    expect(row.cost).toBeLessThan(200n * 4_000n);
  });
});

describe("a silent stream", () => {
  const house = openHouse({ FAREGATE_KEEP_ALIVE_MS: "100" });

  const signs = (reader: StreamReader, wire: TestWire): number =>
    wire === RESPONSES
      ? reader.events.filter(({ name }) => name === "keepalive").length
      : reader.text.split("\n\n").filter((block) => /^(?::|data: \{"id")/.test(block)).length;

  function expectRising(events: readonly { json: JsonObject | undefined }[]): void {
    const numbers = events.flatMap(({ json }) => (json ? [json.sequence_number as number] : []));
    expect(numbers.length).toBeGreaterThan(0);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  }

  test.each(wires)("of %s gives signs of life and stays whole", async (_path, wire) => {
    const gate = Promise.withResolvers<void>();
    house.vendor.play((call) => streamOf(pausedEvents(call, gate.promise)));
    const stream = await openStream(house, wire);
    await stream.readUntil(({ events }) => textOf(events) === "The quick ");
    const before = signs(stream, wire);
    await stream.readUntil(() => signs(stream, wire) >= before + 3);
    gate.resolve();
    await stream.readAll();
    expect(textOf(stream.events)).toBe(VENDOR_TEXT.join(""));
    expect(stream.events.at(-1)?.data).toBe("[DONE]");
    if (wire === RESPONSES) {
      expectRising(stream.events);
      expect(stream.events.at(-2)?.name).toBe("response.completed");
    }
    expect((await rowOf(house, stream.requestId)).reason).toBe("completed");
  });

  test("that waits for its commit does so too, and its end comes last", async () => {
    const gate = Promise.withResolvers<void>();
    house.vendor.play((call) => streamOf(pausedEvents(call, gate.promise)));
    const stream = await openStream(house, RESPONSES);
    await stream.readUntil(({ events }) => textOf(events) === "The quick ");
    const unlock = await house.database.lockWrites();
    try {
      gate.resolve();
      await stream.readUntil(({ text }) => text.includes("response.output_item.done"));
      const before = signs(stream, RESPONSES);
      await stream.readUntil(() => signs(stream, RESPONSES) >= before + 2);
      expect(stream.text).not.toContain("response.completed");
    } finally {
      await unlock();
    }
    await stream.readAll();
    expect(stream.events.slice(-2).map(({ name, data }) => name ?? data)).toEqual([
      "response.completed",
      "[DONE]",
    ]);
    expectRising(stream.events);
    expect((await rowOf(house, stream.requestId)).reason).toBe("completed");
  });
});

const unavailable = {
  status: 503,
  type: "service_unavailable_error",
  code: "upstream_unavailable",
};

// Each deadline has a house in which the others are as long as ever: a slow machine meets none of them.
describe("a deadline for the first byte or a whole answer", () => {
  const house = openHouse({
    FAREGATE_UPSTREAM_FIRST_BYTE_MS: "300",
    FAREGATE_UPSTREAM_ANSWER_MS: "300",
  });

  test.each(wiresAndStreams)("ends %s, stream %p", async (_path, stream, wire) => {
    house.vendor.play(async () => {
      await never;
      return new Response();
    });
    const body = requestOf(wire, { stream });
    const response = await house.server.post(wire.path, house.key, body);
    const id = response.headers.get("x-request-id") ?? "";
    await expectError(response, unavailable);
    expect(await rowOf(house, id)).toMatchObject({ reason: "upstream_failed", cost: 0n });
    await hungUp(house);
  });

  test("ends one whose body stops in the middle", async () => {
    house.vendor.play(() => {
      async function* half() {
        yield new TextEncoder().encode('{"id":"chatcmpl-1",');
        await never;
      }
      const headers = { "content-type": "application/json" };
      return new Response(half() as unknown as ReadableStream<Uint8Array>, { headers });
    });
    const response = await house.server.post("/chat/completions", house.key, requestOf(CHAT));
    await expectError(response, unavailable);
    await hungUp(house);
  });
});

describe("a deadline between two events", () => {
  const house = openHouse({ FAREGATE_UPSTREAM_IDLE_MS: "300" });

  test.each(wires)("ends %s", async (_path, wire) => {
    house.vendor.play((call) => streamOf(pausedEvents(call, never)));
    const stream = await openStream(house, wire);
    await stream.readAll();
    expectFailedEnd(stream, wire);
    expect(await rowOf(house, stream.requestId)).toMatchObject({
      reason: "upstream_failed",
      cost: 0n,
    });
    await hungUp(house);
  });
});

describe("a deadline for all of a stream", () => {
  // Long enough for a busy machine to have passed on some of it.
  const house = openHouse({ FAREGATE_UPSTREAM_TOTAL_MS: "4000" });

  test.each(wires)("ends %s, which counts as the client's", async (_path, wire) => {
    house.vendor.play((call) => {
      const pieces = piecesFor(call);
      async function* drip() {
        yield* pieces.opening;
        while (!call.signal.aborted) {
          yield* pieces.deltas(["drop "]);
          await Bun.sleep(50);
        }
      }
      return streamOf(drip());
    });
    const stream = await openStream(house, wire);
    await stream.readAll();
    expectFailedEnd(stream, wire);
    const row = await rowOf(house, stream.requestId);
    expect(row).toMatchObject({ reason: "client_closed" });
    expect(row.cost).toBeGreaterThan(0n);
    await hungUp(house);
  });
});

/** A stream that failed after its first byte says so in the way of its wire, never as a success. */
function expectFailedEnd(stream: StreamReader, wire: TestWire): void {
  const names = stream.events.map(({ name, data }) => name ?? data);
  if (wire === RESPONSES) {
    expect(names.slice(-3)).toEqual(["error", "response.failed", "[DONE]"]);
    const failed = stream.events.at(-2)?.json?.response as JsonObject;
    expect(failed).toMatchObject({ status: "failed", model: MODEL });
  } else {
    expect(stream.text).not.toContain("[DONE]");
    expect(Object.keys(stream.events.at(-1)?.json ?? {})).toEqual(["error"]);
  }
}

describe("a vendor", () => {
  const house = openHouse({});

  const SEEN_HEADERS = [
    "accept",
    "accept-encoding",
    "authorization",
    "connection",
    "content-length",
    "content-type",
    "host",
    "user-agent",
    "x-client-request-id",
  ];

  test.each(wiresAndStreams)(
    "sees of %s, stream %p, only what it must",
    async (_p, stream, wire) => {
      house.vendor.play(answer);
      const headers = {
        "x-sandbox-fault": "http_500",
        cookie: "session=1",
        "x-api-key": house.key,
        "x-forwarded-for": "10.1.2.3",
        "openai-organization": "org-client",
        "x-stainless-lang": "js",
        "idempotency-key": `once for ${wire.path} ${stream}`,
      };
      const body = requestOf(wire, { stream, store: true, metadata: { who: "me" } });
      const response = await house.server.post(wire.path, house.key, body, headers);
      expect(response.status).toBe(200);
      await response.text();
      const call = house.vendor.lastCall;
      expect([...call.headers.keys()].filter((name) => !SEEN_HEADERS.includes(name))).toEqual([]);
      expect(call.headers.get("authorization")).toBe(`Bearer ${VENDOR_KEY}`);
      expect(JSON.stringify([...call.headers]) + call.text).not.toContain(house.key);
      expect(call.path).toBe(`/v1${wire.path}`);
      expect(call.body).toMatchObject({ model: MODEL, store: false });
    },
  );

  test("is told to keep nothing, and nothing of a kept conversation's ids", async () => {
    house.vendor.play(answer);
    const first = await house.server.post("/responses", house.key, requestOf(RESPONSES));
    const { id } = (await first.json()) as { id: string };
    expect(house.vendor.lastCall.body.store).toBe(false);
    const more = { previous_response_id: id, input: "And more?" };
    const second = await house.server.post("/responses", house.key, requestOf(RESPONSES, more));
    expect(await second.json()).toMatchObject({ previous_response_id: id, store: true });
    const { body } = house.vendor.lastCall;
    expect(body).not.toContainKey("previous_response_id");
    expect(body.store).toBe(false);
    expect(JSON.stringify(body.input)).toContain(VENDOR_TEXT.join(""));
  });

  test.each([
    ["nothing about it", {}, false],
    ["no to it", { stream_options: { include_usage: false } }, false],
    ["yes to it", { stream_options: { include_usage: true } }, true],
  ])("is asked for usage when the client says %s", async (_words, more, wanted) => {
    house.vendor.play(answer);
    const stream = await openStream(house, CHAT, more);
    await stream.readAll();
    expect(house.vendor.lastCall.body.stream_options).toMatchObject({ include_usage: true });
    const chunks = stream.events.filter(({ json }) => json?.usage);
    expect(chunks).toHaveLength(wanted ? 1 : 0);
    if (wanted) expect(chunks[0]?.json?.usage).toMatchObject({ total_tokens: 18, cost: 0.0000046 });
    expect(stream.events.at(-1)?.data).toBe("[DONE]");
    expect((await rowOf(house, stream.requestId)).cost).toBe(4_600n);
  });

  test.each(wiresAndStreams)("is renamed in %s, stream %p", async (_path, stream, wire) => {
    house.vendor.play(answer);
    const response = await house.server.post(
      wire.path,
      house.key,
      requestOf(wire, { stream, stream_options: stream ? { include_usage: true } : undefined }),
    );
    const text = await response.text();
    expect(text).not.toContain(VENDOR_MODEL);
    const expected = stream
      ? eventsFor(house.vendor.lastCall).join("").split(VENDOR_MODEL).length - 1
      : 1;
    expect(text.split(`"model":"${MODEL}"`).length - 1).toBe(expected);
    if (wire === RESPONSES) expect(text).toContain(`"output_text":"${VENDOR_TEXT.join("")}"`);
  });

  test.each(wiresAndStreams)("passes few headers of %s, stream %p", async (_path, stream, wire) => {
    house.vendor.play((call) => {
      const response = answer(call);
      response.headers.set("set-cookie", "vendor=1");
      response.headers.set("openai-organization", "org-of-the-house");
      response.headers.set("x-ratelimit-limit-requests", "1");
      response.headers.set("openai-processing-ms", "42");
      return response;
    });
    const body = requestOf(wire, { stream });
    const response = await house.server.post(wire.path, house.key, body);
    await response.text();
    expect(response.headers.get("openai-processing-ms")).toBe("42");
    for (const name of ["set-cookie", "openai-organization", "x-ratelimit-limit-requests"]) {
      expect(response.headers.get(name)).toBeNull();
    }
    const id = response.headers.get("x-request-id") ?? "";
    expect(id).toStartWith("req_0");
    const receipt = await house.server.within(({ store }) =>
      receiptForOperators(store, house.accountId, id),
    );
    expect(receipt).toMatchObject({ vendor_request_id: "req_of_the_vendor" });
  });

  test.each([301, 302, 307, 308])("that redirects with %d is not followed", async (status) => {
    const elsewhere = new MockVendor();
    try {
      house.vendor.play(() => {
        const location = `${elsewhere.url}/chat/completions`;
        return new Response(null, { status, headers: { location } });
      });
      const response = await house.server.post("/chat/completions", house.key, requestOf(CHAT));
      expect(response.headers.get("location")).toBeNull();
      expect(response.status).toBe(503);
      expect(elsewhere.calls).toHaveLength(0);
    } finally {
      await elsewhere.stop();
    }
  });

  test.each(wiresAndStreams)(
    "that says 400 to %s, stream %p, is heard",
    async (path, stream, wire) => {
      const message = `Unsupported value: 'seed' with ${VENDOR_KEY}.`;
      house.vendor.play(() =>
        Response.json(
          { error: { message, code: "unsupported_value", param: "seed" } },
          { status: 400 },
        ),
      );
      const response = await house.server.post(path, house.key, requestOf(wire, { stream }));
      const told = await expectError(response, {
        status: 400,
        code: "upstream_rejected",
        param: "seed",
      });
      expect(told.message).toStartWith("Unsupported value: 'seed' with ");
      expect(told.message).not.toContain(VENDOR_KEY.slice(3));
    },
  );

  test.each(wiresAndStreams)(
    "that talks nonsense to %s, stream %p, is a 503",
    async (path, stream, wire) => {
      const nonsense = ["<html>busy</html>", "", "data: {oops\n\n", "data: 5\n\n", "[]"];
      for (const text of nonsense) {
        house.vendor.play((call) =>
          call.body.stream ? streamOf([text]) : new Response(text, { status: 200 }),
        );
        const response = await house.server.post(path, house.key, requestOf(wire, { stream }));
        expect({ text, status: response.status }).toEqual({ text, status: 503 });
        const id = response.headers.get("x-request-id") ?? "";
        expect(await rowOf(house, id)).toMatchObject({ reason: "upstream_failed", cost: 0n });
      }
    },
  );

  test.each(wires)(
    "that fails in the middle of %s is told of in the stream",
    async (_path, wire) => {
      house.vendor.play((call) => {
        const pieces = piecesFor(call);
        const error = { message: `Overloaded ${VENDOR_KEY}`, type: "server_error", code: "busy" };
        const failure = isChat(call)
          ? `data: ${JSON.stringify({ error })}\n\n`
          : `event: error\ndata: ${JSON.stringify({ ...error, type: "error", sequence_number: 8 })}\n\n`;
        return streamOf([...pieces.opening, ...pieces.deltas(VENDOR_TEXT), failure]);
      });
      const stream = await openStream(house, wire);
      await stream.readAll();
      expectFailedEnd(stream, wire);
      expect(stream.text).not.toContain(VENDOR_KEY.slice(3));
      expect(await rowOf(house, stream.requestId)).toMatchObject({ cost: 0n });
    },
  );

  test.each(wires)("that breaks off in the middle of %s is told of too", async (_path, wire) => {
    house.vendor.play((call) => {
      const pieces = piecesFor(call);
      return streamOf([...pieces.opening, ...pieces.deltas(VENDOR_TEXT)]);
    });
    const stream = await openStream(house, wire);
    await stream.readAll();
    expectFailedEnd(stream, wire);
    expect(await rowOf(house, stream.requestId)).toMatchObject({
      reason: "upstream_failed",
      cost: 0n,
    });
  });

  // Stands last: the vendor does not come back.
  test("that is not there at all is a 503", async () => {
    await house.vendor.stop();
    for (const wire of WIRES) {
      const response = await house.server.post(wire.path, house.key, requestOf(wire));
      expect(response.status).toBe(503);
    }
  });
});
