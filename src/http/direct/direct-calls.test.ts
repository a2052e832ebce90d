// What becomes of connections whose clients do not do as they should, or whose server ends: by either listener.
import { describe, expect, test } from "bun:test";
import { exchange } from "../../../test/support/clients/exchanges.ts";
import { RawClient } from "../../../test/support/clients/raw-client.ts";
import { isFull } from "../../../test/support/counts.ts";
import { openFiles } from "../../../test/support/files/open-files.ts";
import { callRoute, echo, LISTENERS, openEcho } from "../../../test/support/houses/echo-servers.ts";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { PAGE, PLAIN, post, sized } from "../../../test/support/samples/raw-requests.ts";
import { caughtUp, eventually } from "../../../test/support/waiting.ts";
import { HttpResponse } from "../../lib/net/http-response.ts";
import type { Incoming, Route, Sent } from "../../lib/route.ts";
import type { HttpServer } from "../server.ts";

const parts = partsOfTest();
/** More than the sockets between a server and a client that does not read can take. */
const LARGE_BYTES = 24 * 1024 * 1024;
/** So much they do take, but for what they have given to the client. */
const LONG_BYTES = 7_000_000;
/** Far more than anything here may take. */
const TIMEOUT_MS = 60_000;
const QUICK = {
  FAREGATE_CLIENT_KEEP_MS: "1000",
  FAREGATE_KEEP_ALIVE_MS: "500",
  FAREGATE_UPLOAD_IDLE_MS: "1000",
};

const connect = async ({ port }: HttpServer, onBytes?: () => void) =>
  parts.adopt(await RawClient.connect(`http://127.0.0.1:${port}`, onBytes), (client) =>
    client.leave(),
  );

const getting = (path: string) => PAGE.replace("/v1/page", path);
const calling = (path: string) => PLAIN.replace("/v1/echo", path);

/** A route that waits for a word, and says how many are there and who they were. */
function waiting() {
  const go = Promise.withResolvers<void>();
  const seen: string[] = [];
  let left = 0;
  const answer = async (incoming: Incoming<Sent>) => {
    seen.push(incoming.address());
    incoming.request.signal.addEventListener("abort", () => {
      left += 1;
    });
    incoming.keepOpen();
    await go.promise;
    return echo(incoming);
  };
  const called = callRoute("/v1/wait", answer);
  const { handle } = called;
  const routes: Route[] = [called, { method: "GET", path: "/v1/wait", handle }];
  return { go, seen, routes, left: () => left };
}

/** With small counts the one that is used unless somebody sets the other. */
const SLOW = isFull ? LISTENERS : (["own"] as const);

describe.each(SLOW)("in time, a server of listener %s", (listener) => {
  test("ends clients that take nothing of what they have asked for", async () => {
    const large = new Uint8Array(LARGE_BYTES);
    const routes: Route[] = [
      callRoute("/v1/large", async () => new HttpResponse(large, {})),
      { method: "GET", path: "/v1/large", handle: async () => new Response(large) },
    ];
    const server = openEcho(parts, { listener, routes, settings: QUICK });
    const asked = [
      ...[calling("/v1/large"), getting("/v1/large"), sized("{}", "x-way: endless")],
      sized("{}", "x-way: endless", "connection: close"),
    ];
    await caughtUp(`http://127.0.0.1:${server.port}`);
    const before = openFiles();
    for (const request of asked) {
      const client: RawClient = await connect(server, () => client.stopReading());
      client.send(request);
      await eventually("its answer begins", () => client.text.startsWith("HTTP/1.1 200"));
    }
    expect(openFiles()).toBeGreaterThanOrEqual(before + 2 * asked.length);
    await eventually("the server has no more of them", () => openFiles() <= before + asked.length);
  });

  test(
    "ends connections that are silent, within a body as well as between requests",
    async () => {
      const server = openEcho(parts, { listener, settings: QUICK });
      const silent = [
        ...["", PLAIN.slice(0, 20), PLAIN.slice(0, -1), PLAIN, PAGE, PLAIN + PAGE],
        ...[sized("{}{}", "x-refuse: 1").slice(0, -1), sized("{}", "x-refuse: 1")],
        sized("{}", "x-way: events"),
      ];
      const clients = await Promise.all(
        silent.map(async (sent) => {
          const client = await connect(server);
          if (sent !== "") client.send(sent);
          return client;
        }),
      );
      await Promise.all(clients.map(({ closed }) => closed));
      const answers = clients.map(({ text }) => text.split("HTTP/1.1 ").length - 1);
      expect(answers).toEqual([0, 0, 0, 1, 1, 2, 1, 1, 1]);
    },
    TIMEOUT_MS,
  );
});

