import { expect, test } from "bun:test";
import { RawClient } from "../../test/support/clients/raw-client.ts";
import { partsOfTest } from "../../test/support/houses/house.ts";
import { SILENT } from "../../test/support/logs.ts";
import { eventually } from "../../test/support/waiting.ts";
import { readConfig } from "../config/config.ts";
import { Fault } from "../lib/faults.ts";
import type { Incoming, Route } from "../lib/route.ts";
import { idleTimeoutsOf } from "./idle-timeouts.ts";
import type { RemoteRoutes } from "./remote-routes.ts";
import { HttpServer } from "./server.ts";

const parts = partsOfTest();

const routes: Route[] = [
  {
    method: "POST",
    path: "/taken",
    async handle(incoming: Incoming) {
      await incoming.request.text();
      incoming.keepOpen();
      return new Response("it is there");
    },
  },
  {
    method: "POST",
    path: "/refused",
    handle: () => Promise.reject(new Fault("invalid_api_key", "No key.")),
  },
];

/** What another process answers, which may take as long as it likes. */
const remote: RemoteRoutes = {
  paths: ["/passed", "/events", "/failed"],
  async answer(incoming) {
    await incoming.request.text();
    incoming.keepOpen();
    const { pathname } = incoming.url;
    if (pathname === "/failed") throw new Fault("office_unavailable", "It is not there.");
    const isEvents = pathname === "/events";
    const headers = { "content-type": isEvents ? "text/event-stream" : "text/plain" };
    return new Response(new Blob(["data: one\n\n"]).stream(), { headers });
  },
};

async function connect(settings: Record<string, string>): Promise<() => Promise<RawClient>> {
  const config = readConfig({ FAREGATE_PORT: "0", ...settings });
  const options = { config, log: SILENT, routes, remote, sockets: [], ready: async () => {} };
  const server = parts.adopt(new HttpServer(options), (opened) => opened.stop());
  return async () =>
    parts.adopt(await RawClient.connect(`http://127.0.0.1:${server.port}`), (client) =>
      client.leave(),
    );
}

/** A connection by which one request has been answered, and nothing is asked since. */
async function idle(open: () => Promise<RawClient>, path: string): Promise<RawClient> {
  const client = await open();
  client.post(path, "key", {});
  await eventually("it is answered", () => client.text.includes("HTTP/1.1"));
  return client;
}

test("a connection that nobody asks by is closed, whoever has answered", async () => {
  const open = await connect({ FAREGATE_CLIENT_KEEP_MS: "1000", FAREGATE_KEEP_ALIVE_MS: "500" });
  const paths = ["/taken", "/refused", ...remote.paths];
  await Promise.all(paths.map(async (path) => (await idle(open, path)).closed));
});

/** Whether a connection that has had one answer gives another. */
async function asksAgain(client: RawClient): Promise<boolean> {
  let isClosed = false;
  void client.closed.then(() => {
    isClosed = true;
  });
  client.post("/taken", "key", {});
  const isAnswered = () => client.text.split("HTTP/1.1").length > 2;
  await eventually("it is answered or closed", () => isClosed || isAnswered());
  return !isClosed;
}

test("one that waits for its next request outlives one that waits for the rest of a body", async () => {
  const open = await connect({ FAREGATE_UPLOAD_IDLE_MS: "1000" });
  const waiting = await Promise.all(["/taken", "/refused"].map((path) => idle(open, path)));
  const half = "POST /taken HTTP/1.1\r\nhost: gate\r\ncontent-length: 300\r\n\r\nsome of it";
  const first = await open();
  const next = await idle(open, "/taken");
  for (const client of [first, next]) client.send(half);
  await Promise.all([first.closed, next.closed]);
  expect(await Promise.all(waiting.map(asksAgain))).toEqual([true, true]);
});

test("a stream may be silent until it gets its keep-alive, whatever is set", () => {
  const keepOf = (settings: Record<string, string>) =>
    idleTimeoutsOf(readConfig(settings).limits).keep;
  expect(keepOf({})).toBe(240);
  expect(keepOf({ FAREGATE_CLIENT_KEEP_MS: "1000" })).toBe(30);
  expect(keepOf({ FAREGATE_KEEP_ALIVE_MS: "200000" })).toBe(0);
});
