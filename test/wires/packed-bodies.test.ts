// Bodies that come packed, and bytes that are no text.
import { describe, expect, test } from "bun:test";
import { expectError } from "../support/errors.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { WIRES } from "../support/samples/wires.ts";

const BODY_BYTES_MAX = 200_000;
const settings = { FAREGATE_BODY_BYTES_MAX: String(BODY_BYTES_MAX) };
const { server } = await perFile((parts) => serve(parts, { settings, books: true }));
const { key } = await server.account("1");

describe("a body that is packed", () => {
  const send = (path: string, who: string, encoding: string, bytes: Uint8Array) =>
    server.fetch(path, who, {
      method: "POST",
      headers: { "content-type": "application/json", "content-encoding": encoding },
      body: bytes,
    });

  test.each(WIRES.map((wire) => [wire.path, wire] as const))(
    "is read on %s",
    async (path, wire) => {
      const other = await server.account("1");
      const text = JSON.stringify(wire.request("Say one"));
      for (const [encoding, bytes] of [
        ["gzip", Bun.gzipSync(text)],
        ["zstd", Bun.zstdCompressSync(text)],
      ] as const) {
        expect((await send(path, other.key, encoding, bytes)).status).toBe(200);
      }
    },
  );

  test("and unpacks to more than the limit is refused", async () => {
    const bomb = Bun.gzipSync(Buffer.alloc(BODY_BYTES_MAX * 20, " "));
    expect(bomb.byteLength).toBeLessThan(BODY_BYTES_MAX / 10);
    const response = await send("/responses", key, "gzip", bomb);
    await expectError(response, { status: 413, code: "request_too_large" });
  });

  test("in a way that is not read is refused with the ways that are", async () => {
    const response = await send("/responses", key, "compress", Buffer.from("{}"));
    expect(response.headers.get("accept-encoding")).toBe("gzip, deflate, br, zstd");
    await expectError(response, {
      status: 415,
      code: "unsupported_encoding",
      param: "content-encoding",
    });
  });

  test("is not unpacked for a key that is not good", async () => {
    const response = await send("/responses", "sk-unknown", "compress", Buffer.from("{}"));
    await expectError(response, { status: 401, code: "invalid_api_key" });
  });
});

describe.each(["/responses", "/chat/completions", "/messages", "/embeddings", "/estimate"])(
  "bytes that are no text, on %s",
  (path) => {
    test("are refused", async () => {
      const headers = { "content-type": "application/json" };
      const body = Buffer.concat([
        Buffer.from('{"model":"'),
        Buffer.from([0xff]),
        Buffer.from('"}'),
      ]);
      const response = await server.fetch(path, key, { method: "POST", headers, body });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("not valid UTF-8");
    });
  },
);
