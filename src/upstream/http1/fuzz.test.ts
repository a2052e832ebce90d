// Thousands of answers that nobody thought of: right ones come as they were sent, however they are cut, and
// wrong ones do no harm to anybody but their own call.
import { afterAll, expect, test } from "bun:test";
import { Dice } from "../../../test/simulation/dice.ts";
import { count } from "../../../test/support/counts.ts";
import { playedConnection } from "../../../test/support/vendors/played-connection.ts";
import { RawVendor } from "../../../test/support/vendors/raw-vendor.ts";
import { spoil, throwAnswer, throwCuts } from "../../../test/support/vendors/thrown-answers.ts";
import { outcomeOf, ownTransport } from "../../../test/support/vendors/transports.ts";
import { eventually } from "../../../test/support/waiting.ts";
import type { VendorAnswer } from "../transport/vendor-answer.ts";

const SEED = Number(process.env.FAREGATE_TEST_SEED ?? 20_261_116);
const NEXT = Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnext");

async function bytesOf(answer: VendorAnswer): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for (let chunk = await answer.read(); chunk; chunk = await answer.read()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test("right answers come as they were sent, one behind the other", async () => {
  const dice = new Dice(SEED);
  for (let round = 0; round < count(500, 60_000); round++) {
    const { connection, call, newCall, receive, state } = playedConnection();
    let asked = call;
    for (let turn = dice.between(1, 4); turn > 0 && !state.isTerminated; turn--) {
      const thrown = throwAnswer(dice);
      const cuts = throwCuts(dice, thrown.bytes.length);
      const reading = asked.answered.then(async (answer) => ({
        status: answer.status,
        body: await bytesOf(answer),
      }));
      receive(thrown.bytes, cuts);
      if (thrown.isUntilClose) {
        connection.ended();
        connection.closed(undefined);
      }
      const { status, body } = await reading;
      const where = `seed ${SEED}, round ${round}: ${cuts}`;
      expect([where, status, body.equals(thrown.body)]).toEqual([where, thrown.status, true]);
      expect([where, asked.isOver]).toEqual([where, true]);
      if (!thrown.isKept) break;
      asked = newCall();
      expect(connection.send(asked)).toBe(true);
    }
  }
});

test("spoilt answers end their own call and no other", async () => {
  const dice = new Dice(SEED + 1);
  for (let round = 0; round < count(1_200, 200_000); round++) {
    const { connection, call, newCall, receive, state } = playedConnection();
    const bytes = spoil(dice, throwAnswer(dice).bytes);
    const outcome = outcomeOf(call);
    receive(bytes, throwCuts(dice, bytes.length));
    const isKept = state.kept > 0 && !state.isTerminated;
    if (!isKept) {
      if (dice.chance(0.5)) connection.ended();
      connection.closed(dice.chance(0.5) ? new Error("reset") : undefined);
    }
    // It comes to an end either way: a test that hangs here is what this looks for.
    await outcome;
    expect(call.isOver).toBe(true);
    if (!isKept) continue;
    const next = newCall();
    connection.send(next);
    receive(NEXT);
    expect([round, await outcomeOf(next)]).toEqual([round, { status: 200, text: "next" }]);
  }
});

const vendors: RawVendor[] = [];
afterAll(async () => {
  for (const vendor of vendors) await vendor.stop();
});

test("spoilt answers over sockets leave the way open for the next call", async () => {
  const dice = new Dice(SEED + 2);
  const vendor = await RawVendor.start(({ body, socket }) => {
    if (body === '"next"') socket.end(NEXT);
    else socket.end(spoil(dice, throwAnswer(dice).bytes));
  });
  vendors.push(vendor);
  const { post } = ownTransport();
  for (let round = 0; round < count(50, 5_000); round++) {
    await outcomeOf(post(vendor.origin, '"spoilt"'));
    await eventually("that connection is closed", () => vendor.sockets.size === 0);
    expect(await outcomeOf(post(vendor.origin, '"next"'))).toEqual({ status: 200, text: "next" });
  }
  expect(vendor.requests).toHaveLength(2 * count(50, 5_000));
});
