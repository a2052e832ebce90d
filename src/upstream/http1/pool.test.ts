import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { GOOD_CERTIFICATE } from "../../../test/support/samples/vendor-certificates.ts";
import { type RawRequest, RawVendor } from "../../../test/support/vendors/raw-vendor.ts";
import {
  outcomeOf,
  ownClient,
  ownTransport,
  postTo,
} from "../../../test/support/vendors/transports.ts";
import { comesTrue, eventually } from "../../../test/support/waiting.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
const DONE = { status: 200, text: "ok" };

const vendors: RawVendor[] = [];
afterEach(async () => {
  for (const vendor of vendors.splice(0)) await vendor.stop();
});

async function vendorThat(...args: Parameters<typeof RawVendor.start>): Promise<RawVendor> {
  const vendor = await RawVendor.start(...args);
  vendors.push(vendor);
  return vendor;
}

const answerAll = ({ socket }: RawRequest) => socket.write(OK);

/** Our own client and a clock that the test moves. */
function setUp(settings: Record<string, string> = {}) {
  const time = { nowMs: 1_000_000 };
  const client = ownClient(settings, { clock: () => time.nowMs });
  const { post } = ownTransport(client);
  return {
    client,
    time,
    ask: (origin: string, body = "{}") => outcomeOf(post(origin, body)),
    post,
  };
}

