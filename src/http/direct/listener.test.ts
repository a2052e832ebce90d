import { expect, test } from "bun:test";
import { RawClient } from "../../../test/support/clients/raw-client.ts";
import { freePort } from "../../../test/support/free-port.ts";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { PAGE, PLAIN, RAW_REQUESTS, sized } from "../../../test/support/samples/raw-requests.ts";
import { eventually } from "../../../test/support/waiting.ts";
import { HttpResponse } from "../../lib/net/http-response.ts";
import type { DirectCall } from "./direct-call.ts";
import { DirectListener } from "./listener.ts";

const parts = partsOfTest();

/** Of what is tried on both listeners, all that this one reads itself. What the host is, is asked by whoever has the places. */
const PLAIN_ONES = [
  "plain",
  "of capitals",
  "without a body",
  "with a length with zeros before it",
  "with blanks around its values",
  "with an empty value",
  "of less than its length",
  "of more than its length",
  "with a tab in a value",
  "with every mark in a name",
  "with a name of one mark",
  "with an empty host",
  "with a bad host",
  "with a host with a path",
  "with a host with a port",
  "with a host of IPv6",
  "of one key",
  "that is kept",
  "of 60 fields",
  "of 64 fields",
  "of 40 fields",
  "with a long field",
  "with a head of 16 KB",
  "with a request in its body",
  "with a request behind its body",
  "with two requests in its body",
  "that is refused",
  "that is refused before its body",
  "that is refused with a request in its body",
  "that breaks something",
  "that was too slow",
  "that was too slow, and another",
  "answered in bytes",
  "answered in a file",
  "answered in chunks",
  "answered in all letters",
  "answered by a stream",
  "answered by a large stream",
  "answered by an empty stream",
  "whose answer guards itself",
  "whose answer has an id",
  "whose answer is the last",
  "whose answer is the last, before another",
  "whose stream is the last",
  "of 100 KB",
  "of 256 KB",
  "of all bytes",
  "one plain behind the other",
  "a stream before another",
  "a large stream before another",
  "a refused one before another",
  "a plain one before a bad one",
  "a plain one before what is not HTTP",
  "a plain one before half of one",
  "a plain one before one without its body",
  "many at once",
  "many of them in turns",
  "more than is kept of what comes early",
];

interface Played {
  /** The port that everything else is passed on to, in place of that of a server. */
  readonly behind?: number;
  targetOf?(path: string): string | undefined;
  answer?(call: DirectCall): Promise<HttpResponse>;
}

/** A listener with one place, and a server behind it that tells from which port it was asked. */
async function open({ targetOf, answer, behind: remote }: Played = {}) {
  const broke: unknown[] = [];
  const ports: number[] = [];
  const behind = parts.keep(
    Bun.serve({
      ...{ hostname: "127.0.0.1", port: 0 },
      fetch(request, server) {
        ports.push(server.requestIP(request)?.port ?? 0);
        return new Response("from behind");
      },
    }),
  );
  const fine = async () => new HttpResponse("from here", {});
  const listener = new DirectListener<string>(
    { hostname: "127.0.0.1", port: 0, isShared: false },
    {
      targetOf: targetOf ?? ((path) => (path === "/v1/echo" ? path : undefined)),
      answer: (target, call, connection) =>
        void (answer ?? fine)(call).then((given) => connection.take(target, given)),
      linesOf: () => "",
      addressOf: (peer) => peer,
      behind: remote ?? behind.port ?? 0,
      closeWithReason: new Uint8Array(),
      uploadMs: 60_000,
      keepMs: 60_000,
      broke: (thrown) => broke.push(thrown),
    },
  );
  parts.defer(() => listener.end());
  const connect = async () =>
    parts.adopt(await RawClient.connect(`http://127.0.0.1:${listener.port}`), (client) =>
      client.leave(),
    );
  return { listener, broke, ports, connect };
}

test("a mistake of ours ends the connection that it was made on, and no other", async () => {
  const targetOf = (path: string) => {
    if (path === "/v1/echo") return path;
    throw new Error("a bug");
  };
  const { broke, connect } = await open({ targetOf });
  const client = await connect();
  // What stands behind it must not be read as if nothing had been.
  client.send(PLAIN.replace("/v1/echo", "/v1/bug") + PLAIN);
  await client.closed;
  expect(client.text).toBe("");
  expect(broke).toEqual([new Error("a bug")]);
  const next = await connect();
  next.send(PLAIN);
  await eventually("it is answered", () => next.text.endsWith("from here"));
});

test("an answer that cannot be written ends its connection, and no other", async () => {
  const answer = async (call: DirectCall) => {
    const isOdd = call.request.headers.has("x-odd");
    return new HttpResponse("from here", isOdd ? { "x-a": undefined as unknown as string } : {});
  };
  const { broke, connect } = await open({ answer });
  const [client, next] = [await connect(), await connect()];
  client.send(sized("{}", "x-odd: 1"));
  await client.closed;
  expect(broke).toHaveLength(1);
  next.send(PLAIN);
  await eventually("it is answered", () => next.text.endsWith("from here"));
});

