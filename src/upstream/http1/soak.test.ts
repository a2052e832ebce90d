// Many calls at once over TLS, of every kind and with every end: each has its own answer, and nothing is left.
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { Dice } from "../../../test/simulation/dice.ts";
import { count } from "../../../test/support/counts.ts";
import { GOOD_CERTIFICATE, VENDOR_CA } from "../../../test/support/samples/vendor-certificates.ts";
import { type RawRequest, RawVendor } from "../../../test/support/vendors/raw-vendor.ts";
import { throwAnswer } from "../../../test/support/vendors/thrown-answers.ts";
import {
  ownClient,
  ownTransport,
  type Transport,
} from "../../../test/support/vendors/transports.ts";
import { eventually } from "../../../test/support/waiting.ts";

const CALLS = count(150, 8_000);
const AT_ONCE = 8;
/** Both sides shake hands on one loop here: with dozens at any time single ones were seen to wait for over 10 s. */
const SETTINGS = { FAREGATE_UPSTREAM_CONNECT_MS: "120000" };
const BODY_BYTES_MAX = 40_000;

/** How a call goes, by its number alone, so that both sides know. */
function planOf(number: number) {
  const dice = new Dice(number);
  const answer = throwAnswer(dice, BODY_BYTES_MAX);
  // Whoever tears an answer that only the connection ends has ended it.
  const torn = answer.isUntilClose ? 0 : 1;
  return { end: dice.weighted({ whole: 8, torn, left: 1 }), dice, answer };
}

async function play({ body, socket }: RawRequest): Promise<void> {
  const { end, dice, answer } = planOf(Number(JSON.parse(body).number));
  const { bytes, isUntilClose, isKept } = answer;
  const to = end === "torn" ? Math.floor(bytes.length / 2) : bytes.length;
  for (let at = 0; at < to; ) {
    const next = Math.min(to, at + dice.between(1, 20_000));
    socket.write(bytes.subarray(at, next));
    at = next;
    if (dice.chance(0.3)) await Bun.sleep(0);
  }
  if (end === "torn") socket.destroy();
  else if (isUntilClose || !isKept) socket.end();
}

function digest(bytes: Uint8Array): string {
  return createHash("sha1").update(bytes).digest("hex");
}

async function ask({ post }: Transport, origin: string, number: number): Promise<string> {
  const { end, answer } = planOf(number);
  const call = post(origin, JSON.stringify({ number, padding: "x".repeat(number % 9_000) }));
  try {
    const got = await call.answered;
    const hash = createHash("sha1");
    for (let chunk = await got.read(); chunk; chunk = await got.read()) {
      hash.update(chunk);
      if (end === "left") call.hangUp(new Error("left"));
    }
    const isRight = got.status === answer.status && hash.digest("hex") === digest(answer.body);
    return isRight ? "whole" : `call ${number} has another answer than its own`;
  } catch (thrown) {
    return end === "whole" ? `call ${number}: ${String(thrown)}` : "broken";
  }
}

test("each call has its own answer, and no connection is left", async () => {
  const vendor = await RawVendor.start((request) => void play(request), {
    certificate: GOOD_CERTIFICATE,
  });
  const time = { nowMs: 0 };
  const client = ownClient(SETTINGS, { ca: VENDOR_CA, clock: () => time.nowMs });
  const transport = ownTransport(client);
  const outcomes = new Map<string, number>();
  let next = 0;
  const worker = async () => {
    while (next < CALLS) {
      const outcome = await ask(transport, vendor.origin, next++);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const wrong = [...outcomes.keys()].filter((each) => each !== "whole" && each !== "broken");
  expect(wrong).toEqual([]);
  expect(outcomes.get("whole") ?? 0).toBeGreaterThan(CALLS / 2);
  // Nothing was asked twice, and connections were used again.
  const asked = vendor.requests.map(({ body }) => Number(JSON.parse(body).number));
  expect(new Set(asked).size).toBe(asked.length);
  expect(vendor.connections).toBeLessThan(CALLS);
  time.nowMs += 3_600_000;
  client.sweep();
  expect(client.pool(vendor.origin).kept).toBe(0);
  await eventually("the vendor sees every connection closed", () => vendor.sockets.size === 0);
  await vendor.stop();
});
