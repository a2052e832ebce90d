import { describe, expect, test } from "bun:test";
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { memoryOfKnown } from "../../../test/support/clients/memory-of-known.ts";
import { Fault } from "../faults.ts";
import { readBounded } from "./bounded-body.ts";
import { codingsOf, inflate } from "./inflate.ts";

type Pack = (bytes: Uint8Array) => Uint8Array;

/** Its usual pains take a third of a second over megabytes. */
const BRISKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const PACKERS: readonly (readonly [string, Pack])[] = [
  ["gzip", gzipSync],
  ["x-gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", (bytes) => brotliCompressSync(bytes, BRISKLY)],
  ["zstd", zstdCompressSync],
];

const TEXT = JSON.stringify({ input: "漢字 and letters ".repeat(20) });
const MIB = 1024 * 1024;

function post(body: Uint8Array, encoding: string) {
  const headers = { "content-encoding": encoding };
  const request = new Request("http://gate.example", { method: "POST", body, headers });
  return { request, memory: memoryOfKnown() };
}

async function refusal(work: Promise<unknown>): Promise<Fault> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof Fault)) throw new Error(`no fault but ${String(thrown)}`);
  return thrown;
}

describe.each(PACKERS)("%s", (name, pack) => {
  test("is unpacked, whatever the capitals of its name", async () => {
    for (const written of [name, name.toUpperCase(), `identity, ${name}`]) {
      const bytes = await readBounded(post(pack(Buffer.from(TEXT)), written), { bytesMax: 10_000 });
      expect(Buffer.from(bytes).toString()).toBe(TEXT);
    }
  });

  test("is refused once it unpacks to more than the limit, not when all of it has", async () => {
    const bomb = pack(Buffer.alloc(8 * MIB));
    let taken = 0;
    const bounds = {
      bytesMax: MIB,
      tooLarge: () => new Fault("request_too_large", "too large"),
      lend: () => ({ release: () => {} }),
    };
    expect(bomb.byteLength).toBeLessThan(MIB);
    const unpack = async () => {
      for await (const { byteLength } of inflate([bomb], [name], bounds)) taken += byteLength;
    };
    expect((await refusal(unpack())).code).toBe("request_too_large");
    expect(taken).toBeLessThanOrEqual(MIB);
  });

  test("that is none is a mistake of the sender", async () => {
    const fault = await refusal(readBounded(post(Buffer.from(TEXT), name), { bytesMax: 10_000 }));
    expect([fault.status, fault.code, fault.param]).toEqual([
      400,
      "invalid_json",
      "content-encoding",
    ]);
  });
});

test("what was packed twice is unpacked twice, the last first", async () => {
  const twice = brotliCompressSync(gzipSync(TEXT));
  expect(
    Buffer.from(await readBounded(post(twice, "gzip, br"), { bytesMax: 10_000 })).toString(),
  ).toBe(TEXT);
  expect((await refusal(readBounded(post(twice, "br, gzip"), { bytesMax: 10_000 }))).status).toBe(
    400,
  );
});

test.each(["compress", "gzip, aws-chunked", "*", "gzip;q=1"])(
  "what is packed by %p is refused with the names of what is read",
  async (encoding) => {
    const fault = await refusal(
      readBounded(post(Buffer.from(TEXT), encoding), { bytesMax: 10_000 }),
    );
    expect([fault.status, fault.code]).toEqual([415, "unsupported_encoding"]);
    expect(fault.message).toContain("gzip, deflate, br, zstd");
    expect(fault.headers).toEqual({ "accept-encoding": "gzip, deflate, br, zstd" });
  },
);

test("nobody packs a body four times", () => {
  expect(() => codingsOf("gzip, gzip, gzip, gzip")).toThrow(/packed 4 times/);
  expect(codingsOf("gzip, gzip, gzip")).toHaveLength(3);
  expect(codingsOf("identity, identity, identity, identity, identity")).toEqual([]);
});

test("a window that zstd would allow, but not over HTTP, is not given", async () => {
  const header = Buffer.from("28b52ffd00a0", "hex"); // A window of 2^30 bytes.
  const raw = Buffer.from("010000", "hex");
  const fault = await refusal(
    readBounded(post(Buffer.concat([header, raw]), "zstd"), { bytesMax: 10_000 }),
  );
  expect(fault.status).toBe(400);
});
