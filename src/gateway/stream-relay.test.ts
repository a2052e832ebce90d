import { describe, expect, test } from "bun:test";
import {
  CHAT,
  COUNTS,
  DELTA,
  event,
  fed,
  gateway,
  type Send,
  STOP,
  theOnly,
} from "../../test/support/houses/pipeline.ts";

const STREAM = { ...CHAT, stream: true };

/** A vendor that goes on for as long as it is read, with so many events to a read. */
function endless(eventsPerRead = 1) {
  const read = Buffer.from(DELTA.repeat(eventsPerRead));
  const told = { reads: 0, bytes: 0 };
  const send: Send = async (_call, _key, signal) => {
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        told.reads++;
        told.bytes += read.length;
        controller.enqueue(read);
      },
    });
    signal.addEventListener("abort", () => body.cancel().catch(() => {}));
    return new Response(body);
  };
  return { send, told };
}

/** Turns of the event loop until a number has stood still for many of them, or is too high. */
async function settledAt(number: () => number, max: number): Promise<number> {
  for (let still = 0, before = -1; still < 200 && number() <= max; still++) {
    if (number() !== before) still = 0;
    before = number();
    await Bun.sleep(1);
  }
  return number();
}

describe("a stream on its way", () => {
  test("goes out with one write for what one read of the vendor delivers", async () => {
    const vendor = fed();
    const it = gateway({ send: vendor.send });
    vendor.say(DELTA);
    const response = await it.post("chat", STREAM);
    const reader = response.body?.getReader();
    await reader?.read();
    for (const events of [1, 5, 16]) {
      vendor.say(DELTA.repeat(events));
      const { value } = (await reader?.read()) ?? {};
      expect(Buffer.from(value ?? []).toString()).toBe(
        DELTA.replace('"model":"v"', '"model":"sandbox-1.0"').repeat(events),
      );
    }
    await reader?.cancel();
    await theOnly(it);
  });

  test("is read on where what came has nothing for the client", async () => {
    const vendor = fed();
    const it = gateway({ send: vendor.send });
    vendor.say(DELTA);
    const reader = (await it.post("chat", STREAM)).body?.getReader();
    await reader?.read();
    const next = reader?.read();
    for (let i = 0; i < 50; i++) vendor.say(": alive\n\n");
    vendor.say(event("[DONE]"));
    vendor.end();
    expect(Buffer.from((await next)?.value ?? []).toString()).toBe(event("[DONE]"));
    expect((await reader?.read())?.done).toBe(true);
    await theOnly(it);
  });

  test("is whole though its vendor ends it a second time, by the marker of another wire", async () => {
    const vendor = fed();
    const it = gateway({ send: vendor.send, endpoints: ["messages"] });
    const say = (...events: { type: string }[]) =>
      events.map((each) => `event: ${each.type}\n${event(each)}`).join("");
    const begun = { message: { id: "msg_1", usage: { input_tokens: 50, output_tokens: 1 } } };
    const delta = (text: string) => ({
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text },
    });
    const block = { index: 0, content_block: { type: "text", text: "" } };
    vendor.say(
      say(
        { type: "message_start", ...begun },
        { type: "content_block_start", ...block },
        delta("he"),
      ),
    );
    const response = await it.post("chat", STREAM);
    const stop = { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 5 } };
    const end = say(delta("llo"), { type: "message_delta", ...stop }, { type: "message_stop" });
    vendor.say(`${end}event: data\n${event("[DONE]")}`);
    vendor.end();
    const text = await response.text();
    expect(text).toContain('"content":"llo"');
    expect(text).not.toContain('"error"');
    const { billingReason, usage } = await theOnly(it);
    expect(billingReason).toBe("completed");
    expect(usage).toMatchObject({ fresh: 50, output: 5 });
  });

  test("goes on behind a vendor's null, and its counts come without choices", async () => {
    const vendor = fed();
    const it = gateway({ send: vendor.send });
    vendor.say(DELTA);
    const response = await it.post("chat", STREAM);
    const usage = { prompt_tokens: 10, completion_tokens: 2 };
    vendor.say(event("null") + DELTA + STOP + event({ id: "c1", choices: null, usage }));
    vendor.say(event("[DONE]"));
    vendor.end();
    const ours = (DELTA + DELTA + STOP).replaceAll('"model":"v"', '"model":"sandbox-1.0"');
    expect(await response.text()).toBe(ours + event("[DONE]"));
    const receipt = await theOnly(it);
    expect(receipt.billingReason).toBe("completed");
    expect(receipt.usage).toMatchObject({ fresh: 10, output: 2 });
  });

  test("is read no further than its client takes it", async () => {
    const { send, told } = endless();
    const it = gateway({ send });
    const reader = (await it.post("chat", STREAM)).body?.getReader();
    const ahead = await settledAt(() => told.reads, 20);
    expect(ahead).toBeLessThanOrEqual(6);
    for (let i = 0; i < 40; i++) await reader?.read();
    expect(await settledAt(() => told.reads, 100)).toBeLessThanOrEqual(40 + 6);
    await reader?.cancel();
    await theOnly(it);
  });

  test("that its client leaves for a while is no silence of the vendor", async () => {
    const vendor = fed();
    const it = gateway({ send: vendor.send, env: { FAREGATE_UPSTREAM_IDLE_MS: "30000" } });
    vendor.say(DELTA);
    const reader = (await it.post("chat", STREAM)).body?.getReader();
    await reader?.read();
    for (let more = 0; more < 5; more++) {
      vendor.say(DELTA.repeat(500));
      await Bun.sleep(1);
    }
    vendor.say(STOP + COUNTS + event("[DONE]"));
    vendor.end();
    await Bun.sleep(1);
    it.goTo(31_000);
    while (!(await reader?.read())?.done);
    expect((await theOnly(it)).billingReason).toBe("completed");
    expect(it.services.routes.status()).toMatchObject([{ faults: 0 }]);
  });

  test("waits in the vendor and not in memory for a client that does not read its socket", async () => {
    const { send, told } = endless(100);
    const it = gateway({ send });
    const server = Bun.serve({ port: 0, idleTimeout: 0, fetch: () => it.post("chat", STREAM) });
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port: server.port as number,
      socket: {
        open: (own) => {
          own.pause();
          own.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        },
        data() {},
      },
    });
    try {
      while (told.reads === 0) await Bun.sleep(1);
      // What the system keeps for both ends of a socket is some megabytes, and no more comes to it.
      const max = 64 * 1024 * 1024;
      expect(await settledAt(() => told.bytes, max)).toBeLessThan(max);
    } finally {
      socket.terminate();
      await server.stop(true);
    }
    while (it.settled.length === 0) await Bun.sleep(1);
    await theOnly(it);
  });
});
