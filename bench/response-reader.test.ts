import { expect, test } from "bun:test";
import { type ReceivedResponse, ResponseReader } from "./response-reader.ts";

const WITH_LENGTH =
  "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\nh\u00e9llo";
const CHUNKED =
  "HTTP/1.1 429 Too Many\r\nTransfer-Encoding: chunked\r\n\r\n" +
  "5\r\nab\r\nc\r\nA;note=1\r\n0123456789\r\n0\r\nx-trailer: 1\r\n\r\n";

/** Feeds the bytes in two parts and returns the response; only the last part may complete it. */
function readSplit(reader: ResponseReader, bytes: Uint8Array, at: number): ReceivedResponse | null {
  const early = reader.feed(bytes.subarray(0, at));
  if (at < bytes.length) expect(early).toBeNull();
  return early ?? reader.feed(bytes.subarray(at));
}

for (const [name, text, status, body] of [
  ["content-length", WITH_LENGTH, 200, "h\u00e9llo"],
  ["chunked", CHUNKED, 429, "ab\r\nc0123456789"],
] as const) {
  test(`a ${name} response is read alike however its bytes are split`, () => {
    const bytes = new TextEncoder().encode(text);
    const reader = new ResponseReader();
    for (let at = 1; at < bytes.length; at += 1) {
      const response = readSplit(reader, bytes, at);
      expect(response?.status).toBe(status);
      expect(response?.body).toBe(body);
    }
  });
}

test("an empty body completes with its head", () => {
  const head = new TextEncoder().encode("HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n");
  expect(new ResponseReader().feed(head)?.body).toBe("");
});

test("bytes beyond the declared length are an error, not the next answer", () => {
  const bytes = new TextEncoder().encode(`${WITH_LENGTH}x`);
  expect(() => new ResponseReader().feed(bytes)).toThrow("after the end");
});
