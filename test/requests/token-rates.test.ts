// Tokens per minute bound a burst: a request takes from its key's window before it runs, and its true count replaces that.
import { expect, test } from "bun:test";
import { onEngines } from "../store/engines.ts";
import { perTest } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { RESPONSES, StreamReader } from "../support/samples/wires.ts";
import type { VendorCall } from "../support/vendors/mock-vendor.ts";
import { MockVendor, pausedEvents, streamOf } from "../support/vendors/mock-vendor.ts";
import { eventually } from "../support/waiting.ts";

const LIMIT = 2_000;
const BURST = 60;
const MODEL = "gpt-6-luna";
const BODY = { ...RESPONSES.request("Tell me about foxes."), model: MODEL };

/** A stream of 113 tokens by its vendor's count, which goes on when the gate opens. */
function slowStream(call: VendorCall, gate: Promise<void>): Response {
  async function* events() {
    for await (const event of pausedEvents(call, gate)) {
      yield event.replace(
        '"output_tokens":7,"total_tokens":18',
        '"output_tokens":102,"total_tokens":113',
      );
    }
  }
  return streamOf(events());
}

onEngines("tokens per minute on $name", (engine) => {
  const house = perTest(async (parts) => {
    const vendor = parts.keep(new MockVendor());
    return { vendor, ...(await serve(parts, { engine, settings: vendor.settings, books: true })) };
  });

  test("bound a burst of slow streams", async () => {
    const { vendor, server, database } = house;
    const gate = Promise.withResolvers<void>();
    vendor.script = (call) => slowStream(call, gate.promise);
    const { key, keyId } = await server.account("50", "--rpm", "0", "--tpm", `${LIMIT}`);
    const open = () => StreamReader.open(server, RESPONSES.path, key, BODY);
    const streams = await Promise.all(Array.from({ length: BURST }, open));
    const passed = streams.filter(({ response }) => response.status === 200);
    gate.resolve();
    await Promise.all(passed.map((stream) => stream.readAll()));
    const [sums] = await eventually("all of them are settled", async () => {
      const rows = await database.run(
        `select count(*) as requests, sum(fresh + output) as tokens from receipts
         where key_id = '${keyId}' and status = 200`,
      );
      return Number(rows[0]?.requests) === passed.length && rows;
    });
    // Each takes 500 tokens for its output, and some for its input.
    expect(passed.length).toBe(3);
    expect(Number(sums?.tokens)).toBe(339);
    const next = await open();
    expect(next.response.headers.get("x-ratelimit-remaining-tokens")).toMatch(/^1\d\d\d$/);
    await next.readAll();
  });

  test("let a stream pass by what it writes beyond a quarter of them, and cut nothing", async () => {
    const { vendor, server } = house;
    vendor.script = (call) => slowStream(call, Promise.resolve());
    const { key } = await server.account("50", "--rpm", "0", "--tpm", "100");
    const first = await StreamReader.open(server, RESPONSES.path, key, BODY);
    await first.readAll();
    expect(first.text).toContain("response.completed");
    expect(first.text).not.toContain("incomplete");
    expect(vendor.calls[0]?.body).not.toContainKey("max_output_tokens");
    const refused = await StreamReader.open(server, RESPONSES.path, key, BODY);
    expect(refused.response.status).toBe(429);
    expect(refused.response.headers.get("x-faregate-limit")).toBe("tokens");
    await refused.readAll();
    expect(refused.text).toContain("tokens per minute: limit 100, used 113, this request takes");
  });
});