describe("connections", () => {
  test("serve one call after another", async () => {
    const vendor = await vendorThat(answerAll);
    const { ask } = setUp();
    for (let turn = 1; turn <= 3; turn++) expect(await ask(vendor.origin)).toEqual(DONE);
    expect([vendor.connections, vendor.requests.at(-1)?.turn]).toEqual([1, 3]);
  });

  test("are as many as there are calls at once, and each call has its own answer", async () => {
    const vendor = await vendorThat(({ body, socket }) =>
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`),
    );
    const { client, ask } = setUp();
    for (let round = 0; round < 3; round++) {
      const bodies = Array.from({ length: 20 }, (_, at) => `"${round} ${at}"`);
      const outcomes = await Promise.all(bodies.map((body) => ask(vendor.origin, body)));
      expect(outcomes.map(({ text }) => text)).toEqual(bodies);
    }
    expect(vendor.connections).toBe(20);
    expect(client.pool(vendor.origin).kept).toBe(20);
  });

  test("are closed when nobody has used them for long", async () => {
    const vendor = await vendorThat(answerAll);
    const { client, time, ask } = setUp({ FAREGATE_UPSTREAM_KEEP_MS: "4000" });
    await ask(vendor.origin);
    time.nowMs += 3_999;
    client.sweep();
    expect(client.pool(vendor.origin).kept).toBe(1);
    time.nowMs += 1;
    client.sweep();
    expect(client.pool(vendor.origin).kept).toBe(0);
    await eventually("the vendor sees it", () => vendor.sockets.size === 0);
  });

  test("that are too old are not used, even before they are swept", async () => {
    const vendor = await vendorThat(answerAll);
    const { time, ask } = setUp({ FAREGATE_UPSTREAM_KEEP_MS: "4000" });
    await ask(vendor.origin);
    time.nowMs += 4_000;
    expect(await ask(vendor.origin)).toEqual(DONE);
    expect(vendor.connections).toBe(2);
  });

  test("are given up before the vendor says that it does", async () => {
    const said = OK.replace("\r\n\r\n", "\r\nKeep-Alive: timeout=3, max=100\r\n\r\n");
    const vendor = await vendorThat(({ socket }) => socket.write(said));
    const { client, time, ask } = setUp();
    await ask(vendor.origin);
    time.nowMs += 1_999;
    client.sweep();
    expect(client.pool(vendor.origin).kept).toBe(1);
    time.nowMs += 1;
    client.sweep();
    expect(client.pool(vendor.origin).kept).toBe(0);
  });

  test("are kept up to a number", async () => {
    const vendor = await vendorThat(answerAll);
    const { client, ask } = setUp({ FAREGATE_UPSTREAM_KEPT_MAX: "2" });
    await Promise.all(Array.from({ length: 5 }, () => ask(vendor.origin)));
    expect(client.pool(vendor.origin).kept).toBe(2);
    await eventually("the others are closed", () => vendor.sockets.size === 2);
  });

  test.each(["end", "resetAndDestroy"] as const)(
    "that the vendor has closed by %s are not used again",
    async (way) => {
      const vendor = await vendorThat(answerAll);
      const { client, ask } = setUp();
      await ask(vendor.origin);
      for (const socket of vendor.sockets) socket[way]();
      await eventually("we see it", () => client.pool(vendor.origin).kept === 0);
      expect(await ask(vendor.origin)).toEqual(DONE);
      expect(vendor.connections).toBe(2);
    },
  );
});

describe("a vendor that closes behind its answers without saying so", () => {
  test("costs one call at most, and is called by new connections for a minute", async () => {
    const vendor = await vendorThat(({ socket }) => socket.end(OK));
    const { client, time, ask } = setUp();
    const outcomes = [];
    for (let turn = 0; turn < 10; turn++) outcomes.push(await ask(vendor.origin));
    expect(outcomes.filter((outcome) => "failed" in outcome).length).toBeLessThanOrEqual(1);
    await eventually("all are closed", () => vendor.sockets.size === 0);
    time.nowMs += 60_000;
    await ask(vendor.origin);
    expect(client.pool(vendor.origin).kept).toBe(1);
  });

  test("is not one that closes what was not used for a while", async () => {
    const vendor = await vendorThat(answerAll);
    const { client, time, ask } = setUp();
    await ask(vendor.origin);
    time.nowMs += 1_000;
    for (const socket of vendor.sockets) socket.end();
    await eventually("we see it", () => client.pool(vendor.origin).kept === 0);
    await ask(vendor.origin);
    expect(client.pool(vendor.origin).kept).toBe(1);
  });
});

describe("a call is never made twice", () => {
  test.each(["end", "resetAndDestroy"] as const)(
    "where the vendor reads it and closes by %s, on a kept connection too",
    async (way) => {
      const vendor = await vendorThat(({ socket, turn }) => {
        if (turn === 1) socket.write(OK);
        else socket[way]();
      });
      const { ask } = setUp();
      expect(await ask(vendor.origin)).toEqual(DONE);
      expect(await ask(vendor.origin)).toEqual({
        failed: "ECONNRESET: The socket connection was closed unexpectedly.",
      });
      expect(vendor.requests).toHaveLength(2);
    },
  );
});

describe("hanging up closes the connection", () => {
  const reason = new Error("the client left");

  test("while the answer is waited for", async () => {
    const vendor = await vendorThat(() => {});
    const { client, post } = setUp();
    const call = post(vendor.origin, "{}");
    await eventually("it is asked", () => vendor.requests.length === 1);
    call.hangUp(reason);
    expect(await outcomeOf(call)).toEqual({ failed: reason.message });
    await eventually("the vendor sees it", () => vendor.sockets.size === 0);
    expect(client.pool(vendor.origin).kept).toBe(0);
  });

  test("in the middle of the answer", async () => {
    const vendor = await vendorThat(({ socket }) =>
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n"),
    );
    const call = setUp().post(vendor.origin, "{}");
    const answer = await call.answered;
    expect(Buffer.from((await answer.read()) ?? []).toString()).toBe("ok");
    const next = answer.read().catch((thrown: unknown) => thrown);
    call.hangUp(reason);
    expect(await next).toBe(reason);
    await eventually("the vendor sees it", () => vendor.sockets.size === 0);
  });

  test("before there is one", async () => {
    const vendor = await vendorThat(answerAll);
    const call = setUp().post(vendor.origin, "{}");
    call.hangUp(reason);
    expect(await outcomeOf(call)).toEqual({ failed: reason.message });
    await eventually(
      "it came and went",
      () => vendor.connections === 0 || vendor.sockets.size === 0,
    );
    expect(vendor.requests).toEqual([]);
  });
});

describe("a vendor that goes in the middle of a request", () => {
  const LONG = "x".repeat(30_000_000);
  const LOST = { failed: "ECONNRESET: The socket connection was closed unexpectedly." };

  test("by a reset is lost, and is not asked again", async () => {
    const vendor = await vendorThat(answerAll, {
      connected: (socket) => socket.once("data", () => socket.resetAndDestroy()),
    });
    const { client, ask } = setUp();
    expect(await ask(vendor.origin, LONG)).toEqual(LOST);
    expect([vendor.connections, client.pool(vendor.origin).kept]).toEqual([1, 0]);
  });

  test("by saying that it sends nothing more is not waited for", async () => {
    const vendor = await vendorThat(({ socket }) => socket.end());
    const { ask } = setUp();
    expect(await ask(vendor.origin)).toEqual(LOST);
    expect(vendor.requests).toHaveLength(1);
  });

  test("since it was hung up on while it reads nothing sees the connection closed", async () => {
    const vendor = await vendorThat(answerAll, {
      connected: (socket) => socket.once("data", () => socket.pause()),
    });
    const { client, post } = setUp();
    const call = post(vendor.origin, LONG);
    await eventually("it is connected", () => vendor.connections === 1);
    call.hangUp(new Error("the client left"));
    expect(await outcomeOf(call)).toEqual({ failed: "the client left" });
    for (const socket of vendor.sockets) socket.resume();
    await eventually("the vendor sees it", () => vendor.sockets.size === 0);
    expect(client.pool(vendor.origin).kept).toBe(0);
  });
});

describe("a kept connection on which the vendor speaks unasked", () => {
  test("is closed, and what it said is nobody's answer", async () => {
    const vendor = await vendorThat(({ body, socket }) =>
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`),
    );
    const { client, ask } = setUp();
    for (const unasked of [OK, "HTTP/1.1 408 Request Timeout\r\n\r\n", "0\r\n\r\n", "\r\n"]) {
      expect(await ask(vendor.origin, '"one"')).toEqual({ status: 200, text: '"one"' });
      for (const socket of vendor.sockets) socket.write(unasked);
      await eventually("it is closed", () => vendor.sockets.size === 0);
      expect(client.pool(vendor.origin).kept).toBe(0);
      expect(await ask(vendor.origin, '"two"')).toEqual({ status: 200, text: '"two"' });
    }
  });
});

