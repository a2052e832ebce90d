import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { bodyMemory, memoryOfKnown } from "../../../test/support/clients/memory-of-known.ts";
import { readBoundedText } from "./bounded-body.ts";

function post(body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string> = {}) {
  return new Request("http://gate.example", { method: "POST", body, headers });
}

const TEXT = "x".repeat(30_000);
const LIMIT = { bytesMax: 40_000 };

describe("the memory of bodies", () => {
  test("counts a text while its request is answered, and until its work has ended", async () => {
    const bodies = bodyMemory();
    const memory = memoryOfKnown(bodies);
    await readBoundedText({ request: post(TEXT), memory }, LIMIT);
    expect(bodies.taken).toBeGreaterThanOrEqual(TEXT.length);
    const work = Promise.withResolvers<void>();
    memory.keepFor(work.promise);
    memory.release();
    expect(bodies.taken).toBeGreaterThanOrEqual(TEXT.length);
    work.resolve();
    await work.promise;
    expect(bodies.taken).toBe(0);
  });

  test("counts what is unpacked, and refuses an account beside others before all of it is", async () => {
    const bodies = bodyMemory(500_000);
    memoryOfKnown(bodies, "account other").grow(100_000);
    const first = memoryOfKnown(bodies);
    first.grow(280_000);
    const memory = memoryOfKnown(bodies);
    const headers = { "content-encoding": "gzip, gzip, gzip" };
    const packed = new Uint8Array(gzipSync(gzipSync(gzipSync(TEXT))));
    const read = readBoundedText({ request: post(packed, headers), memory }, LIMIT);
    await expect(read).rejects.toMatchObject({ status: 429 });
    memory.release();
    expect(bodies.taken).toBe(380_000);
  });

  test("is little for a sender who is not known, whose body is plain", async () => {
    const memory = bodyMemory().ofRequest(() => "127.0.0.1");
    const large = { request: post("x".repeat(65_537)), memory };
    await expect(readBoundedText(large, { bytesMax: 1_000_000 })).rejects.toMatchObject({
      status: 413,
    });
    const packed = post(new Uint8Array(gzipSync(TEXT)), { "content-encoding": "gzip" });
    await expect(readBoundedText({ request: packed, memory }, LIMIT)).rejects.toMatchObject({
      status: 415,
    });
  });

  test("counts calls of one network as those of one sender", () => {
    const bodies = bodyMemory(1_000, 2);
    const call = (address: string) => () => bodies.ofRequest(() => address).countOpen();
    call("2001:db8::1")();
    call("2001:db8:0:0:ffff::2")();
    expect(call("2001:db8::3")).toThrow("Rate limit");
    expect(call("2001:db8:0:1::3")).not.toThrow();
    expect(call("203.0.113.7")).not.toThrow();
  });
});
