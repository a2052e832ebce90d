import { expect, test } from "bun:test";
import { join } from "node:path";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { temporaryFolder } from "../../../test/support/houses/temporary-folder.ts";
import { SILENT } from "../../../test/support/logs.ts";
import { readConfig } from "../../config/config.ts";
import { HttpServer } from "../../http/server.ts";
import { withCheckedEnd } from "../../lib/bodies/bounded-body.ts";
import { Fault } from "../../lib/faults.ts";
import type { Route } from "../../lib/route.ts";
import { askInner, faultOf, passedOn } from "./inner-call.ts";

const parts = partsOfTest();
const CALLER = { requestId: "req_1", address: () => "203.0.113.7" };

/** The other half, on a socket. */
function half(handle: Route["handle"]): string {
  const folder = temporaryFolder();
  parts.defer(async () => folder.remove());
  const socket = join(folder.path, "half.sock");
  const routes: Route[] = [{ method: "POST", path: "/ask", handle }];
  const ready = async () => {};
  const config = readConfig({});
  parts.keep(new HttpServer({ config, log: SILENT, routes, sockets: [], ready, socket }));
  return socket;
}

function ask(
  socket: string,
  headers: Record<string, string> = {},
  body: string | ReadableStream<Uint8Array> = "said",
) {
  const url = "http://gate.test:99/ask?a=b";
  const call = { method: "POST", url, headers: new Headers(headers), body };
  return askInner(socket, call, CALLER);
}

test("the other half knows the request's id and its client, whatever the client says", async () => {
  const socket = half(async (incoming) => {
    const { request, requestId, url } = incoming;
    return Response.json({
      ...{ requestId, address: incoming.address(), url: url.href, text: await request.text() },
      cookie: request.headers.get("cookie"),
    });
  });
  const lies = { "x-faregate-inner-address": "127.0.0.1", "x-faregate-inner-id": "req_lie" };
  const answer = await ask(socket, { ...lies, "x-forwarded-for": "10.0.0.1", cookie: "a=1" });
  expect(await answer.json()).toEqual({
    ...{ requestId: "req_1", address: "203.0.113.7", url: "http://gate.test:99/ask?a=b" },
    ...{ text: "said", cookie: "a=1" },
  });
});

test("a fault comes back as it was thrown, and without what is between the halves", async () => {
  const thrown = new Fault("budget_exceeded", "No more.", {
    ...{ param: "model", headers: { "x-faregate-used": "1.0", "retry-after": "3" } },
    facts: { more: 1 },
  });
  const socket = half(async () => {
    throw thrown;
  });
  const fault = await faultOf(await ask(socket));
  expect(fault).toMatchObject({
    ...{ fault: "budget_exceeded", message: "No more.", param: "model" },
    ...{ headers: thrown.headers, facts: { more: 1 } },
  });
  const shown = passedOn(await ask(socket), null);
  expect([...shown.headers.keys()].filter((name) => name.includes("inner"))).toEqual([]);
  expect(shown.headers.get("x-request-id")).toBe("req_1");
});

test("what is answered comes back as it was sent, packed or in many cookies", async () => {
  const packed = Bun.gzipSync(Buffer.from("hello"));
  const socket = half(async () => {
    const headers = new Headers({ "content-encoding": "gzip" });
    for (const cookie of ["a=1", "b=2"]) headers.append("set-cookie", cookie);
    return new Response(packed, { status: 201, headers });
  });
  const answer = await ask(socket);
  const shown = passedOn(answer, answer.body);
  expect(shown.status).toBe(201);
  expect(shown.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(new Uint8Array(await shown.arrayBuffer())).toEqual(packed);
  expect(await faultOf(new Response("{}"))).toBeUndefined();
});

test("a body that breaks is not taken for a whole one by the other half", async () => {
  const read = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const socket = half(async ({ request }) => {
    begun.resolve();
    const text = request.text();
    text.then(read.resolve, () => read.resolve("(cut off)"));
    return new Response(await text);
  });
  const body = withCheckedEnd(new Blob(["all of it"]).stream(), async () => {
    await begun.promise;
    throw new Error("refused");
  });
  await expect(ask(socket, {}, body)).rejects.toThrow();
  expect(await read.promise).toBe("(cut off)");
});
