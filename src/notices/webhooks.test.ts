import { afterAll, describe, expect, test } from "bun:test";
import type { LookupFunction } from "node:net";
import { isSigned, startHookReceiver } from "../../test/support/outside/hook-receiver.ts";
import { startUpgradingServer } from "../../test/support/outside/upgrading-server.ts";
import { Webhooks } from "./webhooks.ts";

const SECRET = "whsec_test";
const NOW_MS = 1_800_000_000_999;

const receiver = startHookReceiver();
const upgrading = startUpgradingServer();
afterAll(async () => {
  upgrading.close();
  await receiver.close();
});

const here: LookupFunction = (_name, _options, done) =>
  done(null, [{ address: "127.0.0.1", family: 4 }]);

function webhooks(over: { timeoutMs?: number; loopback?: boolean } = {}): Webhooks {
  return new Webhooks({ timeoutMs: 10_000, loopback: true, lookup: here, ...over }, () => NOW_MS);
}

function call(url = receiver.url, hooks = webhooks()): Promise<void> {
  return hooks.call({ url, secret: SECRET, id: "ntc_1", body: '{"text":"余额"}' });
}

describe("a webhook", () => {
  test("is called with a signature that only the secret makes", async () => {
    await call();
    const [received] = receiver.calls;
    if (!received) throw new Error("nothing came");
    expect(received).toMatchObject({ path: "/hook", body: '{"text":"余额"}' });
    expect(received.headers.get("x-faregate-event-id")).toBe("ntc_1");
    expect(received.headers.get("x-faregate-signature")).toStartWith("t=1800000000,v1=");
    expect(isSigned(received, SECRET)).toBe(true);
    expect(isSigned(received, "another")).toBe(false);
    expect(isSigned({ ...received, body: "{}" }, SECRET)).toBe(false);
  });

  test.each([400, 404, 410, 429, 500, 503])("that answers %i has not taken it", async (status) => {
    receiver.answer(() => new Response("no", { status }));
    await expect(call()).rejects.toThrow(`answered ${status}`);
  });

  test("that sends us elsewhere is not followed", async () => {
    const before = receiver.calls.length;
    receiver.answer(() => Response.redirect(`http://127.0.0.1:${receiver.port}/inside`, 307));
    await expect(call()).rejects.toThrow("redirects are not followed");
    expect(receiver.calls.slice(before).map(({ path }) => path)).toEqual(["/hook"]);
  });

  test("that hangs up with another protocol has not taken it", async () => {
    await expect(call(upgrading.url)).rejects.toThrow("the receiver hung up");
  });

  test("that does not answer is given up in time", async () => {
    receiver.answer(() => new Promise(() => {}));
    await expect(call(receiver.url, webhooks({ timeoutMs: 50 }))).rejects.toThrow(
      "longer than 50 ms",
    );
  });

  test("that answers without end costs no more than its status", async () => {
    receiver.answer(() => {
      const pull = (controller: ReadableStreamDefaultController) =>
        controller.enqueue(new Uint8Array(65_536));
      return new Response(new ReadableStream({ pull }));
    });
    await call();
  });

  test("whose name leads to this machine gets nothing, unless that is allowed", async () => {
    receiver.answer(() => new Response("thanks"));
    const named = `https://hooks.test:${receiver.port}/hook`;
    const before = receiver.calls.length;
    await expect(call(named, webhooks({ loopback: false }))).rejects.toThrow("private network");
    await expect(call(receiver.url, webhooks({ loopback: false }))).rejects.toThrow("https://");
    expect(receiver.calls.length).toBe(before);
    await call(`http://localhost:${receiver.port}/hook`);
    expect(receiver.calls.length).toBe(before + 1);
  });

  test("that nobody serves is a failure", async () => {
    await expect(call("http://127.0.0.1:1/hook")).rejects.toThrow();
  });
});
