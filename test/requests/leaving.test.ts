// What a client pays that leaves a stream, by whether its vendor stops billing when it is left.
import { beforeEach, describe, expect, test } from "bun:test";
import { nano } from "../support/books.ts";
import { perSuite } from "../support/houses/house.ts";
import { FACES, type Face } from "../support/samples/faces.ts";
import { answering, GOOD_COUNTS, pausing } from "../support/vendors/good-vendor.ts";
import type { Script } from "../support/vendors/scripted-vendor.ts";
import type { VendorWireName } from "../support/vendors/vendor-bytes.ts";
import {
  INPUT_NANO,
  modelEntry,
  OUTPUT_NANO,
  type Receipt,
  SECRET,
  type VendorHouse,
  vendorHouse,
} from "../support/vendors/vendor-house.ts";
import { caughtUp, eventually } from "../support/waiting.ts";

const VENDOR_COST =
  BigInt(GOOD_COUNTS.input) * INPUT_NANO + BigInt(GOOD_COUNTS.output) * OUTPUT_NANO;

/** About a thousand tokens, whoever counts them. */
const LONG_TEXT = "A fox sleeps here. ".repeat(200);
const LONG_TOKENS_LEAST = 500n;

const never = new Promise<void>(() => {});

/** Vendors by their rows, and models that only they have. */
const VENDORS: readonly (readonly [string, VendorWireName, string])[] = [
  ["anthropic", "messages", "abort"],
  ["google", "gemini", "drain"],
  ["openai", "responses", "abort"],
  ["moonshot", "chat", "drain"],
];

const modelOf = (vendor: string) => `${vendor}-model-1.0`;

const openHouse = (settings: Record<string, string>) =>
  perSuite((parts) =>
    vendorHouse(parts, {
      settings,
      file: (vendor) => ({
        channels: VENDORS.map(([id]) => ({
          id,
          vendor: id,
          base_url: vendor.url(id),
          keys: [`sk-${SECRET}`],
          models: { [modelOf(id)]: "vendor-name" },
        })),
        models: VENDORS.map(([id]) => modelEntry(modelOf(id))),
      }),
    }),
  );

