// A vendor that fails before a word of its answer is asked again: what the client and the books see of it.
import { describe, expect, test } from "bun:test";
import {
  CHAT,
  COUNTS,
  DELTA,
  event,
  gateway,
  type Send,
  STOP,
  theOnly,
  thrownBy,
} from "../../test/support/houses/pipeline.ts";

const STREAM = { ...CHAT, stream: true };

const WHOLE = {
  id: "c1",
  model: "v",
  choices: [{ message: { role: "assistant", content: "12345678" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 10, completion_tokens: 2 },
};

const answer: Send = async ({ stream }) =>
  stream ? new Response(DELTA + STOP + COUNTS + event("[DONE]")) : Response.json(WHOLE);

const down: Send = async () => Response.json({ error: { message: "down" } }, { status: 500 });
const reset: Send = () => Promise.reject(new Error("ECONNRESET"));
/** The head of a 200, and then the connection is gone. */
const headOnly: Send = async () =>
  new Response(new ReadableStream({ start: (body) => body.error(new Error("ECONNRESET")) }));

/** Each plays one call, the last one all that follow. */
function oneAfterAnother(...plays: [Send, ...Send[]]): Send {
  let at = 0;
  return (call, key, signal) => {
    const play = plays[Math.min(at++, plays.length - 1)] ?? answer;
    return play(call, key, signal);
  };
}

async function costOf(send: Send, body: object): Promise<bigint> {
  const it = gateway({ send });
  await (await it.post("chat", body)).text();
  return (await theOnly(it)).charge.amount;
}

describe("a vendor that fails before the first byte", () => {
  test.each([
    ["with a 500", down, 500, CHAT],
    ["with a 500", down, 500, STREAM],
    ["by a reset", reset, 0, CHAT],
    ["by a reset", reset, 0, STREAM],
    ["behind the head of its stream", headOnly, 200, STREAM],
  ] as const)(
    "%s is asked again, on one receipt with one charge",
    async (_n, fails, status, body) => {
      const it = gateway({ send: oneAfterAnother(fails, answer) });
      const response = await it.post("chat", body);
      expect([response.status, await response.text()]).toEqual([
        200,
        expect.stringContaining("12345678"),
      ]);
      const receipt = await theOnly(it);
      expect(it.calls).toHaveLength(2);
      expect(it.calls[1]?.body).toEqual(it.calls[0]?.body as never);
      expect(receipt).toMatchObject({ status: 200, billingReason: "completed", loss: 0n });
      expect(receipt.attempts).toMatchObject([
        { channel: "sandbox", status, code: "upstream_unavailable" },
        { channel: "sandbox", status: 200, code: null },
      ]);
      expect(receipt.charge.amount).toBe(await costOf(answer, body));
      expect(it.services.routes.status()[0]).toMatchObject({ attempts: 2, faults: 1 });
    },
  );

  test.each([CHAT, STREAM])("twice is a 503 that costs nothing, and two faults", async (body) => {
    const it = gateway({ send: down });
    expect((await thrownBy(it.post("chat", body))).status).toBe(503);
    const receipt = await theOnly(it);
    expect(it.calls).toHaveLength(2);
    expect(receipt).toMatchObject({ status: 503, billingReason: "upstream_failed" });
    expect(receipt.charge.amount).toBe(0n);
    expect(receipt.attempts.map(({ status }) => status)).toEqual([500, 500]);
    expect(it.services.routes.status()[0]).toMatchObject({ attempts: 2, faults: 2 });
  });
});

describe("a vendor is not asked again", () => {
  test("once a word of its answer has come, even if the client has none of it", async () => {
    const broken: Send = async () =>
      new Response(
        new ReadableStream({
          start: (body) => body.enqueue(Buffer.from('{"choices":[')),
          pull: (body) => body.error(new Error("ECONNRESET")),
        }),
      );
    const it = gateway({ send: oneAfterAnother(broken, answer) });
    expect((await thrownBy(it.post("chat", CHAT))).status).toBe(503);
    expect(it.calls).toHaveLength(1);
  });

  test("when it has kept silent for as long as it may", async () => {
    const silent: Send = (_call, _key, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    const it = gateway({ send: oneAfterAnother(silent, answer) });
    const posted = thrownBy(it.post("chat", STREAM));
    while (it.calls.length === 0) await Bun.sleep(1);
    it.goTo(it.services.limits.upstream_first_byte_ms);
    expect([(await posted).status, it.calls.length]).toEqual([503, 1]);
  });

  test("for a client that has left", async () => {
    const client = new AbortController();
    const leaving: Send = async () => {
      client.abort();
      return new Response("{}", { status: 500 });
    };
    const it = gateway({ send: oneAfterAnother(leaving, answer) });
    await thrownBy(it.post("chat", STREAM, client.signal));
    await theOnly(it);
    expect(it.calls).toHaveLength(1);
  });
});

test("a client that leaves before the next is asked pays nothing for one that failed", async () => {
  const client = new AbortController();
  const refused: Send = async () => {
    // A long body is written in steps: it leaves between two of them.
    setImmediate(() => client.abort());
    throw new Error("ECONNREFUSED");
  };
  const it = gateway({ send: oneAfterAnother(refused, answer) });
  const messages = [{ role: "user", content: "words ".repeat(600_000) }];
  await thrownBy(it.post("chat", { ...STREAM, messages }, client.signal));
  const { charge, billingReason } = await theOnly(it);
  expect([it.calls.length, charge.amount, billingReason]).toEqual([1, 0n, "upstream_failed"]);
});

test("all calls of a request share its whole time", async () => {
  const silent = Promise.withResolvers<never>();
  const late: Send = (_call, _key, signal) => {
    signal.addEventListener("abort", () => silent.reject(signal.reason));
    return silent.promise;
  };
  const failing = Promise.withResolvers<Response>();
  const it = gateway({ send: oneAfterAnother(() => failing.promise, late, answer) });
  const posted = thrownBy(it.post("chat", CHAT));
  const called = async (calls: number) => {
    while (it.calls.length < calls) await Bun.sleep(1);
  };
  await called(1);
  const { upstream_total_ms, upstream_answer_ms } = it.services.limits;
  it.goTo(upstream_answer_ms - 1);
  failing.resolve(new Response("{}", { status: 500 }));
  await called(2);
  it.goTo(upstream_total_ms - upstream_answer_ms + 1);
  expect([(await posted).status, it.calls.length]).toEqual([503, 2]);
  // The client has nothing of it, and it was not its doing; nor is it the fault of who had the rest of the time,
  // and the fault before it is long past.
  const receipt = await theOnly(it);
  expect(receipt).toMatchObject({ billingReason: "upstream_failed", charge: { amount: 0n } });
  expect(it.services.routes.status()[0]).toMatchObject({ attempts: 0, faults: 0 });
});
