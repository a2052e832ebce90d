import { afterEach, describe, expect, test } from "bun:test";
import { readConfig } from "../config.ts";
import { Fault } from "../lib/faults.ts";
import { Watchdog } from "../lib/watchdog.ts";
import type { Channel, UpstreamCall } from "./channels.ts";
import { Exchange } from "./exchange.ts";

const { limits } = readConfig({
  FAREGATE_UPSTREAM_FIRST_BYTE_MS: "1000",
  FAREGATE_UPSTREAM_IDLE_MS: "500",
  FAREGATE_UPSTREAM_TOTAL_MS: "5000",
});

const CALL: UpstreamCall = {
  path: "/responses",
  body: "{}",
  stream: true,
  requestId: "req_1",
  sandboxFault: undefined,
};

/** An exchange with a vendor that answers as the test says, under a clock that the test moves. */
function setUp(send: (call: UpstreamCall, signal: AbortSignal) => Promise<Response>) {
  const time = { nowMs: 0 };
  const watchdog = new Watchdog(() => time.nowMs, 3_600_000);
  const state = { aborted: false, reason: undefined as unknown };
  const channel: Channel = {
    id: "v",
    vendor: "v",
    onDisconnect: "abort",
    send(call, signal) {
      signal.addEventListener("abort", () => {
        state.aborted = true;
        state.reason = signal.reason;
      });
      return send(call, signal);
    },
  };
  const exchange = new Exchange(channel, true, limits, watchdog);
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
  if (!(thrown instanceof Fault)) throw new Error(`no fault but ${String(thrown)}`);
  return thrown;
}

describe("deadlines", () => {
  test("a vendor that sends no headers is hung up on when the first byte is due", async () => {
    const { exchange, goTo, state } = setUp(silent);
    const fault = faultOf(exchange.open(CALL));
    goTo(999);
    expect(state.aborted).toBe(false);
    goTo(1_000);
    expect(state.aborted).toBe(true);
    expect((await fault).status).toBe(503);
  });

  test("silence between chunks counts from the last one", async () => {
    const vendor = fed();
    const { exchange, goTo, state } = setUp(vendor.send);
    const response = await exchange.open(CALL);
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
    const response = await exchange.open(CALL);
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
    const fault = faultOf(exchange.open(CALL));
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
    const response = await exchange.open(CALL);
    expect(await exchange.text(response)).toBe("whole");
    goTo(100_000);
    exchange.cancel(new Error("late"));
    expect(state.aborted).toBe(false);
  });

  test("a body that stalls behind its headers is given up", async () => {
    const vendor = fed();
    const { exchange, goTo } = setUp(vendor.send);
    const text = faultOf(exchange.text(await exchange.open(CALL)));
    vendor.chunk("{");
    goTo(999);
    vendor.chunk(" ");
    goTo(1_000);
    expect((await text).status).toBe(503);
  });

  test("a vendor that does not close its ended stream is given five seconds", async () => {
    const vendor = fed();
    const { exchange, goTo, state } = setUp(vendor.send);
    const response = await exchange.open(CALL);
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
    const response = await exchange.open(CALL);
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
    const response = await exchange.open(CALL);
    const next = faultOf(exchange.read(response));
    const reason = new Error("the client left");
    exchange.cancel(reason);
    exchange.cancel(new Error("again"));
    expect(state.reason).toBe(reason);
    expect((await next).cause).toBe(reason);
  });

  test("a connection that breaks is the vendor's failure", async () => {
    const { exchange } = setUp(() => Promise.reject(new Error("ECONNRESET")));
    expect((await faultOf(exchange.open(CALL))).status).toBe(503);
  });

  test("an answer without a body is the vendor's failure", async () => {
    const { exchange } = setUp(async () => new Response(null));
    const response = await exchange.open(CALL);
    expect((await faultOf(exchange.read(response))).status).toBe(503);
  });
});

describe("refusals", () => {
  const refuse = (status: number, body: string) => {
    const { exchange, goTo, state } = setUp(async () => new Response(body, { status }));
    return { fault: faultOf(exchange.open(CALL)), goTo, state };
  };

  test("of the request itself keep the vendor's words", async () => {
    const body = JSON.stringify({ error: { message: "Bad image.", param: "input" } });
    const fault = await refuse(400, body).fault;
    expect([fault.status, fault.message, fault.param]).toEqual([400, "Bad image.", "input"]);
  });

  test.each([401, 403, 404, 429, 500, 302])("with %p become 503", async (status) => {
    const body = JSON.stringify({ error: { message: "Incorrect key sk-vendor-secret-1" } });
    const fault = await refuse(status, body).fault;
    expect(fault.status).toBe(503);
    const told = `${JSON.stringify(fault.toWire())}${JSON.stringify(fault.headers)}${String(fault.cause)}`;
    expect(told).not.toContain("vendor-secret");
  });

  test.each(["", "<html>Bad gateway</html>", "[1]", "null"])(
    "with the body %p do no harm",
    async (body) => {
      expect((await refuse(502, body).fault).status).toBe(503);
      expect((await refuse(400, body).fault).status).toBe(400);
    },
  );

  test("leave no deadline behind", async () => {
    const { fault, goTo, state } = refuse(500, "{}");
    await fault;
    goTo(1_000_000);
    expect(state.aborted).toBe(false);
  });
});

describe("on this runtime", () => {
  const servers: Bun.Server<undefined>[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop(true);
  });

  function serve(fetch: (request: Request) => Response | Promise<Response>): string {
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 0, fetch });
    servers.push(server);
    return `http://127.0.0.1:${server.port}/`;
  }

  /** A vendor that sends one chunk and then only listens for its caller to go. */
  function patientVendor() {
    const gone = Promise.withResolvers<void>();
    const url = serve((request) => {
      request.signal.addEventListener("abort", () => gone.resolve());
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(Buffer.from("first")),
        cancel: () => gone.resolve(),
      });
      return new Response(body);
    });
    return { url, gone: gone.promise };
  }

  test("a client that goes away ends the pull stream, and hanging up reaches the vendor", async () => {
    const vendor = patientVendor();
    const cancelled = Promise.withResolvers<void>();
    const gateway = serve(async () => {
      const abort = new AbortController();
      const answer = await fetch(vendor.url, { signal: abort.signal });
      const reader = answer.body?.getReader();
      return new Response(
        new ReadableStream<Uint8Array>({
          async pull(controller) {
            const chunk = await reader?.read().catch(() => undefined);
            if (chunk?.value) controller.enqueue(chunk.value as Uint8Array);
          },
          cancel() {
            cancelled.resolve();
            abort.abort();
          },
        }),
      );
    });
    const leave = new AbortController();
    const response = await fetch(gateway, { signal: leave.signal });
    await response.body?.getReader().read();
    leave.abort();
    await cancelled.promise;
    await vendor.gone;
  });

  test("a client that goes away before the first byte fires the request's signal", async () => {
    const heard = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const gateway = serve(async (request) => {
      request.signal.addEventListener("abort", () => heard.resolve());
      await request.text();
      arrived.resolve();
      await heard.promise;
      return new Response("too late");
    });
    const leave = new AbortController();
    const call = fetch(gateway, { method: "POST", body: "{}", signal: leave.signal });
    call.catch(() => {});
    await arrived.promise;
    leave.abort();
    await heard.promise;
    await expect(call).rejects.toThrow();
  });
});
