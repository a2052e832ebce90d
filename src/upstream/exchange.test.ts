import { afterEach, describe, expect, test } from "bun:test";
import { endlessBody } from "../../test/support/vendors/endless-body.ts";
import { answerOf } from "../../test/support/vendors/opened-exchange.ts";
import { RawVendor } from "../../test/support/vendors/raw-vendor.ts";
import { readConfig } from "../config/config.ts";
import { Fault } from "../lib/faults.ts";
import { TextThreads } from "../lib/text/text-threads.ts";
import { Watchdog } from "../lib/threads/watchdog.ts";
import { faultOfVendor } from "../protocols/faults.ts";
import { configuredChannels, plainChannel, type UpstreamCall } from "./channels/channels.ts";
import { Credential, VendorKey } from "./channels/credentials.ts";
import { Exchange } from "./exchange.ts";
import { VendorRefusal } from "./refusal.ts";
import { AnswerBudget } from "./transport/answer-budget.ts";

const { limits } = readConfig({
  FAREGATE_UPSTREAM_FIRST_BYTE_MS: "1000",
  FAREGATE_UPSTREAM_IDLE_MS: "500",
  FAREGATE_UPSTREAM_TOTAL_MS: "5000",
  FAREGATE_UPSTREAM_ANSWER_BYTES_MAX: "100000",
});

const CALL: UpstreamCall = {
  endpoint: "responses",
  path: "/responses",
  body: "{}",
  stream: true,
  requestId: "req_1",
  sandboxFault: undefined,
};

const SECRET = "AIzaVendorSecretOne";

/** An exchange with a vendor that answers as the test says, under a clock that the test moves. */
function setUp(send: (call: UpstreamCall, signal: AbortSignal) => Promise<Response>) {
  const time = { nowMs: 0 };
  const watchdog = new Watchdog(() => time.nowMs, 3_600_000);
  const state = { aborted: false, reason: undefined as unknown };
  const channel = plainChannel({
    id: "v",
    vendor: "v",
    send(call, _key, signal) {
      signal.addEventListener("abort", () => {
        state.aborted = true;
        state.reason = signal.reason;
      });
      return send(call, signal);
    },
  });
  const credential = new Credential(new VendorKey(SECRET));
  const attempt = { channel, credential, endpoint: "responses" } as const;
  const answers = new AnswerBudget(limits);
  const tools = { limits, watchdog, threads: new TextThreads(), answers };
  const exchange = new Exchange(attempt, true, "acct_1", tools);
  const goTo = (nowMs: number) => {
    time.nowMs = nowMs;
    watchdog.tick();
  };
  return { exchange, goTo, state };
}

/** Never answers, but hears when it is hung up on. */
function silent(_call: UpstreamCall, signal: AbortSignal): Promise<Response> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}

/** A body that the test feeds. */
function fed() {
  let feed: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      feed = controller;
    },
  });
  const send = async (_call: UpstreamCall, signal: AbortSignal) => {
    signal.addEventListener("abort", () => feed?.error(signal.reason));
    return new Response(body, { headers: { "x-request-id": "vendor-7" } });
  };
  return {
    send,
    chunk: (text: string) => feed?.enqueue(Buffer.from(text)),
    end: () => feed?.close(),
  };
}

async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  const fault = thrown instanceof VendorRefusal ? thrown.fault : thrown;
  if (!(fault instanceof Fault)) throw new Error(`no fault but ${String(thrown)}`);
  return fault;
}

async function refusalOf(promise: Promise<unknown>): Promise<VendorRefusal> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof VendorRefusal)) throw new Error(`no refusal but ${String(thrown)}`);
  return thrown;
}

