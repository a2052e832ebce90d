// How a WebSocket of /v1/responses ends when neither side asked for it: its time is up, the server
// goes, or the client takes nothing any more.
import { describe, expect, test } from "bun:test";
import { DeafClient } from "../support/clients/deaf-client.ts";
import { connect, expectWhole } from "../support/clients/socket-client.ts";
import { noHolds, receipts } from "../support/houses/database.ts";
import { partsOfTest, perSuite, perTest } from "../support/houses/house.ts";
import { serveMock } from "../support/houses/serving.ts";
import { answer, pausedEvents, piecesFor, streamOf } from "../support/vendors/mock-vendor.ts";
import { eventually } from "../support/waiting.ts";

const ASK = { model: "gpt-6-luna", input: "Tell me about foxes." };
const LIFE_MS = 1_500;
/** Nobody waits so long for a test: a shutdown that hangs is one that fails. */
const DRAIN_MS = 600_000;
const TIMEOUT_MS = 100_000;
/** How a process ends is part of it, or what it does with a broken stream that nobody reads. */
const ALONE = { process: true };

describe("the life of a WebSocket", () => {
  const house = perSuite((parts) =>
    serveMock(parts, { FAREGATE_WEBSOCKET_MS_MAX: String(LIFE_MS) }),
  );

  test("ends while it is idle, with a word", async () => {
    house.vendor.play(answer);
    const socket = await connect(house);
    expectWhole(await socket.turn(ASK));
    const { messages, code } = await socket.take();
    expect(messages).toHaveLength(1);
    expect(code).toBe("websocket_connection_limit_reached");
    expect((await socket.ended).code).toBe(1000);
    const next = await connect(house);
    expectWhole(await next.turn(ASK));
    await next.close();
  });

  test("ends after the turn that runs, and before the next", async () => {
    const gate = Promise.withResolvers<void>();
    house.vendor.play((call) => streamOf(pausedEvents(call, gate.promise)));
    const socket = await connect(house);
    socket.create(ASK);
    socket.create(ASK);
    await socket.hears(({ type }) => type === "response.output_text.delta");
    // One that came later is told first, because it is idle: by then the time of this one is up too.
    const later = await connect(house);
    await later.ended;
    gate.resolve();
    expectWhole(await socket.take());
    expect((await socket.take()).code).toBe("websocket_connection_limit_reached");
    await socket.ended;
    expect(house.vendor.calls).toHaveLength(1);
  });
});

describe("a server that stops", () => {
  const settings = { FAREGATE_SHUTDOWN_DRAIN_MS: String(DRAIN_MS) };
  const house = perTest((parts) => serveMock(parts, settings, ALONE));
  const parts = partsOfTest();

  test(
    "does not wait for a WebSocket that is idle",
    async () => {
      const used = await connect(house);
      expectWhole(await used.turn(ASK));
      const unused = await connect(house);
      expect(await house.server.stop()).toBe(0);
      expect([(await used.ended).code, (await unused.ended).code]).toEqual([1001, 1001]);
    },
    TIMEOUT_MS,
  );

  test(
    "lets a turn on a WebSocket come to its end",
    async () => {
      const gate = Promise.withResolvers<void>();
      parts.defer(gate.resolve);
      house.vendor.play((call) => streamOf(pausedEvents(call, gate.promise)));
      const socket = await connect(house);
      const idle = await connect(house);
      socket.create(ASK);
      socket.create(ASK);
      await socket.hears(({ type }) => type === "response.output_text.delta");
      const stopped = house.server.stop();
      expect((await idle.ended).code).toBe(1001);
      gate.resolve();
      expectWhole(await socket.take());
      expect((await socket.ended).code).toBe(1001);
      expect(await stopped).toBe(0);
      expect(house.vendor.calls).toHaveLength(1);
      const rows = await receipts(house.database);
      expect(rows.map(({ reason }) => reason)).toEqual(["completed"]);
    },
    TIMEOUT_MS,
  );
});

describe("a client that takes nothing", () => {
  const house = perSuite((parts) => serveMock(parts, { FAREGATE_CLIENT_IDLE_MS: "400" }, ALONE));

  test("counts as gone: the vendor is cancelled and nothing is held", async () => {
    const sent = { bytes: 0 };
    house.vendor.play((call) => {
      const pieces = piecesFor(call);
      async function* flood() {
        yield* pieces.opening;
        while (!call.signal.aborted) {
          const [event = ""] = pieces.deltas(["x".repeat(64 * 1024)]);
          sent.bytes += event.length;
          yield event;
        }
      }
      return streamOf(flood());
    });
    const client = await DeafClient.connect(house.server.url, house.key);
    client.send({ type: "response.create", ...ASK });
    const { vendor, database } = house;
    await eventually("the vendor is called", () => vendor.calls.length > 0);
    await eventually("the vendor's call is cancelled", () => vendor.lastCall.signal.aborted);
    const [row] = await eventually("there is a receipt", async () => {
      const rows = await receipts(database);
      return rows.length > 0 && rows;
    });
    expect(row).toMatchObject({ reason: "client_closed", status: 499 });
    await noHolds(database);
    // What waits for the client does not grow without end.
    expect(sent.bytes).toBeLessThan(64 * 1024 * 1024);
    // Whatever it takes later, there is no word of a failure of ours, and the connection is over.
    const heard = await client.hearOut();
    expect(heard.includes('"response.created"')).toBe(true);
    expect(heard.includes('{"type":"error"')).toBe(false);
    expect(heard.slice(-50)).toEndWith("the answer was cut off");
    client.leave();
  });
});
