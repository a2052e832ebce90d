// Counts that cannot be true, on the ways in which a request ends other than as it should.
import { describe, expect, test } from "bun:test";
import {
  CHAT,
  DELTA,
  event,
  fed,
  gateway,
  type Receipt,
  STOP,
  theOnly,
} from "../../test/support/houses/pipeline.ts";

const STREAM = { ...CHAT, stream: true };
/** What is delivered by `DELTA`: eight letters. */
const WRITTEN = 2n;
const OUTPUT_NANO = 4_000n;
const INPUT_NANO = 1_000n;

const NONSENSE = [
  {},
  { prompt_tokens: 0, completion_tokens: 0 },
  { prompt_tokens: "10", completion_tokens: "2" },
  { prompt_tokens: -10, completion_tokens: -2 },
  { prompt_tokens: 1e12, completion_tokens: 1e12 },
];

function counting(usage: object): string {
  return event({ id: "c1", model: "v", choices: [], usage });
}

/** A stream that has begun to reach its client. */
async function begun(setting: Parameters<typeof gateway>[0] = {}) {
  const vendor = fed();
  const house = gateway({ ...setting, send: vendor.send });
  vendor.say(DELTA);
  const response = await house.post("chat", STREAM);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  return { vendor, house, reader };
}

type House = ReturnType<typeof gateway>;

async function expectEstimated(house: House, reason: Receipt["billingReason"]) {
  const { charge, usage, usageSource, billingReason } = await theOnly(house);
  expect([billingReason, usageSource]).toEqual([reason, "estimated"]);
  const input = BigInt(usage.fresh);
  expect(input).toBeGreaterThan(0n);
  expect(input).toBeLessThan(20n);
  expect(charge.amount).toBe(input * INPUT_NANO + WRITTEN * OUTPUT_NANO);
}

describe.each(NONSENSE)("%p", (usage) => {
  test("of a stream that is read on for its counts is estimated", async () => {
    const { vendor, house, reader } = await begun({ onDisconnect: "drain" });
    await reader.cancel();
    vendor.say(STOP + counting(usage) + event("[DONE]"));
    // Silence is no count: the client has left, and that is all.
    const silent = Object.values(usage).every((count) => count === 0);
    await expectEstimated(house, silent ? "client_closed" : "completed_estimated");
  });

  test("of a stream that is hung up on is estimated", async () => {
    const { vendor, house, reader } = await begun();
    vendor.say(counting(usage));
    await Bun.sleep(0);
    await reader.cancel();
    await expectEstimated(house, "client_closed");
  });

  test("of a whole answer whose client left is estimated", async () => {
    const gate = Promise.withResolvers<Response>();
    const house = gateway({ send: () => gate.promise });
    const leaving = new AbortController();
    const answer = house.post("chat", CHAT, leaving.signal);
    while (house.calls.length === 0) await Bun.sleep(0);
    leaving.abort();
    const choices = [{ index: 0, message: { content: "12345678" }, finish_reason: "stop" }];
    gate.resolve(Response.json({ id: "c", model: "v", choices, usage }));
    await answer.catch(() => {});
    await expectEstimated(house, "completed_estimated");
  });

  test("of a failed answer is not charged", async () => {
    const error = { message: "no", code: "server_error" };
    const house = gateway({ send: async () => Response.json({ id: "c", error, usage }) });
    await house.post("chat", CHAT).catch(() => {});
    const { charge, billingReason } = await theOnly(house);
    expect([billingReason, charge.amount]).toEqual(["upstream_failed", 0n]);
  });

  test("of a stream that breaks off is not charged", async () => {
    const { vendor, house, reader } = await begun();
    vendor.say(counting(usage));
    vendor.break();
    while (!(await reader.read()).done);
    const { charge, billingReason } = await theOnly(house);
    expect([billingReason, charge.amount]).toEqual(["upstream_failed", 0n]);
  });
});

test("a failed answer is charged for what can be true of its counts, within what was asked", async () => {
  const error = { message: "no", code: "server_error" };
  const usage = { prompt_tokens: 10, completion_tokens: 900 };
  const house = gateway({ send: async () => Response.json({ id: "c", error, usage }) });
  await house.post("chat", { ...CHAT, max_completion_tokens: 20 }).catch(() => {});
  const receipt = await theOnly(house);
  expect(receipt.billingReason).toBe("upstream_failed_with_usage");
  expect(receipt.usage).toMatchObject({ fresh: 10, output: 20, clamped: true });
});
