import { expect, test } from "bun:test";
import { ANSWER_TOKENS, MODEL, SNAPSHOT, usageOf, WORD } from "../answer.ts";
import { proveBooks } from "./books.ts";
import { type Contestant, measurePeers, untilAnswering } from "./measure.ts";
import { DIRECT } from "./statistics.ts";

const onLinux = test.skipIf(process.platform !== "linux");
const quiet = () => {};

/** The mock's answers, whole or as a stream, with so many of the words. */
function answerOf(words: number, stream: boolean): Response {
  const chunk = (choice: object, usage: object | null = null) =>
    `data: ${JSON.stringify({ model: SNAPSHOT, choices: [choice], usage })}\n\n`;
  if (stream) {
    const text = chunk({ delta: { content: WORD } }).repeat(words);
    const end = chunk({ delta: {}, finish_reason: "stop" }, usageOf(ANSWER_TOKENS));
    return new Response(`${text}${end}data: [DONE]\n\n`);
  }
  const message = { content: WORD.repeat(words) };
  const choices = [{ message, finish_reason: "stop" }];
  return Response.json({ model: SNAPSHOT, choices, usage: usageOf(ANSWER_TOKENS) });
}

/** A server in this process that answers streams with `streamWords` of the 64 words, and at last nothing. */
function contestant(id: string, streamWords: number, answersMax = Number.POSITIVE_INFINITY) {
  let asked = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      asked += 1;
      const { stream = false } = (await request.json()) as { stream?: boolean };
      if (asked > answersMax) return new Response(null, { status: 503 });
      return answerOf(stream ? streamWords : ANSWER_TOKENS, stream);
    },
  });
  const running = {
    port: server.port ?? 0,
    path: "/v1/chat/completions",
    key: "sk-any",
    model: MODEL,
    answersAs: SNAPSHOT,
    roots: [process.pid],
    stop: () => server.stop(true),
  };
  const one: Contestant = { id, running, answered: 0 };
  return { one, asked: () => asked };
}

onLinux(
  "who answers wrongly leaves the run with a reason, and the others are measured",
  async () => {
    const direct = contestant(DIRECT, ANSWER_TOKENS);
    const right = contestant("right", ANSWER_TOKENS);
    const wrong = contestant("wrong", ANSWER_TOKENS - 1);
    // The warm-up takes 404 requests of each kind, so this one fails in the middle of the first set.
    const late = contestant("late", ANSWER_TOKENS, 1_000);
    const all = [direct, right, wrong, late];
    try {
      const pace = { sets: 2, roundSeconds: 0.001, settleMs: 0 };
      await untilAnswering(right.one);
      const rounds = await measurePeers(direct.one, [right.one, wrong.one, late.one], pace, quiet);
      expect(wrong.one.fault).toContain("63 of 64 content chunks");
      expect(late.one.fault).toContain("status is not 200");
      expect(late.one.answered).toBeGreaterThan(2 * 404);
      expect(right.one.fault).toBeUndefined();
      expect(new Set(rounds.map(({ peer }) => peer))).toEqual(new Set([DIRECT, "right"]));
      const own = rounds.filter(({ peer }) => peer === "right");
      expect(own.map(({ kind, connections, set }) => `${set} ${kind} ${connections}`)).toEqual([
        "0 whole 1",
        "0 whole 64",
        "0 stream 1",
        "0 stream 64",
        "1 whole 1",
        "1 whole 64",
        "1 stream 1",
        "1 stream 64",
      ]);
      // The question before the first round is in the books too.
      expect(right.one.answered).toBe(right.asked());
    } finally {
      for (const { one } of all) await one.running.stop();
    }
  },
);

onLinux("without the mock there is nothing to compare with", async () => {
  const direct = contestant(DIRECT, 1);
  try {
    const measured = measurePeers(
      direct.one,
      [],
      { sets: 1, roundSeconds: 0.001, settleMs: 0 },
      quiet,
    );
    await expect(measured).rejects.toThrow("the mock itself failed: 1 of 64 content chunks");
  } finally {
    await direct.one.running.stop();
  }
});

test("wrong books and wrong answers of one who keeps books make the run void", async () => {
  const asked: number[] = [];
  const running = {
    ...{ port: 0, path: "", key: "", model: MODEL, answersAs: null, roots: [] },
    stop: async () => {},
  };
  const prove = async (answered: number) => {
    asked.push(answered);
    if (answered !== 5) throw new Error("5 receipts were written");
    return { receipts: 5, chargedUsd: "0.01" };
  };
  const kept = { ...running, prove };
  const proofs = await proveBooks(
    [
      { id: "ours", running: kept, answered: 5 },
      { id: "other", running, answered: 9, fault: "left" },
    ],
    quiet,
  );
  expect([...proofs]).toEqual([["ours", { receipts: 5, chargedUsd: "0.01" }]]);
  const short = proveBooks([{ id: "ours", running: kept, answered: 6 }], quiet);
  await expect(short).rejects.toThrow("5 receipts were written");
  const left = proveBooks([{ id: "ours", running: kept, answered: 5, fault: "left" }], quiet);
  await expect(left).rejects.toThrow("ours answered wrongly: left");
  expect(asked).toEqual([5, 6]);
});