/** A client that has heard the beginning of a stream. */
async function listen(house: VendorHouse, face: Face, model: string, heard: RegExp) {
  const leave = new AbortController();
  const response = await fetch(house.root + face.path(model, true), {
    method: "POST",
    headers: { authorization: `Bearer ${house.key}`, "content-type": "application/json" },
    body: JSON.stringify(face.body(model, true, "Tell me about foxes.")),
    signal: leave.signal,
  });
  expect(response.status).toBe(200);
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (reader && !heard.test(text)) {
    const { value, done } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  expect(text).toMatch(heard);
  return { requestId: response.headers.get("x-request-id") ?? "", leave: () => leave.abort() };
}

/** A client that waits for an answer of which nothing has come. */
function wait(house: VendorHouse, model: string, stream: boolean, headers = {}) {
  const leave = new AbortController();
  const body = { model, stream, messages: [{ role: "user", content: "Hello" }] };
  const ask = (signal?: AbortSignal) =>
    house.server.post("/chat/completions", house.key, body, headers, signal);
  ask(leave.signal).catch(() => {});
  return { leave: () => leave.abort(), again: () => ask() };
}

/** The newest receipt of a model. Those who have heard nothing know no id to ask for. */
async function requestIds(house: VendorHouse): Promise<string[]> {
  return house.vendor.calls.map(({ headers }) => headers["x-client-request-id"] ?? "");
}

const ways = VENDORS.flatMap(([vendor, wire, policy], i) => {
  const own = FACES.find(({ name }) => name === wire) as Face;
  const other = FACES.filter(({ name }) => name !== wire)[i % 3] as Face;
  return [own, other].map((face) => [vendor, face.name, policy, wire, face] as const);
});

describe("a client that leaves a stream", () => {
  const house = openHouse({});
  beforeEach(() => {
    house.vendor.calls.length = 0;
  });

  const aborted = ways.filter(([, , policy]) => policy === "abort");
  const drained = ways.filter(([, , policy]) => policy === "drain");

  test.each(aborted)("of %s as a %s client pays what was delivered", async (...way) => {
    const [vendor, , , wire, face] = way;
    house.vendor.play(vendor, pausing(wire, never, LONG_TEXT));
    const client = await listen(house, face, modelOf(vendor), /sleeps/);
    client.leave();
    await house.expectNoCallLeftOpen();
    const receipt = await house.receipt(client.requestId);
    expect(receipt).toMatchObject({ status: 499, billing_reason: "client_closed" });
    // Also where the vendor counted one token of output before it began to write.
    expect(nano(receipt.cost)).toBeGreaterThan(LONG_TOKENS_LEAST * OUTPUT_NANO);
  });

  test.each(drained)("of %s as a %s client pays what the vendor counts", async (...way) => {
    const [vendor, , , wire, face] = way;
    const gate = Promise.withResolvers<void>();
    house.vendor.play(vendor, pausing(wire, gate.promise));
    const client = await listen(house, face, modelOf(vendor), /All is well/);
    client.leave();
    await caughtUp(house.root);
    expect(house.vendor.unfinished).toBe(1);
    gate.resolve();
    const receipt = await house.receipt(client.requestId);
    expect(receipt).toMatchObject({ billing_reason: "client_closed_finished", status: 200 });
    expect(nano(receipt.cost)).toBe(VENDOR_COST);
    expect(receipt.usage).toMatchObject({ source: "vendor" });
  });

  test.each(VENDORS.filter(([, , policy]) => policy === "drain"))(
    "of %s before its first byte pays what the vendor counts",
    async (vendor, wire) => {
      const gate = Promise.withResolvers<void>();
      house.vendor.play(vendor, gated(wire, gate.promise));
      const client = wait(house, modelOf(vendor), true);
      await eventually("the vendor is called", () => house.vendor.calls.length === 1);
      client.leave();
      await caughtUp(house.root);
      expect(house.vendor.unfinished).toBe(1);
      gate.resolve();
      const receipt = await house.receipt((await requestIds(house))[0] ?? "");
      expect(nano(receipt.cost)).toBe(VENDOR_COST);
    },
  );

  test("and all of this leaves no trace", () => house.expectNoTrace());
});

/** Nothing at all until the gate opens, then a good answer. */
function gated(wire: VendorWireName, gate: Promise<void>): Script {
  return async (call, reply) => {
    await gate;
    await answering(wire)(call, reply);
  };
}

describe("of clients that leave what is billed anyway", () => {
  const house = openHouse({ FAREGATE_DRAINS_MAX: "2", FAREGATE_DRAIN_MS: "60000" });
  beforeEach(() => {
    house.vendor.calls.length = 0;
  });

  const reasons = (receipts: readonly Receipt[]) =>
    receipts.map(({ billing_reason }) => billing_reason).sort();

  test("only so many streams at once are finished for the count", async () => {
    const gate = Promise.withResolvers<void>();
    house.vendor.play("google", pausing("gemini", gate.promise));
    const [face] = FACES as [Face, ...Face[]];
    const clients = await Promise.all(
      Array.from({ length: 5 }, () => listen(house, face, modelOf("google"), /All is well/)),
    );
    for (const client of clients) client.leave();
    await eventually("all but two are hung up on", () => house.vendor.unfinished === 2);
    await caughtUp(house.root);
    expect(house.vendor.unfinished).toBe(2);
    gate.resolve();
    const receipts = await Promise.all(clients.map((each) => house.receipt(each.requestId)));
    expect(reasons(receipts)).toEqual([
      "client_closed",
      "client_closed",
      "client_closed",
      "client_closed_finished",
      "client_closed_finished",
    ]);
    // Nobody gets away with nothing.
    for (const { cost } of receipts) expect(nano(cost)).toBeGreaterThan(0n);
    // There is room again when they are done.
    house.vendor.play("google", pausing("gemini", Promise.resolve()));
    const next = await listen(house, face, modelOf("google"), /All is well/);
    next.leave();
    expect((await house.receipt(next.requestId)).billing_reason).toStartWith("c");
  });

  test("only so many whole answers at once are finished for the count", async () => {
    const gate = Promise.withResolvers<void>();
    house.vendor.play("google", gated("gemini", gate.promise));
    const clients = Array.from({ length: 5 }, () => wait(house, modelOf("google"), false));
    await eventually("the vendor is called", () => house.vendor.calls.length === 5);
    for (const client of clients) client.leave();
    try {
      await eventually("all but two are hung up on", () => house.vendor.unfinished === 2);
    } finally {
      gate.resolve();
    }
    const ids = await requestIds(house);
    const receipts = await Promise.all(ids.map((id) => house.receipt(id)));
    expect(reasons(receipts).filter((each) => each === "client_closed_finished")).toHaveLength(2);
  });

  test("whole answers that somebody may ask for again are all finished, and paid once", async () => {
    const gate = Promise.withResolvers<void>();
    house.vendor.play("google", gated("gemini", gate.promise));
    const clients = Array.from({ length: 5 }, (_, i) =>
      wait(house, modelOf("google"), false, { "idempotency-key": `left-${i}` }),
    );
    await eventually("the vendor is called", () => house.vendor.calls.length === 5);
    for (const client of clients) client.leave();
    await caughtUp(house.root);
    gate.resolve();
    const ids = await requestIds(house);
    const receipts = await Promise.all(ids.map((id) => house.receipt(id)));
    expect(new Set(reasons(receipts))).toEqual(new Set(["client_closed_finished"]));
    for (const client of clients) {
      const { status, headers } = await client.again();
      expect([status, headers.get("x-faregate-idempotency")]).toEqual([200, "replay"]);
    }
    expect(house.vendor.calls).toHaveLength(5);
  });

  test("and all of this leaves no trace", () => house.expectNoTrace());
});