describe("connecting", () => {
  test("to nobody is told as `fetch` tells it", async () => {
    const vendor = await RawVendor.start(answerAll);
    const { origin } = vendor;
    await vendor.stop();
    expect(await setUp().ask(origin)).toEqual({
      failed: "ECONNREFUSED: Unable to connect. Is the computer able to access the url?",
    });
  });

  test("to a name that nobody has is told as `fetch` tells it", async () => {
    expect(await setUp().ask("http://nobody.invalid")).toEqual({
      failed: "getaddrinfo ENOTFOUND nobody.invalid",
    });
  });

  test("goes by any of the addresses of a name, and by one that is written out", async () => {
    const vendor = await vendorThat(answerAll);
    const { ask } = setUp();
    // The name is also that of ::1, where nobody listens.
    for (const host of ["localhost", "127.0.0.1", "[::ffff:127.0.0.1]"]) {
      expect(await ask(`http://${host}:${vendor.port}`)).toEqual(DONE);
    }
    expect(vendor.requests.map(({ head }) => /host: (.*):/.exec(head)?.[1])).toEqual([
      ...["localhost", "127.0.0.1", "[::ffff:7f00:1]"],
    ]);
  });

  test("has a deadline, which TLS counts towards", async () => {
    const vendor = await vendorThat(answerAll, { connected: (socket) => socket.resume() });
    const { ask } = setUp({ FAREGATE_UPSTREAM_CONNECT_MS: "60" });
    expect(await ask(vendor.origin.replace("http:", "https:"))).toEqual({
      failed: "the vendor could not be reached within 60 ms",
    });
    await eventually("it is closed", () => vendor.sockets.size === 0);
  });
});

/** A network that swallows what should open a connection: the system waits for an answer for minutes. */
function swallowing() {
  const open: PromiseWithResolvers<never>[] = [];
  const spy = spyOn(Bun, "connect").mockImplementation((() => {
    const attempt = Promise.withResolvers<never>();
    open.push(attempt);
    return attempt.promise;
  }) as typeof Bun.connect);
  return { open, [Symbol.dispose]: () => spy.mockRestore() };
}

