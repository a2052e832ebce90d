// A WebSocket lives by its key: what becomes of the connection when the key may not be used any more,
// whichever process has said so.
import { expect, test } from "bun:test";
import { onEngines } from "../store/engines.ts";
import { expectWhole, SocketClient } from "../support/clients/socket-client.ts";
import { noHolds, receipts } from "../support/houses/database.ts";
import { type Parts, perSuite } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { answer, MockVendor, pausedEvents, streamOf } from "../support/vendors/mock-vendor.ts";
import { eventually } from "../support/waiting.ts";

const ASK = { model: "gpt-6-luna", input: "Tell me about foxes." };
const NOT_ALLOWED = 1008;
const SOCKETS_MAX = 3;

onEngines("a WebSocket on $name", (engine) => {
  const house = perSuite(async (parts: Parts) => {
    const vendor = parts.keep(new MockVendor());
    const settings = {
      ...vendor.settings,
      FAREGATE_WEBSOCKET_KEY_LOOK_MS: "100",
      FAREGATE_WEBSOCKETS_PER_KEY_MAX: String(SOCKETS_MAX),
    };
    return { vendor, ...(await serve(parts, { engine, settings, books: true })) };
  });

  type Made = Awaited<ReturnType<(typeof house)["server"]["account"]>>;
  type Change = (made: Made) => Promise<unknown>;

  /** As another process changes a key: this one, beside the server. */
  const key =
    (changes: object): Change =>
    ({ keyId }) =>
      house.server.beside(({ store }) => store.accounts.updateKey(keyId, changes));
  const account: Change = ({ accountId }) =>
    house.server.beside(({ store }) => store.accounts.updateAccount(accountId, { enabled: false }));

  test.each<[string, Change, string]>([
    [
      "is disabled",
      key({ enabled: false }),
      "This API key is disabled. Enable it or use another one.",
    ],
    ["has expired", key({ expiresAtMs: 1 }), "This API key has expired. Create a new one."],
    [
      "may be used elsewhere only",
      key({ networks: ["10.99.0.0/16"] }),
      "This API key may not be used from this network address.",
    ],
    ["has a suspended account", account, "The account of this API key is suspended."],
  ])("is closed when its key %s", async (_how, change, reason) => {
    house.vendor.play(answer);
    const made = await house.server.account("1");
    const used = await SocketClient.open(house.server, made.key);
    const unused = await SocketClient.open(house.server, made.key);
    const other = await SocketClient.open(house.server, (await house.server.account("1")).key);
    expectWhole(await used.turn(ASK));
    await change(made);
    for (const socket of [used, unused]) {
      expect(await socket.ended).toEqual({ code: NOT_ALLOWED, reason });
      expect(socket.heard).toMatchObject([{ type: "error", status: 401 }]);
    }
    expectWhole(await other.turn(ASK));
    await other.close();
  });

  test("ends the turn that runs as any request, and begins no other", async () => {
    const gate = Promise.withResolvers<void>();
    house.vendor.play((call) => streamOf(pausedEvents(call, gate.promise)));
    const made = await house.server.account("1");
    const running = await SocketClient.open(house.server, made.key);
    const idle = await SocketClient.open(house.server, made.key);
    running.create(ASK);
    running.create(ASK);
    await running.hears(({ type }) => type === "response.output_text.delta");
    await key({ enabled: false })(made);
    // By then the one that runs has been told too: all of a key are looked at in one round.
    expect((await idle.ended).code).toBe(NOT_ALLOWED);
    const before = house.vendor.calls.length;
    gate.resolve();
    expectWhole(await running.take());
    expect((await running.ended).code).toBe(NOT_ALLOWED);
    expect(house.vendor.calls).toHaveLength(before);
    house.vendor.play(answer);
    const rows = (await receipts(house.database)).filter(({ keyId }) => keyId === made.keyId);
    expect(rows).toMatchObject([{ reason: "completed", status: 200 }]);
    expect(rows[0]?.cost).toBeGreaterThan(0n);
    await noHolds(house.database);
  });

  test("stays while the key is changed in what it does not ask for", async () => {
    house.vendor.play(answer);
    const made = await house.server.account("1");
    const socket = await SocketClient.open(house.server, made.key);
    await key({ name: "renamed", networks: ["127.0.0.0/8"] })(made);
    const gone = await house.server.account("1");
    const other = await SocketClient.open(house.server, gone.key);
    await key({ enabled: false })(gone);
    await other.ended;
    expectWhole(await socket.turn(ASK));
    await socket.close();
  });

  test("gives its slot back when it is closed so", async () => {
    const made = await house.server.account("1");
    const open = () => SocketClient.open(house.server, made.key);
    const sockets = await Promise.all(Array.from({ length: SOCKETS_MAX }, open));
    await key({ enabled: false })(made);
    for (const socket of sockets) await socket.ended;
    await key({ enabled: true })(made);
    const again = await eventually("there is a slot", () => open().catch(() => undefined));
    await again.close();
  });
});
