import { describe, expect, test } from "bun:test";
import { WriteProof } from "./write-proof.ts";

function setUp() {
  const time = { nowMs: 0 };
  const writes: PromiseWithResolvers<void>[] = [];
  const proof = new WriteProof(
    () => {
      const write = Promise.withResolvers<void>();
      writes.push(write);
      return write.promise;
    },
    () => time.nowMs,
  );
  const ask = () =>
    proof.ask().then(
      () => "written",
      (thrown: Error) => thrown.message,
    );
  return { time, writes, proof, ask };
}

describe("a proof of a write", () => {
  test("is one for all who ask while it is made, and for a second", async () => {
    const { time, writes, ask } = setUp();
    const asked = [ask(), ask(), ask()];
    writes[0]?.resolve();
    expect(await Promise.all(asked)).toEqual(["written", "written", "written"]);
    time.nowMs = 999;
    expect(await ask()).toBe("written");
    expect(writes).toHaveLength(1);
    time.nowMs = 1_000;
    const next = ask();
    expect(writes).toHaveLength(2);
    writes[1]?.reject(new Error("disk full"));
    expect(await next).toBe("disk full");
    expect(await ask()).toBe("disk full");
    expect(writes).toHaveLength(2);
  });

  test("that hangs is not waited for, and is the only one until it ends", async () => {
    const { time, writes, proof, ask } = setUp();
    const first = ask();
    time.nowMs = 1_000;
    expect(await first).toContain("not taken a write");
    expect(await ask()).toContain("not taken a write");
    expect([writes.length, proof.pendingMs]).toEqual([1, 1_000]);
    time.nowMs = 60_000;
    writes[0]?.resolve();
    await writes[0]?.promise;
    expect(proof.pendingMs).toBe(0);
    const next = ask();
    writes[1]?.resolve();
    expect(await next).toBe("written");
  });
});