describe("deadlines", () => {
  test("a vendor that sends no headers is hung up on when the first byte is due", async () => {
    const { exchange, goTo, state } = setUp(silent);
    const fault = faultOf(answerOf(exchange, CALL, faultOfVendor));
    goTo(999);
    expect(state.aborted).toBe(false);
    goTo(1_000);
    expect(state.aborted).toBe(true);
    expect((await fault).status).toBe(503);
  });

  test("silence between chunks counts from the last one", async () => {
    const vendor = fed();
    const { exchange, goTo, state } = setUp(vendor.send);
    const response = await answerOf(exchange, CALL, faultOfVendor);
    vendor.chunk("a");
    expect(Buffer.from((await exchange.read(response)) ?? []).toString()).toBe("a");
    goTo(400);
    vendor.chunk("b");
    await exchange.read(response);
    const next = faultOf(exchange.read(response));
    goTo(899);
    expect(state.aborted).toBe(false);
    goTo(900);
    expect(state.aborted).toBe(true);
    expect((await next).code).toBe("upstream_unavailable");
    expect(exchange.overran).toBe(false);
  });

  test("the whole may not take longer, however lively the vendor is", async () => {
    const vendor = fed();
    const { exchange, goTo, state } = setUp(vendor.send);
    const response = await answerOf(exchange, CALL, faultOfVendor);
    for (let nowMs = 400; nowMs < 5_000; nowMs += 400) {
      goTo(nowMs);
      vendor.chunk("x");
      await exchange.read(response);
    }
    expect(state.aborted).toBe(false);
    const next = faultOf(exchange.read(response));
    goTo(5_000);
    expect(state.aborted).toBe(true);
    await next;
    expect(exchange.overran).toBe(true);
  });

  test("endWithin shortens and never lengthens", async () => {
    const { exchange, goTo, state } = setUp(silent);
    const fault = faultOf(answerOf(exchange, CALL, faultOfVendor));
    exchange.endWithin(100_000);
    exchange.endWithin(200);
    goTo(199);
    expect(state.aborted).toBe(false);
    goTo(200);
    expect(state.aborted).toBe(true);
    await fault;
  });

  test("an answer that has been read in full has no deadlines any more", async () => {
    const { exchange, goTo, state } = setUp(async () => new Response("whole"));
    const response = await answerOf(exchange, CALL, faultOfVendor);
    expect(await exchange.text(response)).toBe("whole");
    goTo(100_000);
    exchange.cancel(new Error("late"));
    expect(state.aborted).toBe(false);
  });

  test("a body that stalls behind its headers is given up", async () => {
    const vendor = fed();
    const { exchange, goTo } = setUp(vendor.send);
    const answer = await answerOf(exchange, CALL, faultOfVendor);
    const text = faultOf(Promise.resolve(exchange.text(answer)));
    vendor.chunk("{");
    goTo(999);
    vendor.chunk(" ");
    goTo(1_000);
    expect((await text).status).toBe(503);
  });

  test("a vendor that does not close its ended stream is given five seconds", async () => {
    const vendor = fed();
    const { exchange, goTo, state } = setUp(vendor.send);
    const response = await answerOf(exchange, CALL, faultOfVendor);
    vendor.chunk("end");
    await exchange.read(response);
    const drained = exchange.drain(response).catch(() => {});
    goTo(5_000);
    await drained;
    expect(state.aborted).toBe(true);
  });
});

describe("answers", () => {
  test("are read to their end, with the vendor's id and the time of the first byte", async () => {
    const vendor = fed();
    const { exchange, goTo } = setUp(vendor.send);
    const response = await answerOf(exchange, CALL, faultOfVendor);
    goTo(30);
    vendor.chunk("a");
    await exchange.read(response);
    goTo(40);
    vendor.end();
    expect(await exchange.read(response)).toBeUndefined();
    expect([exchange.vendorRequestId, exchange.firstByteAtMs]).toEqual(["vendor-7", 30]);
  });

  test("cancel hangs up with its reason, once", async () => {
    const vendor = fed();
    const { exchange, state } = setUp(vendor.send);
    const response = await answerOf(exchange, CALL, faultOfVendor);
    const next = faultOf(exchange.read(response));
    const reason = new Error("the client left");
    exchange.cancel(reason);
    exchange.cancel(new Error("again"));
    expect(state.reason).toBe(reason);
    expect((await next).cause).toBe(reason);
  });

  test("a connection that breaks is the vendor's failure", async () => {
    const { exchange } = setUp(() => Promise.reject(new Error("ECONNRESET")));
    const refusal = await refusalOf(answerOf(exchange, CALL, faultOfVendor));
    expect([refusal.kind, refusal.retryable, refusal.fault.status]).toEqual([
      "unreachable",
      true,
      503,
    ]);
  });

  test("a client that leaves while the vendor is silent is not the vendor's failure", async () => {
    const { exchange } = setUp(silent);
    const opening = refusalOf(answerOf(exchange, CALL, faultOfVendor));
    exchange.cancel(new Error("the client left"));
    const { kind, retryable } = await opening;
    expect([kind, retryable]).toEqual(["client", false]);
  });

  test("a vendor that keeps silent for too long cannot be reached", async () => {
    const { exchange, goTo } = setUp(silent);
    const opening = refusalOf(answerOf(exchange, CALL, faultOfVendor));
    goTo(1_000);
    expect((await opening).kind).toBe("unreachable");
  });

  test.each(["x-request-id", "request-id", "x-goog-request-id"])(
    "the vendor's name of the request is read from %s",
    async (name) => {
      const { exchange } = setUp(async () => new Response("{}", { headers: { [name]: "v-7" } }));
      await answerOf(exchange, CALL, faultOfVendor);
      expect(exchange.vendorRequestId).toBe("v-7");
    },
  );

  test("an answer without a body is the vendor's failure", async () => {
    const { exchange } = setUp(async () => new Response(null));
    const response = await answerOf(exchange, CALL, faultOfVendor);
    expect((await faultOf(exchange.read(response))).status).toBe(503);
  });
});

