import { expect, test } from "bun:test";
import { SILENT } from "../../test/support/logs.ts";
import { RawClient } from "../../test/support/raw-client.ts";
import { eventually } from "../../test/support/waiting.ts";
import { readConfig } from "../config.ts";
import { readBounded } from "../lib/bounded-body.ts";
import type { Route } from "../lib/route.ts";
import { HttpServer } from "./server.ts";

function serve(...routes: Route[]): HttpServer {
  const config = readConfig({ FAREGATE_PORT: "0" });
  return new HttpServer({ config, log: SILENT, routes, sockets: [], ready: async () => {} });
}

const upload: Route = {
  method: "POST",
  path: "/upload",
  handle: async ({ request }) =>
    Response.json({ bytes: (await readBounded(request, 1_000)).length }),
};

test("a stop does not wait for the rest of a body that was refused", async () => {
  const server = serve(upload);
  const client = await RawClient.connect(`http://127.0.0.1:${server.port}`);
  client.send("POST /upload HTTP/1.1\r\nhost: gate\r\ncontent-length: 300000\r\n\r\nsome of it");
  await eventually("the body is refused", () => client.text.includes("413"));
  client.send("a little more");
  // Longer than the test may take if it waited for the connection.
  await server.stop();
  client.leave();
});

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
  const server = serve(slow, upload);
  const answer = await fetch(`http://127.0.0.1:${server.port}/slow`);
  let stopped = false;
  const stopping = server.stop().then(() => {
    stopped = true;
  });
  await Bun.sleep(300);
  expect(stopped).toBe(false);
  go.resolve();
  expect(await answer.text()).toBe("first last");
  await stopping;
});
