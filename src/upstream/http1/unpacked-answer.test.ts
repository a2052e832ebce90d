// Vendors are asked for plain bytes. Those that pack theirs all the same are read all the same.
import { afterEach, describe, expect, test } from "bun:test";
import {
  brotliCompressSync,
  constants,
  createGzip,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import { RawVendor } from "../../../test/support/vendors/raw-vendor.ts";
import { FETCH, outcomeOf, ownTransport } from "../../../test/support/vendors/transports.ts";

const vendors: RawVendor[] = [];
afterEach(async () => {
  for (const vendor of vendors.splice(0)) await vendor.stop();
});

const TEXT = JSON.stringify({ output_text: "fine — 好".repeat(2_000) });

/** A vendor whose body is packed, and says how. */
async function vendorSending(packing: string, body: Buffer): Promise<string> {
  const vendor = await RawVendor.start(({ socket }) => {
    const length = `content-length: ${body.length}\r\n`;
    socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: ${packing}\r\n${length}\r\n`);
    socket.write(body);
  });
  vendors.push(vendor);
  return vendor.origin;
}

describe.each([ownTransport(), FETCH])("a packed answer by $name", ({ post }) => {
  test.each([
    ["gzip", gzipSync(TEXT)],
    ["GZIP", gzipSync(TEXT)],
    ["deflate", deflateSync(TEXT)],
    ["br", brotliCompressSync(TEXT)],
    ["zstd", zstdCompressSync(TEXT)],
    ["identity", Buffer.from(TEXT)],
  ])("is read where it is %s", async (packing, body) => {
    const origin = await vendorSending(packing, body);
    expect(await outcomeOf(post(origin, "{}"))).toEqual({ status: 200, text: TEXT });
  });

  test.each([
    ["is cut short", gzipSync(TEXT).subarray(0, -20)],
    ["is not packed at all", Buffer.from(TEXT)],
  ])("fails where it %s", async (_name, body) => {
    const origin = await vendorSending("gzip", body);
    expect(await outcomeOf(post(origin, "{}"))).toHaveProperty("failed");
  });

  test("comes event by event", async () => {
    const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
    const vendor = await RawVendor.start(({ socket }) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n");
      gzip.on("data", (chunk: Buffer) => socket.write(chunk));
      gzip.on("end", () => socket.end());
    });
    vendors.push(vendor);
    const answer = await post(vendor.origin, "{}").answered;
    const seen: string[] = [];
    for (const event of ["data: 1\n\n", "data: 2\n\n"]) {
      gzip.write(event);
      const chunk = await answer.read();
      seen.push(Buffer.from(chunk ?? []).toString());
    }
    gzip.end();
    for (let chunk = await answer.read(); chunk; chunk = await answer.read()) {
      seen.push(Buffer.from(chunk).toString());
    }
    expect(seen.join("")).toBe("data: 1\n\ndata: 2\n\n");
    expect(seen[0]).toBe("data: 1\n\n");
  });

  test("breaks off when it is hung up on", async () => {
    const origin = await vendorSending("gzip", gzipSync(TEXT).subarray(0, -20));
    const call = post(origin, "{}");
    const answer = await call.answered;
    call.hangUp(new Error("the client left"));
    await expect(answer.text(Number.POSITIVE_INFINITY)).rejects.toThrow();
  });
});
