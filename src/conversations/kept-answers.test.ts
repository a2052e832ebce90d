import { describe, expect, test } from "bun:test";
import { readConfig } from "../config/config.ts";
import type { Claimant } from "./claim.ts";
import { KeptAnswers } from "./kept-answers.ts";
import type { KeptAnswerStore, PackedAnswer } from "./store.ts";

const { limits } = readConfig({ FAREGATE_IDEMPOTENCY_KEEP_MS: "1000" });
const CLAIMANT: Claimant = {
  keyId: "key_1",
  value: "v",
  accountId: "acct_1",
  requestId: "req_1",
  fingerprint: "f",
};
const ANSWER = { status: 200, headers: { "content-type": "text/plain" }, body: Buffer.from("hi") };

/** Answers over a store that keeps one of them, and may be told to fail. */
function setUp() {
  const kept: PackedAnswer[] = [];
  const storage = { reads: 0, fails: false };
  const store: Partial<KeptAnswerStore> = {
    async keepAnswer(_claimant, answer) {
      kept.push(answer);
      return true;
    },
    async findAnswer() {
      storage.reads++;
      if (storage.fails) throw new Error("disk full");
      return kept.at(-1)?.body ?? undefined;
    },
  };
  const answers = new KeptAnswers(store as KeptAnswerStore, limits, () => 5_000, true);
  return { answers, kept, storage };
}

describe("kept answers", () => {
  test("are kept for their time, from when they are complete", async () => {
    const { answers, kept } = setUp();
    expect(await answers.keep(CLAIMANT, ANSWER)).toBe(true);
    expect(kept[0]).toMatchObject({
      nowMs: 5_000,
      expiresAtMs: 6_000,
      accountBytesMax: limits.idempotency_account_bytes_max,
    });
    expect(await answers.answer(CLAIMANT, "req_1")).toEqual(ANSWER);
    await answers.keep(CLAIMANT, undefined);
    expect(kept[1]?.body).toBeNull();
    expect(await answers.answer(CLAIMANT, "req_1")).toBeUndefined();
  });

  test("have their value for as long as the request may take that makes them, however shortly they are kept", async () => {
    let nowMs = 5_000;
    let untilMs: number | undefined;
    const store: Partial<KeptAnswerStore> = {
      async claim({ requestId, fingerprint }, { expiresAtMs }) {
        untilMs = expiresAtMs;
        return { requestId, fingerprint, state: "running", alive: true };
      },
      async keepAnswer(_claimant, { expiresAtMs }) {
        if (untilMs === undefined) return false;
        untilMs = expiresAtMs;
        return true;
      },
      async sweepAnswers(atMs) {
        if (untilMs === undefined || untilMs > atMs) return 0;
        untilMs = undefined;
        return 1;
      },
    };
    const answers = new KeptAnswers(store as KeptAnswerStore, limits, () => nowMs, true);
    await answers.claim(CLAIMANT);
    nowMs += limits.admission_wait_ms + limits.upstream_total_ms + limits.settle_wait_ms;
    expect(await answers.sweep()).toBe(0);
    expect(await answers.keep(CLAIMANT, ANSWER)).toBe(true);
    nowMs += limits.idempotency_keep_ms;
    expect(await answers.sweep()).toBe(1);
  });

  test("are read once for all who want the same one at once, and anew later", async () => {
    const { answers, storage } = setUp();
    await answers.keep(CLAIMANT, ANSWER);
    const all = Array.from({ length: 20 }, () => answers.answer(CLAIMANT, "req_1"));
    const other = answers.answer(CLAIMANT, "req_2");
    for (const each of await Promise.all([...all, other])) expect(each).toEqual(ANSWER);
    expect(storage.reads).toBe(2);
    await answers.answer(CLAIMANT, "req_1");
    expect(storage.reads).toBe(3);
  });

  test("are counted for each who wants one, though they are read once", async () => {
    const { answers } = setUp();
    await answers.keep(CLAIMANT, ANSWER);
    const counted: number[] = [];
    const all = Array.from({ length: 3 }, (_, i) =>
      answers.answer(CLAIMANT, "req_1", undefined, {
        grow(bytes) {
          counted[i] = bytes;
        },
      }),
    );
    await Promise.all(all);
    const [first = 0, ...others] = counted;
    expect(first).toBeGreaterThan(ANSWER.body.length);
    expect(others).toEqual([ANSWER.body.length, ANSWER.body.length]);
  });

  test("that could not be read can be asked for again", async () => {
    const { answers, storage } = setUp();
    await answers.keep(CLAIMANT, ANSWER);
    storage.fails = true;
    expect(await answers.answer(CLAIMANT, "req_1").catch(() => "failed")).toBe("failed");
    storage.fails = false;
    expect(await answers.answer(CLAIMANT, "req_1")).toEqual(ANSWER);
  });
});
