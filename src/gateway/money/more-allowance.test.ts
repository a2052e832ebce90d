// A stream that comes to the end of its allowance.
import { expect, test } from "bun:test";
import {
  CHAT,
  COUNTS,
  event,
  fed,
  gateway,
  STOP,
  theOnly,
} from "../../../test/support/houses/pipeline.ts";
import { StorageError } from "../../lib/faults.ts";

const WORDS = "some words of this answer ".repeat(20);
const LONG_DELTA = event({ id: "c1", model: "v", choices: [{ delta: { content: WORDS } }] });

/** A stream with little allowance, and a storage that is away for so many questions for more. */
async function streamed(failures: number) {
  const vendor = fed();
  const asked = { times: 0 };
  const house = gateway({
    send: vendor.send,
    left: 400_000n,
    async raise({ need: granted }) {
      asked.times += 1;
      if (asked.times <= failures) throw new StorageError("storage has not answered");
      return { kind: "granted", granted, lone: false };
    },
  });
  const limits = { ...house.services.limits, settle_wait_ms: 30_000 };
  Object.assign(house.services, { limits });
  vendor.say(LONG_DELTA);
  const response = await house.post("chat", { ...CHAT, stream: true });
  vendor.say(LONG_DELTA.repeat(9) + STOP + COUNTS + event("[DONE]"));
  vendor.end();
  return { house, asked, text: response.text(), limits };
}

test("it waits for storage, and goes on when that is back", async () => {
  const { house, asked, text } = await streamed(4);
  expect((await text).split(WORDS)).toHaveLength(11);
  expect(asked.times).toBeGreaterThan(4);
  expect(await theOnly(house)).toMatchObject({ status: 200, billingReason: "completed" });
});

test("it ends where storage is away for longer than a finished answer would wait", async () => {
  const { house, asked, text, limits } = await streamed(Number.POSITIVE_INFINITY);
  while (asked.times < 3) await Bun.sleep(1);
  house.goTo(limits.settle_wait_ms);
  expect((await text).split(WORDS).length).toBeLessThan(11);
  expect(await theOnly(house)).toMatchObject({ status: 200, billingReason: "budget_ended" });
});

test("it goes on where more has come for it before its client read on, though there is none beyond that", async () => {
  const vendor = fed();
  const granted = Promise.withResolvers<void>();
  let asked = 0;
  const house = gateway({
    send: vendor.send,
    left: 4_000_000n,
    async raise({ need }) {
      asked += 1;
      if (asked > 1) return { kind: "ended" };
      setTimeout(granted.resolve);
      return { kind: "granted", granted: need, lone: false };
    },
  });
  vendor.say(LONG_DELTA);
  const { body } = await house.post("chat", { ...CHAT, stream: true });
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  let text = "";
  const take = async () => {
    const { value } = await reader.read();
    text += Buffer.from(value ?? []).toString();
    return value !== undefined;
  };
  await take();
  // One read of the vendor passes both half of its allowance and the end of it. Its client takes none of that yet.
  vendor.say(LONG_DELTA.repeat(9));
  await granted.promise;
  vendor.say(STOP + COUNTS + event("[DONE]"));
  vendor.end();
  while (await take());
  expect([text.split(WORDS).length, asked]).toEqual([11, 1]);
  expect(await theOnly(house)).toMatchObject({ status: 200, billingReason: "completed" });
});
