// How many WebSockets there may be and how large a message: the runtime keeps a message until it is whole and shows
// nothing of it before, so these two bound what one account can have a gate hold.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { TestServer } from "../server.ts";
import { RawClient } from "../support/clients/raw-client.ts";
import {
  connect,
  expectWhole,
  handshakeLines,
  SocketClient,
  shakeHands,
} from "../support/clients/socket-client.ts";
import { expectError } from "../support/errors.ts";
import { LISTENERS } from "../support/houses/echo-servers.ts";
import { partsOfTest, perSuite } from "../support/houses/house.ts";
import { serve, serveMock } from "../support/houses/serving.ts";
import { eventually } from "../support/waiting.ts";

const MIB = 1024 * 1024;
const MESSAGE_BYTES_MAX = 4 * MIB;
const ASK = { model: "gpt-6-luna", input: "Tell me about foxes." };

const TEXT_BEGINS = 0x01;
const CONTINUES = 0x00;
const PING = Buffer.from([0x89, 0x80, 0, 0, 0, 0]);
const PONG = String.fromCharCode(0x8a, 0);

/** A frame of a client, masked with zeros. */
function frame(type: number, bytes: number): Buffer {
  const head = Buffer.alloc(14);
  head[0] = type;
  head[1] = 0xff;
  head.writeBigUInt64BE(BigInt(bytes), 2);
  return Buffer.concat([head, Buffer.alloc(bytes, "x")]);
}

async function openRaw({ url }: TestServer, key: string): Promise<RawClient> {
  const client = await RawClient.connect(url);
  client.send(handshakeLines({ authorization: `Bearer ${key}` }));
  await eventually("the handshake is answered", () => client.octets.startsWith("HTTP/1.1 101"));
  return client;
}

/** All of a message but for its end. Resolves once the gate has read it. */
async function leaveUnfinished(server: TestServer, key: string): Promise<RawClient> {
  const client = await openRaw(server, key);
  client.send(frame(TEXT_BEGINS, MESSAGE_BYTES_MAX - 1));
  client.send(PING);
  await eventually("the ping is answered", () => client.octets.endsWith(PONG));
  return client;
}

/** The most memory that a process has had. */
function peakOf({ pid }: TestServer): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(status) ?? [];
  return Number(kilobytes) * 1024;
}

describe.each(LISTENERS)("a message that is too large, with listener %s", (listener) => {
  const house = perSuite((parts) => serveMock(parts, { FAREGATE_LISTENER: listener }));
  const message = `A message on a WebSocket may have at most ${MESSAGE_BYTES_MAX} bytes. Send larger requests over HTTP with POST /v1/responses.`;
  const reason = `A message may have ${MESSAGE_BYTES_MAX} bytes; send larger requests over HTTP.`;
  const event = { type: "error", status: 413, error: { code: "request_too_large", message } };
  /** The runtime has no more to say, and the listener that has the connection itself adds to it. */
  const explained = { heard: [event], ended: { code: 1009, reason } };
  const bare = { heard: [], ended: { code: 1009, reason: "Received too big message" } };
  const expected = listener === "own" ? explained : bare;

  test.each([MESSAGE_BYTES_MAX, 5 * MESSAGE_BYTES_MAX])(
    "is told so, with a text of %d bytes",
    async (bytes) => {
      const socket = await connect(house);
      expectWhole(await socket.turn(ASK));
      socket.create({ ...ASK, input: "x".repeat(bytes) });
      const ended = await socket.ended;
      expect({ heard: socket.heard, ended }).toMatchObject(expected);
    },
  );

  test("is told so where its pieces are too large together", async () => {
    const client = await openRaw(house.server, house.key);
    client.send(frame(TEXT_BEGINS, MESSAGE_BYTES_MAX / 2));
    for (let at = 0; at < 2; at++) client.send(frame(CONTINUES, MESSAGE_BYTES_MAX / 4 + 1));
    await client.closed;
    expect(client.octets).toEndWith(expected.ended.reason);
  });

  test("is one byte larger than one that is answered", async () => {
    const socket = await connect(house);
    const empty = JSON.stringify({ type: "response.create", ...ASK, input: "" });
    expectWhole(await socket.turn({ ...ASK, input: "x".repeat(MESSAGE_BYTES_MAX - empty.length) }));
    socket.create({ ...ASK, input: "x".repeat(MESSAGE_BYTES_MAX - empty.length + 1) });
    expect((await socket.ended).code).toBe(1009);
  });
});

