// Bodies that come packed, and bytes that are no text.
import { describe, expect, test } from "bun:test";
import { expectError } from "../support/errors.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { WIRES } from "../support/samples/wires.ts";

const BODY_BYTES_MAX = 200_000;
const ELEMENTS_MAX = 50_000;
const settings = {
  FAREGATE_BODY_BYTES_MAX: String(BODY_BYTES_MAX),
  FAREGATE_BODY_ELEMENTS_MAX: String(ELEMENTS_MAX),
};
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

describe.each([
  "/v1/chat/completions",
  "/v1/responses",
  "/v1/responses/compact",
  "/v1/responses/input_tokens",
  "/v1/messages",
  "/v1/messages/count_tokens",
  "/v1/embeddings",
  "/v1/estimate",
  "/v1beta/models/sandbox-1.0:generateContent",
  "/v1beta/models/sandbox-1.0:countTokens",
])("lists of very many numbers, on %s", (path) => {
  test("are refused, however small they are packed", async () => {
    const parameters = `{"properties":{"a":{"enum":[${"1,".repeat(ELEMENTS_MAX)}1]}}}`;
    const body = Bun.gzipSync(`{"model":"sandbox-1.0","tools":[${parameters}]}`);
    const response = await fetch(new URL(path, server.url), {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "content-encoding": "gzip",
      },
      body,
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(
      `more than ${ELEMENTS_MAX} elements of lists and members of objects`,
    );
  });
});
