// Calls of a whole server by bare sockets, with either listener: who called, what is charged to whoever leaves at which
// moment, and that what is held comes back.
import { describe, expect, test } from "bun:test";
import { RawClient } from "../support/clients/raw-client.ts";
import { shakeHands } from "../support/clients/socket-client.ts";
import { noHolds, openHolds, type ReceiptRow, receipts } from "../support/houses/database.ts";
import { LISTENERS } from "../support/houses/echo-servers.ts";
import { perSuite } from "../support/houses/house.ts";
import { type MockHouse, serveMock } from "../support/houses/serving.ts";
import { answer, pausedEvents, streamOf } from "../support/vendors/mock-vendor.ts";
import { caughtUp, eventually } from "../support/waiting.ts";

const MODEL = "gpt-6-luna";
const CHAT = "/v1/chat/completions";
const messages = [{ role: "user", content: "Hello" }];
const WHOLE = { model: MODEL, messages };
const STREAM = { model: MODEL, messages, stream: true };

/** What is left when a client has left, but for its ids. */
type Left = Pick<ReceiptRow, "status" | "reason"> & { readonly paid: boolean };

/** How a call is left: what it asks for, and when its client goes. */
const MOMENTS: Readonly<Record<string, (house: MockHouse, client: RawClient) => Promise<void>>> = {
  "before its body is there": async ({ server, key }, client) => {
    const text = JSON.stringify(WHOLE);
    client.send(
      `POST ${CHAT} HTTP/1.1\r\nhost: gate\r\nauthorization: Bearer ${key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text.slice(0, -1)}`,
    );
    await caughtUp(server.url);
  },
  "while its vendor is asked": async ({ vendor, key }, client) => {
    const gate = Promise.withResolvers<void>();
    vendor.play(async (call) => {
      await gate.promise;
      return answer(call);
    });
    client.post(CHAT, key, WHOLE);
    await eventually("the vendor is called", () => vendor.calls.length === 1);
    client.leave();
    await client.closed;
    gate.resolve();
  },
  "while the vendor of its stream is asked": async ({ vendor, key }, client) => {
    const gate = Promise.withResolvers<void>();
    vendor.play(async (call) => {
      await gate.promise;
      return answer(call);
    });
    client.post(CHAT, key, STREAM);
    await eventually("the vendor is called", () => vendor.calls.length === 1);
    client.leave();
    await client.closed;
    gate.resolve();
  },
  "in the middle of its stream": async ({ vendor, key }, client) => {
    vendor.play((call) => streamOf(pausedEvents(call, new Promise(() => {}))));
    client.post(CHAT, key, STREAM);
    await eventually("it has begun", () => client.text.includes("quick"));
  },
  "behind the last byte of its stream": async ({ vendor, key }, client) => {
    vendor.play(answer);
    client.post(CHAT, key, STREAM);
    await eventually("all is there", () => client.text.endsWith("0\r\n\r\n"));
  },
  "behind its answer": async ({ vendor, key }, client) => {
    vendor.play(answer);
    client.post(CHAT, key, WHOLE);
    await eventually("it is there", () => client.text.includes("fox."));
  },
};

const houseOf = (listener: string) =>
  perSuite((parts) => serveMock(parts, { FAREGATE_LISTENER: listener }));

describe("a client that leaves", () => {
  const houses = LISTENERS.map(houseOf);

  /** What it leaves behind, once nothing is held any more. */
  async function left(house: MockHouse, moment: string): Promise<Left[]> {
    const { server, database, vendor } = house;
    vendor.play(answer);
    const before = (await receipts(database)).map(({ id }) => id);
    const client = await RawClient.connect(server.url);
    await MOMENTS[moment]?.(house, client);
    client.leave();
    await caughtUp(server.url);
    await noHolds(database);
    const rows = await eventually("its receipt is there", async () => {
      const now = (await receipts(database)).filter(({ id }) => !before.includes(id));
      return now.length > 0 && now;
    });
    expect(await openHolds(database)).toEqual([]);
    return rows.map(({ status, reason, cost }) => ({ status, reason, paid: cost > 0n }));
  }

  test.each(Object.keys(MOMENTS))(
    "%s is charged the same, whoever has its connection",
    async (moment) => {
      const [own, bun] = await Promise.all(houses.map((house) => left(house, moment)));
      expect(own).toEqual(bun as Left[]);
      expect(own).toHaveLength(1);
    },
  );
});