describe("open WebSockets", () => {
  const limits = { perKey: 3, perAccount: 5, perProcess: 7 };
  const house = perSuite((parts) =>
    serveMock(parts, {
      FAREGATE_WEBSOCKETS_PER_KEY_MAX: String(limits.perKey),
      FAREGATE_WEBSOCKETS_PER_ACCOUNT_MAX: String(limits.perAccount),
      FAREGATE_WEBSOCKETS_PER_PROCESS_MAX: String(limits.perProcess),
      FAREGATE_WEBSOCKET_KEY_LOOK_MS: "100",
    }),
  );

  const open = (key: string) => SocketClient.open(house.server, key);
  const shake = (key: string) => shakeHands(house.server, { authorization: `Bearer ${key}` });

  /** One account with two keys. */
  async function twoKeys() {
    const { key, keyId, accountId } = await house.server.account("1");
    const second = await house.server.within(({ accounts }) =>
      accounts.createKey(accountId, { name: "second" }),
    );
    return { keyId, keys: [key, second?.key ?? ""] as const };
  }

  async function fill(keys: readonly string[], count: number): Promise<SocketClient[]> {
    const sockets: SocketClient[] = [];
    for (let at = 0; at < count; at++) {
      sockets.push(await open(keys[Math.floor(at / limits.perKey)] ?? ""));
    }
    return sockets;
  }

  test("are so many of a key, of an account and of the process", async () => {
    const tooMany = { status: 429, type: "rate_limit_error", code: "rate_limit_exceeded" };
    const { keys } = await twoKeys();
    const sockets = await fill(keys, limits.perKey);
    const ofKey = await shake(keys[0]);
    expect(ofKey.headers.get("x-faregate-limit")).toBe("websockets_per_key");
    expect(ofKey.headers.get("retry-after")).toBe("1");
    await expectError(ofKey, tooMany);

    for (let at = limits.perKey; at < limits.perAccount; at++) sockets.push(await open(keys[1]));
    const ofAccount = await shake(keys[1]);
    expect(ofAccount.headers.get("x-faregate-limit")).toBe("websockets_per_account");
    await expectError(ofAccount, tooMany);

    const other = await house.server.account("1");
    for (let at = limits.perAccount; at < limits.perProcess; at++) {
      sockets.push(await open(other.key));
    }
    const ofProcess = await shake(other.key);
    expect(ofProcess.headers.get("x-faregate-limit")).toBe("websockets_per_process");
    const overloaded = { status: 503, type: "service_unavailable_error", code: "overloaded" };
    await expectError(ofProcess, overloaded);
    for (const socket of sockets) await socket.close();
  });

  test.each<[string, (client: RawClient, made: { keyId: string }) => unknown]>([
    ["vanishes", (client) => client.leave()],
    [
      "vanishes within a message",
      (client) => {
        client.send(frame(TEXT_BEGINS, 100_000));
        client.leave();
      },
    ],
    ["says no more", (client) => client.sendNoMore()],
    ["sends what is no frame", (client) => client.send(Buffer.alloc(100, 0xff))],
    [
      "sends a message that is too large",
      (client) => client.send(frame(TEXT_BEGINS, MESSAGE_BYTES_MAX + 1)),
    ],
    [
      "may not use its key any more",
      (_client, { keyId }) => house.server.command("key", "disable", keyId),
    ],
  ])("are counted no more when their client %s", async (_how, end) => {
    const made = await twoKeys();
    const clients: RawClient[] = [];
    for (let at = 0; at < limits.perKey; at++) {
      clients.push(await openRaw(house.server, made.keys[0]));
    }
    for (const client of clients) await end(client, made);
    // As many as the process may have fit only once all of those are gone.
    const keys = [made.keys[1]];
    for (let at = 0; at < 2; at++) keys.push((await house.server.account("1")).key);
    const sockets: SocketClient[] = [];
    for (let at = 0; at < limits.perProcess; at++) {
      const key = keys[at % keys.length] ?? "";
      sockets.push(await eventually("a slot is free", () => open(key).catch(() => undefined)));
    }
    for (const socket of sockets) await socket.close();
    for (const client of clients) client.leave();
  });
});

describe("messages of one account that never end", () => {
  const PER_KEY = 32;
  const PER_ACCOUNT = 48;
  /** What the documents promise. */
  const GROWTH_BYTES_MAX = 256_000_000;
  const TIMEOUT_MS = 60_000;
  const parts = partsOfTest();

  test(
    "weigh no more than is promised",
    async () => {
      const { server } = await serve(parts, { process: true });
      const { key, accountId } = await server.account("0");
      const made = ["key", "create", "--account", accountId, "--name", "second"];
      const second = await server.command<{ key: string }>(...made);
      const before = peakOf(server);
      const clients: RawClient[] = [];
      for (let at = 0; at < PER_ACCOUNT; at++) {
        clients.push(await leaveUnfinished(server, at < PER_KEY ? key : second.key));
      }
      const { status } = await shakeHands(server, { authorization: `Bearer ${second.key}` });
      expect(status).toBe(429);
      const growth = peakOf(server) - before;
      expect(growth).toBeLessThan(GROWTH_BYTES_MAX);
      for (const client of clients) client.leave();
    },
    TIMEOUT_MS,
  );
});