describe.each(LISTENERS)("a server of listener %s", (listener) => {
  test("gives those time that take a little now and then, and nothing is lost or mixed up", async () => {
    const large = Buffer.alloc(LARGE_BYTES);
    for (let at = 0; at < large.length; at += 4) large.writeUInt32LE(at, at);
    const routes: Route[] = [
      callRoute("/v1/large", async () => new HttpResponse(new Uint8Array(large), {})),
      { method: "GET", path: "/v1/large", handle: async () => new Response(large) },
    ];
    const server = openEcho(parts, { listener, routes });
    for (const request of [calling("/v1/large"), getting("/v1/large")]) {
      const client: RawClient = await connect(server, () => {
        client.stopReading();
        setImmediate(() => client.readOn());
      });
      client.send(request);
      await eventually("all is there", () => client.octets.length > LARGE_BYTES + 100);
      const body = client.octets.slice(client.octets.indexOf("\r\n\r\n") + 4);
      expect(Buffer.from(body, "latin1").equals(large)).toBe(true);
    }
  });

  test.each(["POST", "GET"])("knows whose %s it was where the client left at once", async (how) => {
    const { go, seen, routes } = waiting();
    const server = openEcho(parts, {
      ...{ listener, routes },
      // Whoever is taken for the machine itself is believed.
      settings: { FAREGATE_TRUSTED_PROXIES: "127.0.0.1/32" },
    });
    for (const from of ["9.8.7.6", "9.8.7.5"]) {
      const client = await connect(server);
      const request = how === "GET" ? getting("/v1/wait") : calling("/v1/wait");
      client.send(request.replace("host:", `x-forwarded-for: ${from}\r\nhost:`));
      client.sendNoMore();
      await client.closed;
    }
    await eventually("both have come", () => seen.length === 2);
    expect(seen).toEqual(["9.8.7.6", "9.8.7.5"]);
    go.resolve();
    await eventually("both are over", () => server.running === 0);
  });

  test.each(["POST", "GET"])("tells whoever answers a %s that its client has left", async (how) => {
    const { go, seen, routes, left } = waiting();
    const server = openEcho(parts, { listener, routes });
    const client = await connect(server);
    client.send(how === "GET" ? getting("/v1/wait") : calling("/v1/wait"));
    await eventually("it is asked", () => seen.length === 1);
    client.leave();
    await eventually("it is told", () => left() === 1);
    go.resolve();
    await eventually("it is over", () => server.running === 0);
  });

  test.each([
    ["127.0.0.1", "127.0.0.1", "127.0.0.1"],
    ["0.0.0.0", "127.0.0.1", "127.0.0.1"],
    ["::1", "[::1]", "::1"],
    ["::", "[::1]", "::1"],
    ["::", "127.0.0.1", "127.0.0.1"],
  ])("on %s knows who calls %s, by whichever way", async (host, called, from) => {
    const { go, routes, seen } = waiting();
    go.resolve();
    const server = openEcho(parts, { listener, routes, settings: { FAREGATE_HOST: host } });
    const client = await RawClient.connect(`http://${called}:${server.port}`);
    const answers = () => client.text.split("HTTP/1.1 200").length - 1;
    for (const [i, request] of [calling("/v1/wait"), getting("/v1/wait")].entries()) {
      client.send(request);
      await eventually("it is answered", () => answers() === i + 1);
    }
    client.leave();
    expect(seen).toEqual([from, from]);
  });

  test("a stop gives those who read slowly what was said to them", async () => {
    const large = new Uint8Array(LARGE_BYTES);
    const routes: Route[] = [
      callRoute("/v1/large", async () => new HttpResponse(large, {})),
      { method: "GET", path: "/v1/large", handle: async () => new Response(large) },
    ];
    const server = openEcho(parts, { listener, routes });
    const clients = await Promise.all(
      [calling("/v1/large"), getting("/v1/large")].map(async (request) => {
        const client: RawClient = await connect(server, () => client.stopReading());
        client.send(request);
        await eventually("its answer begins", () => client.text.startsWith("HTTP/1.1 200"));
        return client;
      }),
    );
    const stopping = server.stop(60_000);
    const later = openEcho(parts, { listener });
    await later.stop();
    for (const client of clients) {
      const reading = setInterval(() => client.readOn(), 1);
      await eventually("all is there", () => client.octets.length > LARGE_BYTES + 100);
      clearInterval(reading);
    }
    await stopping;
  });

  test("a stop ends though a client neither reads nor leaves, and nobody answers", async () => {
    const { seen, routes } = waiting();
    const server = openEcho(parts, { listener, routes });
    const deaf: RawClient = await connect(server, () => deaf.stopReading());
    deaf.send(sized("{}", "x-way: endless"));
    await eventually("its answer begins", () => deaf.text.startsWith("HTTP/1.1 200"));
    const [call, page, half] = [
      await connect(server),
      await connect(server),
      await connect(server),
    ];
    call.send(calling("/v1/wait"));
    page.send(getting("/v1/wait"));
    half.send(PLAIN.slice(0, -1));
    await eventually("both are asked", () => seen.length === 2);
    await server.stop(100);
    await Promise.all([call.closed, page.closed, half.closed]);
  });
});

