import { describe, expect, test } from "bun:test";
import type { Claimant } from "../../conversations/claim.ts";
import type { KeptAnswers } from "../../conversations/kept-answers.ts";
import type { KeptAnswer } from "../../conversations/packing.ts";
import { ClaimRecorder } from "./answer-recorder.ts";

const CLAIMANT: Claimant = {
  keyId: "key_1",
  value: "v",
  accountId: "acct_1",
  requestId: "req_1",
  fingerprint: "f",
};

/** A recorder of answers of so many bytes, and what it has kept. */
function recorderOf(bytesMax: number, hasClaim = true) {
  const kept: (KeptAnswer | undefined)[] = [];
  const freed: string[] = [];
  const answers: Pick<KeptAnswers, "keep"> = {
    async keep(claimant, answer) {
      expect(claimant).toBe(CLAIMANT);
      kept.push(answer);
      return hasClaim;
    },
  };
  const recorder = new ClaimRecorder(answers as KeptAnswers, CLAIMANT, bytesMax, {
    free: async () => void freed.push("freed"),
    drop: async () => void freed.push("dropped"),
  });
  const texts = () => kept.map((answer) => answer && Buffer.from(answer.body).toString());
  return { recorder, kept, texts, freed };
}

const bytes = (text: string) => Buffer.from(text);

describe("the recorder of an answer", () => {
  test("keeps what went to the client and its end, as often as it is asked", async () => {
    const { recorder, texts } = recorderOf(100);
    recorder.add(bytes("a"));
    recorder.add(bytes("b"));
    await recorder.keep(bytes("c"));
    recorder.add(bytes("!"));
    await recorder.keep(bytes("d"));
    // A long end comes in several writes.
    await recorder.keep(["e", "f"].map(bytes));
    expect(texts()).toEqual(["abc", "ab!d", "ab!ef"]);
  });

  test("keeps the headers that belong to the answer, not those of its moment", async () => {
    const { recorder, kept } = recorderOf(100);
    recorder.begin({
      "content-type": "application/json",
      "x-faregate-cost": "0.1",
      "x-faregate-dropped": "seed",
      "x-ratelimit-remaining-requests": "7",
      "x-faregate-idempotency": "first",
    });
    await recorder.keep(bytes("{}"));
    expect(kept[0]).toMatchObject({ status: 200 });
    expect(kept[0]?.headers).toEqual({
      "content-type": "application/json",
      "x-faregate-cost": "0.1",
      "x-faregate-dropped": "seed",
    });
  });

  test("keeps no more than it may, and then only that there was an answer", async () => {
    const exact = recorderOf(3);
    exact.recorder.add(bytes("ab"));
    await exact.recorder.keep(bytes("c"));
    await exact.recorder.keep(bytes("cd"));
    await exact.recorder.keep(["c", "d"].map(bytes));
    expect(exact.texts()).toEqual(["abc", undefined, undefined]);

    const over = recorderOf(3);
    for (const piece of ["ab", "cd", "e"]) over.recorder.add(bytes(piece));
    await over.recorder.keep(bytes(""));
    expect(over.texts()).toEqual([undefined]);
  });

  test("keeps a body that is no copy yet, and copies none that it may not keep", async () => {
    const { recorder, texts } = recorderOf(3);
    await recorder.keep(new Blob(["a", "bc"]));
    const long = new Blob(["abcd"]);
    long.bytes = () => Promise.reject(new Error("copied"));
    await recorder.keep(long);
    expect(texts()).toEqual(["abc", undefined]);
  });

  test("keeps nothing where it is told to let go while it copies", async () => {
    const { recorder, kept } = recorderOf(3);
    const keeping = recorder.keep(new Blob(["abc"]));
    await recorder.free();
    await keeping;
    expect(kept).toEqual([]);
  });

  test.each([
    ["free", "freed"],
    ["drop", "dropped"],
  ] as const)("keeps nothing once it has let go of the value: %s", async (how, told) => {
    const { recorder, kept, freed } = recorderOf(3);
    recorder.add(bytes("a"));
    await recorder[how]();
    recorder.add(bytes("b"));
    await recorder.keep(bytes("c"));
    expect([kept, freed]).toEqual([[], [told]]);
  });

  test("says so when the value is not its own any more", async () => {
    const { recorder } = recorderOf(3, false);
    const fault = await recorder.keep(bytes("a")).catch((thrown) => thrown);
    expect(fault).toMatchObject({ fault: "storage_unavailable" });
  });
});
