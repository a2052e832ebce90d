// Messages of a WebSocket that come faster than their client takes them.
import { expect, test } from "bun:test";
import { type SocketData, socketHandler } from "../../src/http/sockets.ts";
import type { Socket } from "../../src/lib/route.ts";

/** So much that most of it waits for the client, whatever the system takes at once. */
const LONG = "x".repeat(30_000_000);
const WORDS = Array.from({ length: 20 }, (_, i) => `word ${i}`);

/** A server that says all of this to whoever connects, one after the other, and then hangs up. */
function sayingAll(messages: readonly string[]) {
  const open: SocketData["accepted"]["open"] = (socket: Socket) => {
    const say = async () => {
      for (const message of messages) await socket.send(message);
      socket.close(1000, "all is said");
    };
    void say();
    return { message() {}, closed() {}, stop() {} };
  };
  return Bun.serve<SocketData>({
    port: 0,
    fetch: (request, server) =>
      server.upgrade(request, { data: { accepted: { open, leave() {} } } })
        ? undefined
        : new Response(null, { status: 400 }),
    websocket: socketHandler(1_000),
  });
}

test("what is sent behind long messages arrives, though the client has not taken those", async () => {
  const messages = [LONG, LONG, ...WORDS, LONG];
  await using server = sayingAll(messages);
  const client = new WebSocket(`ws://127.0.0.1:${server.port}`);
  const heard: string[] = [];
  client.onmessage = ({ data }) => void heard.push(data);
  await new Promise((resolve) => {
    client.onclose = resolve;
  });
  const told = (texts: readonly string[]) =>
    texts.map((text) => (text.length > 100 ? text.length : text));
  expect(told(heard)).toEqual(told(messages));
});