describe("a stream", () => {
  test("whose event does not end is hung up on at the limit", async () => {
    const vendor = fed();
    const { exchange, state } = setUp(vendor.send);
    const response = await answerOf(exchange, CALL, faultOfVendor);
    const read = async (text: string) => {
      vendor.chunk(text);
      return exchange.read(response);
    };
    await read("data: 1\n\ndata: ");
    for (let i = 0; i < 9; i++) await read("x".repeat(10_000));
    expect(state.aborted).toBe(false);
    expect((await faultOf(read("x".repeat(10_000)))).status).toBe(503);
    expect(String(state.reason)).toContain("over the limit of 100000 bytes");
  });

  test.each([
    ["in one read", [`data: ${"x".repeat(60_000)}\r\n\r\ndata: ${"y".repeat(30_000)}`]],
    ["in a read of its own", [`data: ${"x".repeat(60_000)}\n`, "\n"]],
  ])("may be as long as it likes by events that end %s", async (_name, reads) => {
    const vendor = fed();
    const { exchange, state } = setUp(vendor.send);
    const response = await answerOf(exchange, CALL, faultOfVendor);
    for (const text of [reads, reads, reads, reads].flat()) {
      vendor.chunk(text);
      await exchange.read(response);
    }
    expect(state.aborted).toBe(false);
  });
});

describe("refusals", () => {
  const refuse = (status: number, body: string) => {
    const { exchange, goTo, state } = setUp(async () => new Response(body, { status }));
    return { fault: faultOf(answerOf(exchange, CALL, faultOfVendor)), goTo, state };
  };

  test("of the request itself keep the vendor's words", async () => {
    const body = JSON.stringify({ error: { message: "Bad image.", param: "input" } });
    const fault = await refuse(400, body).fault;
    expect([fault.status, fault.message, fault.param]).toEqual([400, "Bad image.", "input"]);
  });

  test.each([401, 403, 404, 429, 500, 302])("with %p become 503", async (status) => {
    const words = `Incorrect key sk-vendor-secret-1 and ${SECRET}`;
    const body = JSON.stringify({ error: { message: words } });
    const { exchange } = setUp(async () => new Response(body, { status }));
    const refusal = await refusalOf(answerOf(exchange, CALL, faultOfVendor));
    const { fault } = refusal;
    expect(fault.status).toBe(503);
    const causes = `${fault.cause} ${refusal.cause} ${Bun.inspect(refusal)}`;
    const told = `${JSON.stringify(fault.toJson())}${JSON.stringify(fault.headers)}${causes}`;
    expect(told).not.toMatch(/vendor-secret|VendorSecret/);
    expect(refusal.message).toContain("Incorrect key … and …");
  });

  test("of the request itself do not quote the key either", async () => {
    const body = JSON.stringify({ error: { message: `Bad image for ${SECRET}.` } });
    expect((await refuse(400, body).fault).message).toBe("Bad image for ….");
  });

  test.each(["", "<html>Bad gateway</html>", "[1]", "null"])(
    "with the body %p do no harm",
    async (body) => {
      expect((await refuse(502, body).fault).status).toBe(503);
      expect((await refuse(400, body).fault).status).toBe(400);
    },
  );

  test("that are very long are not read, be they there at once", async () => {
    const body = JSON.stringify({ error: { message: "Bad image.", more: "x".repeat(100_000) } });
    const fault = await refuse(400, body).fault;
    expect([fault.status, fault.message.includes("Bad image")]).toEqual([400, false]);
  });

  test("leave no deadline behind", async () => {
    const { fault, goTo, state } = refuse(500, "{}");
    await fault;
    goTo(1_000_000);
    expect(state.aborted).toBe(false);
  });
});

test("of much that comes at once only so much is given in one turn of the loop", async () => {
  const vendor = fed();
  const { exchange } = setUp(vendor.send);
  const response = await answerOf(exchange, CALL, faultOfVendor);
  const sent = "data: 12345678901\n\n".repeat(20_000);
  vendor.chunk(sent);
  vendor.chunk("end");
  const parts: Uint8Array[] = [];
  for (let turn = 0; Buffer.concat(parts).length < sent.length; turn++) {
    // Another who has a tick of the event loop between any two parts.
    const other = new Promise((resolve) => setImmediate(resolve));
    const part = exchange.read(response);
    const first = await Promise.race([other, part]);
    expect(first === undefined).toBe(turn > 0);
    parts.push((await part) as Uint8Array);
  }
  expect(Math.max(...parts.map(({ length }) => length))).toBe(32 * 1024);
  expect(Buffer.concat(parts).toString()).toBe(sent);
  expect(Buffer.from((await exchange.read(response)) ?? []).toString()).toBe("end");
});