test("whose a connection is that was passed on is known until it is over", async () => {
  const { listener, ports, connect } = await open();
  const client = await connect();
  client.send(PAGE);
  await eventually("it is answered", () => client.text.endsWith("from behind"));
  const [port = 0] = ports;
  expect(listener.peerAt(port)).toBe("127.0.0.1");
  client.leave();
  await eventually("nobody comes by it", () => listener.peerAt(port) === undefined);
});

test("a connection that cannot be passed on is closed, and only that", async () => {
  const { broke, connect } = await open({ behind: await freePort() });
  const client = await connect();
  client.send(PAGE);
  await client.closed;
  expect(client.text).toBe("");
  const next = await connect();
  next.send(PLAIN);
  await eventually("it is answered", () => next.text.endsWith("from here"));
  expect(broke).toEqual([]);
});

test("nobody is told of a client that left before its answer was there", async () => {
  const asked = Promise.withResolvers<DirectCall>();
  const go = Promise.withResolvers<void>();
  const { broke, connect } = await open({
    async answer(call) {
      asked.resolve(call);
      await go.promise;
      return new HttpResponse("too late", {});
    },
  });
  const client = await connect();
  client.send(PLAIN);
  const call = await asked.promise;
  const left: string[] = [];
  const removed = () => left.push("removed");
  for (const heard of ["one", "two", "three"])
    call.request.signal.addEventListener("abort", () => left.push(heard));
  call.request.signal.addEventListener("abort", removed);
  call.request.signal.removeEventListener("abort", removed);
  client.leave();
  await eventually("it is heard of", () => call.request.signal.aborted);
  expect(left).toEqual(["one", "two", "three"]);
  expect(call.isBeingAnswered()).toBe(false);
  go.resolve();
  const next = await connect();
  next.send(PLAIN);
  await eventually("the next is answered", () => next.text.endsWith("too late"));
  expect(broke).toEqual([]);
});

test("a body is there in one piece, or as a stream, however it comes", async () => {
  const { connect } = await open({
    async answer({ request }) {
      const bytes = request.headers.has("x-stream")
        ? await new Response(request.body).bytes()
        : await request.bytes();
      return new HttpResponse(Buffer.from(bytes).toString("latin1"), {});
    },
  });
  const client = await connect();
  const body = "0123456789".repeat(1_000);
  const answered = () => client.text.split(body).length - 1;
  for (const [i, lines] of [[], ["x-stream: 1"]].entries()) {
    client.send(sized(body, ...lines));
    await eventually("it is answered", () => answered() === 2 * i + 1);
    const request = sized(body, ...lines);
    client.send(request.slice(0, -5_000));
    client.send(request.slice(-5_000, -1));
    client.send(request.slice(-1));
    await eventually("it is answered again", () => answered() === 2 * i + 2);
  }
});

test("no more is kept of what is sent ahead than a little", async () => {
  const asked = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const { connect } = await open({
    async answer() {
      asked.resolve();
      await go.promise;
      return new HttpResponse("", {});
    },
  });
  const client = await connect();
  const ahead = sized("b".repeat(100_000));
  const many = 200;
  client.send(PLAIN);
  await asked.promise;
  client.send(ahead.repeat(many));
  // More than sockets take stays with the client, for as long as it waits.
  const other = await connect();
  for (let i = 0; i < 50; i++) {
    const before = other.text.length;
    other.send(PAGE);
    await eventually("another is answered", () => other.text.length > before);
  }
  expect(client.unsentBytes).toBeGreaterThan((many / 2) * ahead.length);
  go.resolve();
  await eventually("all are answered", () => client.text.split("HTTP/1.1").length === many + 2);
});

test("only what is plain is answered here", async () => {
  let answered = "";
  let name = "";
  const { connect } = await open({
    async answer() {
      answered = name;
      return new HttpResponse("from here", { connection: "close" });
    },
  });
  const here: string[] = [];
  for (const [each, request] of Object.entries(RAW_REQUESTS)) {
    name = each;
    const client = await connect();
    client.send(Buffer.from(request, "latin1"));
    client.sendNoMore();
    await client.closed;
    if (answered === each) here.push(each);
  }
  expect(here).toEqual(PLAIN_ONES);
});

test("what a field of an answer cannot have does not go out", async () => {
  const { connect } = await open({
    answer: async () =>
      new HttpResponse("from here", { "x-one": "a\r\nx-two: b\0\u00e4\u4e00\tc" }),
  });
  const client = await connect();
  client.send(PLAIN);
  await eventually("it is answered", () => client.text.endsWith("from here"));
  expect(client.octets).toContain("\r\nx-one: a??x-two: b???\tc\r\n");
});

test("a stream that lasts keeps nothing of what was asked", async () => {
  const calls: DirectCall[] = [];
  const body = { begin() {}, more() {}, leave() {} };
  const { connect } = await open({
    async answer(call) {
      calls.push(call);
      expect(call.request.thereText()).toBe("{}");
      return new HttpResponse(body, {});
    },
  });
  const client = await connect();
  client.send(sized("{}"));
  await eventually("its head is there", () => client.text.includes("transfer-encoding"));
  expect(calls.map(({ request }) => request.thereText())).toEqual([undefined]);
});
