// What this runtime tells a server whose client goes away; the relay is built on it.
import { afterEach, describe, expect, test } from "bun:test";

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
  function waitingVendor() {
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
    const vendor = waitingVendor();
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
