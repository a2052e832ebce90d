import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readMultipart } from "./multipart.ts";

const TYPE = "multipart/form-data; charset=utf-8; boundary=B";

function form(...parts: readonly { head: string; bytes: Uint8Array }[]): Uint8Array {
  const texts = parts.flatMap(({ head, bytes }) => [
    Buffer.from(`--B\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    bytes,
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([...texts, Buffer.from("--B--\r\n")]);
}

describe("a form with files", () => {
  test("gives back every byte of its files", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 4 }), (files) => {
        const parts = files
          // A file that holds the boundary's line could not be sent with this boundary.
          .filter((bytes) => !Buffer.from(bytes).includes("\r\n--B"))
          .map((bytes, i) => ({ head: `name="f${i}"; filename="${i}.jpg"`, bytes }));
        const read = readMultipart(TYPE, form(...parts));
        expect(read.map(({ name, fileName }) => [name, fileName])).toEqual(
          parts.map((_, i) => [`f${i}`, `${i}.jpg`]),
        );
        for (const [i, { bytes }] of parts.entries()) {
          expect(Buffer.from(read[i]?.bytes ?? []).equals(bytes)).toBe(true);
        }
      }),
    );
  });

  test("may be anything without breaking the reader", () => {
    const piece = fc.constantFrom(
      "\r\n",
      "--B",
      "--B--",
      "\r\n\r\n",
      '; name="',
      '"',
      "media",
      "%e6",
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(Array.isArray(readMultipart(TYPE, Buffer.from(pieces.join(""))))).toBe(true);
      }),
    );
  });

  test.each([
    ['name="media"; filename="图 \\"1\\".jpg"', '图 "1".jpg'],
    ["name=media; filename=a.jpg", "a.jpg"],
    ["name=\"media\"; filename*=UTF-8''%E5%9B%BE.jpg", "图.jpg"],
    ["name=\"media\"; filename*=UTF-8''%E5.jpg", undefined],
    ['filename="b.jpg"; name="media"', "b.jpg"],
    ['name="media"', undefined],
  ])("knows its file by %s", (head, fileName) => {
    const [part] = readMultipart(TYPE, form({ head, bytes: Buffer.from("x") }));
    expect(part).toMatchObject({ name: "media", fileName });
  });

  test("that was cut off, or has another boundary, has no files", () => {
    const whole = form({ head: 'name="media"; filename="a.jpg"', bytes: Buffer.from("x") });
    expect(readMultipart(TYPE, whole)).toHaveLength(1);
    expect(readMultipart(TYPE, whole.subarray(0, -6))).toEqual([]);
    expect(readMultipart("multipart/form-data; boundary=C", whole)).toEqual([]);
    expect(readMultipart("application/json", whole)).toEqual([]);
  });
});