describe.each(["auto", "fetch"])("on this runtime by %s", (FAREGATE_TRANSPORT) => {
  const servers: Bun.Server<undefined>[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop(true);
  });

  function serve(fetch: (request: Request) => Response | Promise<Response>): string {
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 0, fetch });
    servers.push(server);
    return `http://127.0.0.1:${server.port}/`;
  }

  /** An exchange with a real server. */
  function exchangeWith(baseUrl: string, connectMs = limits.upstream_connect_ms) {
    const key = { OPENAI_API_KEY: "sk-real-secret", OPENAI_BASE_URL: baseUrl };
    const settings = readConfig({ ...key, FAREGATE_TRANSPORT });
    const [channel] = configuredChannels(settings);
    if (!channel) throw new Error("no channel");
    const credential = new Credential(channel.keys[0] as VendorKey);
    const attempt = { channel, credential, endpoint: "responses" } as const;
    const watchdog = new Watchdog(() => 0, 3_600_000);
    const within = { ...limits, upstream_connect_ms: connectMs };
    const answers = new AnswerBudget(limits);
    const tools = { limits: within, watchdog, threads: new TextThreads(), answers };
    return new Exchange(attempt, false, "acct_1", tools);
  }

  const garbage = { "content-encoding": "gzip", "content-type": "application/json" };
  const compressed = Bun.gzipSync('{"output_text":"fine"}');

  test.each([
    ["is no gzip at all", Buffer.from('{"output_text":"plain"}')],
    ["is cut short", compressed.subarray(0, compressed.length - 12)],
  ])("a body that says it is gzip and %s is the vendor's failure", async (_name, bytes) => {
    const exchange = exchangeWith(serve(() => new Response(bytes, { headers: garbage })));
    const reading = answerOf(exchange, CALL, faultOfVendor).then((response) =>
      Promise.resolve(exchange.text(response)).then((text) => JSON.parse(text)),
    );
    expect((await faultOf(reading)).status).toBe(503);
  });

  test.each([
    ["has no end", () => new Response(endlessBody(64 * 1024))],
    ["says how long it is", () => new Response(" ".repeat(100_001))],
    [
      "is small until it is unpacked",
      () => new Response(Bun.gzipSync(" ".repeat(10_000_000)), { headers: garbage }),
    ],
  ])("a body that %s and is over the limit is hung up on", async (_name, body) => {
    const exchange = exchangeWith(serve(body));
    const response = await answerOf(exchange, CALL, faultOfVendor);
    const fault = await faultOf(Promise.resolve(exchange.text(response)));
    expect([fault.status, String(fault.cause)]).toEqual([
      503,
      "AnswerTooLong: the vendor's answer is over the limit of 100000 bytes",
    ]);
  });

  test("a body as long as it may be is read", async () => {
    const exchange = exchangeWith(serve(() => new Response("x".repeat(100_000))));
    const response = await answerOf(exchange, CALL, faultOfVendor);
    expect((await exchange.text(response)).length).toBe(100_000);
  });

  test("a refusal that says it is gzip and is not is a refusal all the same", async () => {
    const body = '{"error":{"message":"no"}}';
    const init = { status: 500, headers: garbage };
    const exchange = exchangeWith(serve(() => new Response(body, init)));
    const { fault } = await refusalOf(answerOf(exchange, CALL, faultOfVendor));
    expect(fault.status).toBe(503);
  });

  test("a redirect is refused, and the prompt goes nowhere else", async () => {
    let elsewhere = 0;
    const other = serve(() => {
      elsewhere += 1;
      return Response.json({});
    });
    const exchange = exchangeWith(serve(() => Response.redirect(other, 308)));
    const refusal = await refusalOf(answerOf(exchange, CALL, faultOfVendor));
    expect([refusal.kind, refusal.status, elsewhere]).toEqual(["vendor", 308, 0]);
  });

  test("a server that is not there cannot be reached", async () => {
    const gone = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    const url = `http://127.0.0.1:${gone.port}`;
    await gone.stop(true);
    const refusal = await refusalOf(answerOf(exchangeWith(url), CALL, faultOfVendor));
    expect([refusal.kind, refusal.status]).toEqual(["unreachable", undefined]);
  });

  test("a server that takes connections and does not shake hands cannot be reached", async () => {
    const mute = await RawVendor.start(() => {}, { connected: () => {} });
    const exchange = exchangeWith(`https://localhost:${mute.port}`, 50);
    const refusal = await refusalOf(answerOf(exchange, CALL, faultOfVendor));
    expect([refusal.kind, refusal.status]).toEqual(["unreachable", undefined]);
    await mute.stop();
  });
});
