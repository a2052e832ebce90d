import { expect, test } from "bun:test";
import type { Socket } from "bun";
import { postRequest, runLoad } from "./load.ts";

const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/** A server that gets every socket that has asked, and every one that has closed. */
function serverOf(asked: (socket: Socket) => void, closed: () => void) {
  return Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: (socket) => asked(socket), close: closed },
  });
}

function planFor(port: number, requests: number) {
  const request = postRequest(port, "/", "sk-any", "{}");
  const check = () => {};
  return { name: "server", port, request, connections: 2, requests, deadlineMs: 60_000, check };
}

test("a connection that has nothing left to ask may be closed, as servers do with idle ones", async () => {
  const waiting: Socket[] = [];
  const server = serverOf(
    (socket) => {
      waiting.push(socket);
      if (waiting.length < 2) return;
      // The first is answered and closed; only when the client has seen that is the second answered.
      const first = waiting.shift();
      first?.write(ANSWER);
      first?.shutdown();
    },
    () => waiting.shift()?.write(ANSWER),
  );
  try {
    const { latenciesMs } = await runLoad(planFor(server.port, 2));
    expect(latenciesMs.length).toBe(2);
  } finally {
    server.stop(true);
  }
});

test("a connection that is closed instead of answered fails the load", async () => {
  const server = serverOf(
    (socket) => socket.end(),
    () => {},
  );
  try {
    const load = runLoad(planFor(server.port, 2));
    await expect(load).rejects.toThrow("the server closed a connection (server, 0 of 2 answered)");
  } finally {
    server.stop(true);
  }
});
