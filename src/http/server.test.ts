import { expect, test } from "bun:test";
import { RawClient } from "../../test/support/clients/raw-client.ts";
import { callRoute } from "../../test/support/houses/echo-servers.ts";
import { keptLog, SILENT } from "../../test/support/logs.ts";
import { eventually } from "../../test/support/waiting.ts";
import { readConfig } from "../config/config.ts";
import { readBounded } from "../lib/bodies/bounded-body.ts";
import { HttpResponse } from "../lib/net/http-response.ts";
import type { Incoming, Route } from "../lib/route.ts";
import { HttpServer } from "./server.ts";

/** So long a stop would take that waited for a connection. */
const CONNECTION_MS = 255_000;
/** Far less than that, and far more than anything else here may take. */
const TIMEOUT_MS = 100_000;

function serve(...routes: Route[]): HttpServer {
  const config = readConfig({
    FAREGATE_PORT: "0",
    FAREGATE_UPLOAD_IDLE_MS: String(CONNECTION_MS),
    FAREGATE_SHUTDOWN_DRAIN_MS: String(CONNECTION_MS),
  });
  return new HttpServer({ config, log: SILENT, routes, sockets: [], ready: async () => {} });
}

const upload: Route = {
  method: "POST",
  path: "/upload",
  handle: async (incoming) =>
    Response.json({ bytes: (await readBounded(incoming, { bytesMax: 1_000 })).length }),
};

/** A client whose body is refused while most of it has not been sent. */
async function refusedClient({ port }: HttpServer): Promise<RawClient> {
  const client = await RawClient.connect(`http://127.0.0.1:${port}`);
  client.send("POST /upload HTTP/1.1\r\nhost: gate\r\ncontent-length: 300000\r\n\r\nsome of it");
  await eventually("the body is refused", () => client.text.includes("413"));
  client.send("a little more");
  return client;
}

test(
  "a stop does not wait for the rest of a body that was refused",
  async () => {
    const server = serve(upload);
    const client = await refusedClient(server);
    await server.stop();
    client.leave();
  },
  TIMEOUT_MS,
);

test("a stop waits for what is being answered, to its last byte", async () => {
  const go = Promise.withResolvers<void>();
  const slow: Route = {
    method: "GET",
    path: "/slow",
    async handle() {
      async function* pieces() {
        yield "first ";
        await go.promise;
        yield "last";
      }
      return new Response(pieces() as unknown as ReadableStream);
    },
  };
  const server = serve(slow);
  const answer = await fetch(`http://127.0.0.1:${server.port}/slow`);
  let stopped = false;
  const stopping = server.stop().then(() => {
    stopped = true;
  });
  // One that is asked to stop after it, and looks as often whether all is quiet, is done before it.
  const other = serve(upload);
  const client = await refusedClient(other);
  await other.stop();
  client.leave();
  expect(stopped).toBe(false);
  go.resolve();
  expect(await answer.text()).toBe("first last");
  await stopping;
});

test("every answer to a page has the server's time, faults and what is not there too", async () => {
  const fine: Route = { method: "GET", path: "/api/fine", handle: async () => Response.json({}) };
  const wrong: Route = {
    method: "GET",
    path: "/api/wrong",
    handle: () => Promise.reject(new Error("wrong")),
  };
  const model: Route = { ...fine, path: "/v1/fine" };
  const server = serve(fine, wrong, model);
  const timeOf = async (path: string) => {
    const { headers } = await fetch(`http://127.0.0.1:${server.port}${path}`);
    return headers.get("x-faregate-time");
  };
  for (const path of ["/api/fine", "/api/wrong", "/api/nowhere"]) {
    expect(await timeOf(path)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
  expect(await timeOf("/v1/fine")).toBeNull();
  await server.stop();
});

test("what is passed on is below its paths as an address too, however it was written", async () => {
  const config = readConfig({ FAREGATE_PORT: "0" });
  const passed: string[] = [];
  const server = new HttpServer({
    ...{ config, log: SILENT, routes: [], sockets: [], ready: async () => {} },
    remote: {
      paths: ["/console/*", "/docs"],
      async answer({ url }) {
        passed.push(url.pathname);
        return new Response();
      },
    },
  });
  const client = await RawClient.connect(`http://127.0.0.1:${server.port}`);
  const paths = ["/console/%2e%2e/inner/busy", "/console/../inner/busy", "/console/%2E./docs"];
  for (const [i, path] of [...paths, "/console/a"].entries()) {
    client.send(`GET ${path} HTTP/1.1\r\nhost: gate\r\n\r\n`);
    await eventually(path, () => client.text.split("HTTP/1.1 ").length === i + 2);
  }
  client.leave();
  await server.stop();
  expect([...client.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
    ...["404", "404", "200", "200"],
  ]);
  expect(passed).toEqual(["/docs", "/console/a"]);
});

test.each(["content-length: 300", "transfer-encoding: chunked"])(
  "a client that leaves in the middle of its body (%s) broke nothing here",
  async (framing) => {
    const { log, logged } = keptLog();
    const buggy: Route = {
      method: "POST",
      path: "/bug",
      async handle({ request }) {
        await request.text().catch(() => {});
        throw new Error("a bug behind it");
      },
    };
    const direct = callRoute("/direct", async ({ request }) => {
      const bytes = await request.bytes();
      return new HttpResponse(new Uint8Array(bytes), {});
    });
    const routes = [upload, buggy, direct];
    const remote = {
      paths: ["/api/*"],
      answer: async ({ request }: Incoming) => new Response(await request.arrayBuffer()),
    };
    const config = readConfig({ FAREGATE_PORT: "0" });
    const ready = async () => {};
    const server = new HttpServer({ ...{ config, log, routes, remote, ready }, sockets: [] });
    for (const path of ["/upload", "/api/x", "/direct", "/bug"]) {
      const client = await RawClient.connect(`http://127.0.0.1:${server.port}`);
      client.send(`POST ${path} HTTP/1.1\r\nhost: gate\r\n${framing}\r\n\r\n5\r\nhello\r\n`);
      await eventually("it is being read", () => server.running === 1);
      client.leave();
      await eventually("it is over", () => server.running === 0);
    }
    const told = logged("request_broke").map(({ thrown }) => (thrown as Error).message);
    expect(told).toEqual(["a bug behind it"]);
    await server.stop(0);
  },
);