describe("attempts to connect that hang, and cannot be taken back", () => {
  const { post, ask } = setUp();

  /** Calls that are made one after another, each given up before there is a connection. */
  async function giveUp(origin: string, calls: number): Promise<void> {
    for (let call = 0; call < calls; call++) {
      const made = post(origin, "{}");
      made.hangUp(new Error("the client left"));
      await outcomeOf(made);
    }
  }

  test("do not become more with every call that is given up", async () => {
    const vendor = await vendorThat(answerAll);
    using network = swallowing();
    await giveUp(vendor.origin, 500);
    expect(network.open.length).toBeLessThan(20);
  });

  test("hold up no call that can be made", async () => {
    const vendor = await vendorThat(answerAll);
    {
      using _network = swallowing();
      await giveUp(vendor.origin, 100);
    }
    expect(await ask(vendor.origin)).toEqual(DONE);
    expect(vendor.requests).toHaveLength(1);
  });

  test("are not added to where the vendor is not reached, which is told", async () => {
    const vendor = await vendorThat(answerAll, { connected: (socket) => socket.resume() });
    const origin = vendor.origin.replace("http:", "https:");
    const own = setUp({ FAREGATE_UPSTREAM_CONNECT_MS: "60" });
    using network = swallowing();
    const calls = Array.from({ length: 20 }, () => own.ask(origin));
    const late = { failed: "the vendor could not be reached within 60 ms" };
    expect(await Promise.all(calls)).toEqual(calls.map(() => late));
    const before = network.open.length;
    expect(await own.ask(origin)).toEqual(late);
    expect(network.open).toHaveLength(before);
  });

  test("are forgotten once the system has given them up", async () => {
    const vendor = await vendorThat(answerAll);
    using network = swallowing();
    await giveUp(vendor.origin, 100);
    const before = network.open.length;
    for (const attempt of network.open) attempt.reject(new Error("ETIMEDOUT"));
    await Bun.sleep(0);
    await giveUp(vendor.origin, 1);
    expect(network.open).toHaveLength(before + 1);
  });
});

describe.each([
  ["TCP", {}],
  ["TLS", { certificate: GOOD_CERTIFICATE }],
])("over %s", (_name, secured) => {
  test.each([
    ["of letters beyond ASCII", "é"],
    ["of Chinese", "好"],
    ["that is large", "x".repeat(3_000_000)],
    ["that is large and of every width", "aé€𝄞".repeat(700_000)],
  ])("a request %s goes out whole, as fast as the vendor reads", async (_name, text) => {
    const vendor = await vendorThat(answerAll, secured);
    const body = JSON.stringify(text);
    expect(await outcomeOf(ownTransport().post(vendor.origin, body))).toEqual(DONE);
    const [request] = vendor.requests;
    expect(request?.body === body).toBe(true);
  });

  test("a vendor that is not read is not read on, and nothing of it is lost", async () => {
    const total = 48 * 1024 * 1024;
    const piece = Buffer.alloc(64 * 1024, "0123456789abcdef");
    let taken = 0;
    const vendor = await vendorThat(({ socket }) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${total}\r\n\r\n`);
      const more = () => {
        if (taken >= total) return;
        socket.write(piece, () => {
          taken += piece.length;
          more();
        });
      };
      more();
    }, secured);
    const answer = await ownTransport().post(vendor.origin, "{}").answered;
    let stood = 0;
    for (let before = -1; stood < 20; before = taken) {
      stood = taken === before && taken > 0 ? stood + 1 : 0;
      await Bun.sleep(10);
    }
    // What the sockets of both sides hold, and what is kept unread.
    expect(taken).toBeLessThan(total / 2);
    const hash = new Bun.CryptoHasher("sha1");
    let read = 0;
    for (let chunk = await answer.read(); chunk; chunk = await answer.read()) {
      read += chunk.length;
      hash.update(chunk);
    }
    const whole = new Bun.CryptoHasher("sha1");
    for (let at = 0; at < total; at += piece.length) whole.update(piece);
    expect([read, hash.digest("hex")]).toEqual([total, whole.digest("hex")]);
  });

  test("an answer may come before the request has gone out", async () => {
    const vendor = await vendorThat(answerAll, {
      ...secured,
      connected(socket) {
        socket.once("data", () => {
          socket.pause();
          socket.write("HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\nno");
        });
      },
    });
    const client = ownClient();
    const call = client.pool(vendor.origin).call(postTo(vendor.origin, "x".repeat(30_000_000)));
    expect(await outcomeOf(call)).toEqual({ status: 413, text: "no" });
    expect(client.pool(vendor.origin).kept).toBe(0);
    await comesTrue(() => expect(vendor.connections).toBe(1));
  });
});
