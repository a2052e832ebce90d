import { describe, expect, test } from "bun:test";
import type { Claimant } from "../../conversations/claim.ts";
import type { KeptAnswers } from "../../conversations/kept-answers.ts";
import type { KeptAnswer } from "../../conversations/packing.ts";
import { ClaimKeeper } from "./answer-keeper.ts";

const CLAIMANT: Claimant = {
  keyId: "key_1",
  value: "v",
  accountId: "acct_1",
  requestId: "req_1",
  fingerprint: "f",
};

/** A keeper of answers of so many bytes, and what it has kept. */
function keeperOf(bytesMax: number, hasClaim = true) {
  const kept: (KeptAnswer | undefined)[] = [];
  const freed: string[] = [];
  const answers: Pick<KeptAnswers, "keep"> = {
    async keep(claimant, answer) {
      expect(claimant).toBe(CLAIMANT);
      kept.push(answer);
      return hasClaim;
    },
  };
  const keeper = new ClaimKeeper(answers as KeptAnswers, CLAIMANT, bytesMax, {
    free: async () => void freed.push("freed"),
    drop: async () => void freed.push("dropped"),
  });
  const texts = () => kept.map((answer) => answer && Buffer.from(answer.body).toString());
  return { keeper, kept, texts, freed };
}

const bytes = (text: string) => Buffer.from(text);

describe("the keeper of an answer", () => {
  test("keeps what went to the client and its end, as often as it is asked", async () => {
    const { keeper, texts } = keeperOf(100);
    keeper.add(bytes("a"));
    keeper.add(bytes("b"));
    await keeper.keep(bytes("c"));
    keeper.add(bytes("!"));
    await keeper.keep(bytes("d"));
    // A long end comes in several writes.
    await keeper.keep(["e", "f"].map(bytes));
    expect(texts()).toEqual(["abc", "ab!d", "ab!ef"]);
  });

  test("keeps the headers that belong to the answer, not those of its moment", async () => {
    const { keeper, kept } = keeperOf(100);
    keeper.begin({
      "content-type": "application/json",
      "x-faregate-cost": "0.1",
      "x-faregate-dropped": "seed",
      "x-ratelimit-remaining-requests": "7",
      "x-faregate-idempotency": "first",
    });
    await keeper.keep(bytes("{}"));
    expect(kept[0]).toMatchObject({ status: 200 });
    expect(kept[0]?.headers).toEqual({
      "content-type": "application/json",
      "x-faregate-cost": "0.1",
      "x-faregate-dropped": "seed",
    });
  });

  test("keeps no more than it may, and then only that there was an answer", async () => {
    const exact = keeperOf(3);
    exact.keeper.add(bytes("ab"));
    await exact.keeper.keep(bytes("c"));
    await exact.keeper.keep(bytes("cd"));
    await exact.keeper.keep(["c", "d"].map(bytes));
    expect(exact.texts()).toEqual(["abc", undefined, undefined]);

    const over = keeperOf(3);
    for (const piece of ["ab", "cd", "e"]) over.keeper.add(bytes(piece));
    await over.keeper.keep(bytes(""));
    expect(over.texts()).toEqual([undefined]);
  });

  test("keeps a body that is no copy yet, and copies none that it may not keep", async () => {
    const { keeper, texts } = keeperOf(3);
    await keeper.keep(new Blob(["a", "bc"]));
    const long = new Blob(["abcd"]);
    long.bytes = () => Promise.reject(new Error("copied"));
    await keeper.keep(long);
    expect(texts()).toEqual(["abc", undefined]);
  });

  test("keeps nothing where it is told to let go while it copies", async () => {
    const { keeper, kept } = keeperOf(3);
    const keeping = keeper.keep(new Blob(["abc"]));
    await keeper.free();
    await keeping;
    expect(kept).toEqual([]);
  });

  test.each([
    ["free", "freed"],
    ["drop", "dropped"],
  ] as const)("keeps nothing once it has let go of the value: %s", async (how, told) => {
    const { keeper, kept, freed } = keeperOf(3);
    keeper.add(bytes("a"));
    await keeper[how]();
    keeper.add(bytes("b"));
    await keeper.keep(bytes("c"));
    expect([kept, freed]).toEqual([[], [told]]);
  });

  test("says so when the value is not its own any more", async () => {
    const { keeper } = keeperOf(3, false);
    const fault = await keeper.keep(bytes("a")).catch((thrown) => thrown);
    expect(fault).toMatchObject({ fault: "storage_unavailable" });
  });
});