describe("calls one behind the other", () => {
  const house = houseOf("own");

  test("are asked one after another, and those that nobody waits for any more are not", async () => {
    const { server, database, vendor, key } = house;
    const gate = Promise.withResolvers<void>();
    vendor.play(async (call) => {
      if (vendor.calls.length === 2) await gate.promise;
      return answer(call);
    });
    const client = await RawClient.connect(server.url);
    for (const body of [WHOLE, STREAM, WHOLE]) client.post(CHAT, key, body);
    await eventually("the second is asked", () => vendor.calls.length === 2);
    expect(client.text).toContain("fox.");
    client.leave();
    await client.closed;
    gate.resolve();
    await noHolds(database);
    const rows = await eventually("both have receipts", async () => {
      const now = await receipts(database);
      return now.length === 2 && now;
    });
    expect(rows.map(({ cost }) => cost > 0n)).toEqual([true, true]);
    expect(vendor.calls).toHaveLength(2);
  });
});

describe.each(LISTENERS)("a key that is bound to a network, with listener %s", (listener) => {
  const house = perSuite(async (parts) => {
    const served = await serveMock(parts, {
      FAREGATE_LISTENER: listener,
      FAREGATE_TRUSTED_PROXIES: "127.0.0.1/32",
    });
    const bound = await served.server.account("100", "--networks", "10.1.2.0/24,fd00:1::/32");
    const local = await served.server.account("100", "--networks", "127.0.0.1/32");
    return { ...served, bound: bound.key, local: local.key };
  });

  /** The statuses of a call, of a request that is passed on, of both on one connection, and of a WebSocket. */
  async function statuses(key: string, from: string | undefined): Promise<number[]> {
    const { server } = house;
    const forwarded = from === undefined ? {} : { "x-forwarded-for": from };
    const lines = Object.entries({ authorization: `Bearer ${key}`, ...forwarded })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("");
    const client = await RawClient.connect(server.url);
    const answers = () =>
      [...client.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, told]) => Number(told));
    client.post(CHAT, key, WHOLE, forwarded);
    await eventually("it is answered", () => answers().length === 1);
    client.send(`GET /v1/models HTTP/1.1\r\nhost: gate\r\n${lines}\r\n`);
    await eventually("the next is answered", () => answers().length === 2);
    client.post(CHAT, key, WHOLE, forwarded);
    await eventually("the last is answered", () => answers().length === 3);
    client.leave();
    const { status } = await shakeHands(server, { authorization: `Bearer ${key}`, ...forwarded });
    return [...answers(), status];
  }

  test.each([
    ["from there", "10.1.2.3", [200, 200, 200, 200]],
    ["from there by IPv6", "fd00:1::9", [200, 200, 200, 200]],
    ["from there behind its own claim", "127.0.0.1, 10.1.2.3", [200, 200, 200, 200]],
    ["from elsewhere", "10.1.3.3", [401, 401, 401, 401]],
    ["from elsewhere with a claim", "10.1.2.3, 10.1.3.3", [401, 401, 401, 401]],
    ["from the proxy itself", undefined, [401, 401, 401, 401]],
  ])("is taken %s or not, on every way", async (_, from, expected) => {
    expect(await statuses(house.bound, from)).toEqual(expected);
  });

  test("knows the machine itself, and what was passed on from that of another", async () => {
    expect(await statuses(house.local, undefined)).toEqual([200, 200, 200, 200]);
    expect(await statuses(house.local, "10.1.2.3")).toEqual([401, 401, 401, 401]);
  });
});