test.each([
  ["a plain request", PLAIN],
  ["one that is passed on", PAGE],
  ["half of one", PLAIN.slice(0, -1)],
  ["one in chunks", post(["transfer-encoding: chunked"], "2\r\n{}\r\n0\r\n\r\n")],
  ["nothing", ""],
])("who says that nothing more comes behind %s is told the same by both", async (_, sent) => {
  const heard = await Promise.all(
    LISTENERS.map(async (listener) => {
      const server = openEcho(parts, { listener });
      const client = await connect(server);
      if (sent !== "") client.send(sent);
      client.sendNoMore();
      await client.closed;
      await caughtUp(`http://127.0.0.1:${server.port}`);
      return client.text === "" ? "nothing" : "an answer";
    }),
  );
  expect(heard[0]).toBe(heard[1] as never);
});

test("a stop lets go of idle clients and waits for what is being answered", async () => {
  const { go, seen, routes } = waiting();
  const server = openEcho(parts, { listener: "own", routes });
  const idle = await connect(server);
  idle.send(PLAIN);
  await eventually("it is answered", () => idle.text.startsWith("HTTP/1.1 200"));
  const clients = [await connect(server), await connect(server), await connect(server)];
  const asked = [calling("/v1/wait"), calling("/v1/wait") + PLAIN, getting("/v1/wait")];
  for (const [i, client] of clients.entries()) client.send(asked[i] as string);
  await eventually("all are asked", () => seen.length === asked.length);
  const stopping = server.stop(60_000);
  await idle.closed;
  go.resolve();
  await stopping;
  await Promise.all(clients.map(({ closed }) => closed));
  for (const { text } of clients) expect(text).toStartWith("HTTP/1.1 200");
  await expect(connect(server)).rejects.toThrow();
});

test(
  "a body may come slowly, and an answer takes as long as it takes",
  async () => {
    const { go, routes, seen } = waiting();
    const settings = { ...QUICK, FAREGATE_UPLOAD_IDLE_MS: "3000" };
    const server = openEcho(parts, { listener: "own", routes, settings });
    const quick = openEcho(parts, { listener: "own", settings: QUICK });
    const [slow, patient] = [await connect(server), await connect(server)];
    const body = "0123";
    slow.send(sized(body).slice(0, -body.length));
    patient.send(calling("/v1/wait"));
    await eventually("it is asked", () => seen.length === 1);
    for (const char of body) {
      // That is a third of the time, each time.
      await (await connect(quick)).closed;
      slow.send(char);
    }
    go.resolve();
    await eventually("both are answered", () =>
      [slow, patient].every(({ text }) => text.startsWith("HTTP/1.1 200")),
    );
  },
  TIMEOUT_MS,
);

test("a stop leaves clients of what was passed on the time that is left to take it", async () => {
  const route: Route = {
    method: "GET",
    path: "/v1/long",
    handle: async () => new Response(new Uint8Array(LONG_BYTES)),
  };
  const server = openEcho(parts, { listener: "own", routes: [route] });
  const deaf = openEcho(parts, { listener: "own", routes: [route] });
  const [client, never] = await Promise.all(
    [server, deaf].map(async (each) => {
      const opened: RawClient = await connect(each, () => opened.stopReading());
      opened.send(getting("/v1/long"));
      await eventually("its answer begins", () => opened.text.startsWith("HTTP/1.1 200"));
      return opened;
    }),
  );
  const stopping = server.stop(TIMEOUT_MS);
  // Its client takes nothing, so that this stop takes all of its time.
  await deaf.stop(1_500);
  expect(never?.octets.length).toBeLessThan(LONG_BYTES);
  const reading = setInterval(() => client?.readOn(), 1);
  await eventually("all is there", () => (client?.octets.length ?? 0) > LONG_BYTES + 100);
  clearInterval(reading);
  await stopping;
});

test("what stands behind a request does not end its answer, whatever it is", async () => {
  const server = openEcho(parts, { listener: "own" });
  const asked = sized("{}", "x-way: large");
  const { heard } = await exchange(server.port, [`${asked}POST what is this\r\n\r\n`]);
  expect(heard).toMatchObject({ answers: [{ status: 200 }, { status: 400 }], isClosed: true });
});

test("a stop answers those who have connected before it, and says that it is the last", async () => {
  const { go, seen, routes } = waiting();
  const server = openEcho(parts, { listener: "own", routes });
  const [busy, fresh] = [await connect(server), await connect(server)];
  busy.send(calling("/v1/wait"));
  await eventually("it is asked", () => seen.length === 1);
  const stopping = server.stop(TIMEOUT_MS);
  await eventually("nobody is let in any more", () =>
    connect(server).then(
      () => false,
      () => true,
    ),
  );
  fresh.send(PLAIN);
  await fresh.closed;
  expect(fresh.text).toStartWith("HTTP/1.1 200");
  expect(fresh.text).toContain("connection: close");
  go.resolve();
  await stopping;
});

test("a stream that breaks off does not look whole", async () => {
  const server = openEcho(parts, { listener: "own" });
  const { heard } = await exchange(server.port, [sized("{}", "x-way: broken")]);
  expect(heard).toMatchObject({ answers: [], isClosed: true });
});
