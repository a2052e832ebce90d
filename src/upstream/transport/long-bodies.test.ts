// Long bodies go out in chunks, by our own client and by `fetch`, and a vendor cannot tell.
import { afterEach, describe, expect, test } from "bun:test";
import { readConfig } from "../../config/config.ts";
import { type ChunkedText, encodeInSteps } from "../../lib/text/chunked-text.ts";
import type { ChannelSettings } from "../channels/channel-settings.ts";
import { openChannel } from "../channels/channels.ts";
import { waysOf } from "./ways.ts";

const MIB = 1024 * 1024;
const servers: { stop(isNow: boolean): unknown }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true);
});

const SETTINGS: ChannelSettings = {
  id: "a",
  vendor: "custom",
  name: "A",
  baseUrl: undefined,
  keys: ["sk-secret-of-vendor-0001"],
  protocols: ["chat"],
  weight: 1,
  priority: 0,
  models: "vendor",
  enabled: true,
  onDisconnect: undefined,
  headers: {},
};

function channelTo(port: number | undefined, FAREGATE_TRANSPORT: string) {
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const channel = openChannel({ ...SETTINGS, baseUrl }, waysOf(readConfig({ FAREGATE_TRANSPORT })));
  const [key] = channel.keys;
  if (!key) throw new Error("no key");
  return async (text: string, look?: (body: ChunkedText) => void) => {
    const body = await encodeInSteps([text]);
    look?.(body);
    const call = { endpoint: "chat", path: "/chat/completions", stream: false } as const;
    const particular = { requestId: "req_1", sandboxFault: undefined };
    return channel.call({ ...call, ...particular, body }, key);
  };
}

describe.each(["own", "fetch"])("by %s", (transport) => {
  test("a vendor gets every byte and its length, call after call", async () => {
    const heard: unknown[] = [];
    const vendor = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        const text = await request.text();
        const { headers } = request;
        heard.push([headers.get("content-length"), headers.get("transfer-encoding")]);
        return new Response(String(Bun.hash(text)));
      },
    });
    servers.push(vendor);
    const send = channelTo(vendor.port, transport);
    for (const text of ["é".repeat(MIB), "{}", "狐".repeat(3 * MIB), "x".repeat(5 * MIB)]) {
      const answer = await (await send(text)).answered;
      expect(await answer.text(Number.POSITIVE_INFINITY)).toBe(String(Bun.hash(text)));
      expect(heard.pop()).toEqual([String(Buffer.byteLength(text)), null]);
    }
  });

  test("a long body is let go of when the vendor has it, though its answer goes on", async () => {
    const vendor = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        await request.bytes();
        return new Response(new ReadableStream({ start: (to) => to.enqueue("begun") }));
      },
    });
    servers.push(vendor);
    const held: WeakRef<Uint8Array>[] = [];
    const call = await channelTo(vendor.port, transport)("x".repeat(16 * MIB), ({ chunks }) => {
      for (const chunk of chunks) held.push(new WeakRef(chunk));
    });
    const answer = await call.answered;
    expect(Buffer.from((await answer.read()) ?? "").toString()).toBe("begun");
    Bun.gc(true);
    // The collector may take one of them for used, but not most of them.
    expect(held.filter((chunk) => chunk.deref()).length).toBeLessThan(held.length / 2);
    call.hangUp(new Error("heard enough"));
  });

  test("a vendor that answers before it has read all of it is heard", async () => {
    const refusal = "HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\nconnection: close\r\n\r\nno";
    const vendor = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        data(socket) {
          socket.pause();
          socket.write(refusal);
        },
      },
    });
    servers.push(vendor);
    const call = await channelTo(vendor.port, transport)("x".repeat(16 * MIB));
    expect((await call.answered).status).toBe(413);
    call.hangUp(new Error("heard enough"));
  });

  test("a vendor that breaks off in the middle is no answer", async () => {
    const vendor = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.terminate() },
    });
    servers.push(vendor);
    const call = await channelTo(vendor.port, transport)("x".repeat(16 * MIB));
    await expect(Promise.resolve(call.answered)).rejects.toThrow("ECONNRESET");
  });
});
