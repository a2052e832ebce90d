// Requests that are nearly right, in any pieces, to a server of either listener: both say the same. And many of all kinds,
// which leave nothing behind.

import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { exchange } from "../support/clients/exchanges.ts";
import { RawClient } from "../support/clients/raw-client.ts";
import { count } from "../support/counts.ts";
import { openFiles } from "../support/files/open-files.ts";
import { LISTENERS, openEcho } from "../support/houses/echo-servers.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { keptLog } from "../support/logs.ts";
import { PAGE, PLAIN, post, RAW_REQUESTS, sized } from "../support/samples/raw-requests.ts";
import { eventually } from "../support/waiting.ts";

const CONVERSATIONS = count(200, 20_000);
const CONNECTIONS = count(1_500, 30_000);
const AT_ONCE = 50;
/** A conversation takes milliseconds; many do as many times. */
const TIMEOUT_MS = 3_600_000;

const parts = partsOfTest();

function open() {
  const { log, logged } = keptLog();
  const settings = { FAREGATE_CORS: "https://a.example" };
  const [own, bun] = LISTENERS.map((listener) => openEcho(parts, { listener, log, settings }));
  return { own: own?.port ?? 0, bun: bun?.port ?? 0, logged };
}

/** What a byte may become that is not as it should be. */
const ODD_BYTES = [..."\0\t\n\r :,;/?#\x7f\x80\xff0aZ{}"];

/** One byte more, less or another, somewhere. */
const slip = fc.record({
  at: fc.nat(),
  taken: fc.constantFrom(0, 1, 1, 2),
  put: fc.constantFrom("", ...ODD_BYTES),
});

function slipped(text: string, slips: readonly { at: number; taken: number; put: string }[]) {
  return slips.reduce((now, { at, taken, put }) => {
    const from = at % (now.length + 1);
    return now.slice(0, from) + put + now.slice(from + taken);
  }, text);
}

/**
 * Those that are not long, so that what is odd about them is hit by chance. A long answer is cut off by the runtime where
 * something bad stands behind its request; of a head alone the body is not there.
 */
const short = Object.values(RAW_REQUESTS).filter(
  (text) => text.length < 1_000 && !text.startsWith("HEAD") && !text.includes("large"),
);
const request = fc.oneof(
  { weight: 2, arbitrary: fc.constant(PLAIN) },
  { weight: 1, arbitrary: fc.constant(sized("{}", "x-way: events")) },
  { weight: 1, arbitrary: fc.constant(sized(PAGE, "x-refuse: 1")) },
  { weight: 1, arbitrary: fc.constant(PAGE) },
  { weight: 3, arbitrary: fc.constantFrom(...short) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...short), fc.array(slip, { minLength: 1, maxLength: 2 }))
      .map(([text, slips]) => slipped(text, slips)),
  },
);

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [...new Set(places.map((place) => place % bytes.length))].sort((a, b) => a - b);
  const from = [0, ...at.filter((place) => place > 0)];
  return from.map((place, i) => bytes.subarray(place, from[i + 1]));
}

const conversation = fc
  .tuple(fc.array(request, { minLength: 1, maxLength: 4 }), fc.array(fc.nat(), { maxLength: 4 }))
  .map(([requests, places]) => cut(Buffer.from(requests.join(""), "latin1"), places));

test(
  `what is said to ${CONVERSATIONS} conversations does not depend on the listener`,
  async () => {
    const { own, bun, logged } = open();
    const property = fc.asyncProperty(conversation, async (pieces) => {
      const was = await exchange(bun, pieces);
      const shown = JSON.stringify(pieces.map((piece) => piece.toString("latin1")));
      expect({ shown, ...(await exchange(own, pieces)) }).toEqual({ shown, ...was });
    });
    await fc.assert(property, { numRuns: CONVERSATIONS, endOnFailure: true });
    expect(logged("connection_broke")).toEqual([]);
  },
  TIMEOUT_MS,
);

/** What a client does with a connection before it leaves it, or is left. */
type Conduct = (client: RawClient) => Promise<unknown> | unknown;

const says = (client: RawClient, text: string) =>
  eventually(text, () => client.isClosed || client.text.includes(text));

const CONDUCTS: readonly Conduct[] = [
  () => {},
  (client) => client.send(PLAIN),
  (client) => client.send(PLAIN.slice(0, -1)),
  (client) => client.send(PLAIN.slice(0, 30)),
  (client) => client.send(PAGE),
  (client) => client.send(PLAIN + PAGE),
  (client) => client.send(PAGE.repeat(20)),
  (client) => client.send(sized("{}", "x-way: endless")),
  (client) => client.send(sized("{}", "x-way: endless", "connection: close")),
  (client) => client.send("\x16\x03\x01 hello"),
  (client) => client.send(post(["transfer-encoding: chunked"], "5\r\nhel")),
  async (client) => {
    client.send(PLAIN);
    await says(client, "\r\n\r\n{");
    client.send(PLAIN + PAGE);
    await says(client, '"page":true');
    client.send(sized("{}", "x-way: events"));
    await says(client, "[DONE]");
  },
  async (client) => {
    client.send(sized("{}{}", "x-refuse: 1").slice(0, -1));
    await says(client, "401");
  },
  async (client) => {
    client.send(sized("{}", "x-way: endless"));
    await says(client, "data: e");
    client.stopReading();
  },
  async (client) => {
    client.send(sized("{}", "x-odd: close") + PLAIN);
    await client.closed;
  },
  async (client) => {
    client.send(PLAIN);
    client.sendNoMore();
    await client.closed;
  },
  async (client) => {
    client.send(PAGE);
    client.sendNoMore();
    await client.closed;
  },
];

/** How many sockets there are in memory, open or not. */
function socketsInMemory(): number {
  Bun.gc(true);
  return heapStats().objectTypeCounts.TCPSocket ?? 0;
}

test(
  `of ${CONNECTIONS} clients that leave at any moment nothing is left`,
  async () => {
    const { own, logged } = open();
    const url = `http://127.0.0.1:${own}`;
    const [files, sockets] = [openFiles(), socketsInMemory()];
    let next = 0;
    const some = async () => {
      while (next < CONNECTIONS) {
        const conduct = CONDUCTS[next++ % CONDUCTS.length] as Conduct;
        const client = await RawClient.connect(url);
        await conduct(client);
        client.leave();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, some));
    await eventually("all files are closed", () => openFiles() <= files);
    // What the loop is at, and what the collector takes for something that is referred to.
    await eventually("no socket is kept", () => socketsInMemory() <= sockets + AT_ONCE);
    expect(logged("connection_broke")).toEqual([]);
    expect(logged("request_broke")).toEqual([]);
  },
  TIMEOUT_MS,
);
