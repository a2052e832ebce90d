import { describe, expect, test } from "bun:test";
import { WriteProof } from "./write-proof.ts";

function setUp() {
  const time = { nowMs: 0 };
  const writes: PromiseWithResolvers<void>[] = [];
  const heard: (string | undefined)[] = [];
  const proof = new WriteProof(
    () => {
      const write = Promise.withResolvers<void>();
      writes.push(write);
      return write.promise;
    },
    (failure) => heard.push(failure?.message),
    () => time.nowMs,
  );
  const ask = () =>
    proof.ask().then(
      () => "written",
      (thrown: Error) => thrown.message,
    );
  return { time, writes, heard, proof, ask };
}

const HANGS = "storage has not taken a write for a second";

describe("a proof of a write", () => {
  test("is one for all who ask while it is made, and for a second", async () => {
    const { time, writes, heard, ask } = setUp();
    const asked = [ask(), ask(), ask()];
    writes[0]?.resolve();
    expect(await Promise.all(asked)).toEqual(["written", "written", "written"]);
    time.nowMs = 999;
    expect(await ask()).toBe("written");
    expect([writes.length, heard]).toEqual([1, [undefined]]);
    time.nowMs = 1_000;
    const next = ask();
    expect(writes).toHaveLength(2);
    writes[1]?.reject(new Error("disk full"));
    expect(await next).toBe("disk full");
    expect(await ask()).toBe("disk full");
    expect([writes.length, heard]).toEqual([2, [undefined, "disk full"]]);
  });

  test("that hangs is a failure with each second, and the only one until it ends", async () => {
    const { time, writes, heard, proof, ask } = setUp();
    const first = ask();
    time.nowMs = 1_000;
    expect(await first).toBe(HANGS);
    const second = [ask(), ask()];
    time.nowMs = 2_000;
    expect(await Promise.all(second)).toEqual([HANGS, HANGS]);
    expect([writes.length, proof.pendingMs, heard]).toEqual([1, 2_000, [HANGS, HANGS]]);
    time.nowMs = 3_000;
    const third = ask();
    writes[0]?.resolve();
    expect(await third).toBe("written");
    expect([writes.length, proof.pendingMs]).toEqual([1, 0]);
    time.nowMs = 4_000;
    const next = ask();
    writes[1]?.resolve();
    expect(await next).toBe("written");
    expect(heard).toEqual([HANGS, HANGS, undefined, undefined]);
  });
});
