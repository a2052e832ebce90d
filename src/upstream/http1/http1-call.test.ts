import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readHead } from "./answer-head.ts";
import { Http1Call } from "./http1-call.ts";

const HEAD = Buffer.from("HTTP/1.1 200 OK\r\na: b");

/** A call whose answer has come to its end, with this body in the middle of what was read. */
function answered(body: Uint8Array): Http1Call {
  const call = new Http1Call({ text: "", bytes: 0, more: [], isHead: false }, 1_000);
  call.begin(readHead(HEAD, 0, HEAD.length, false));
  const read = Buffer.concat([HEAD, body, Buffer.from("behind it")]);
  call.pushLast(read, HEAD.length, HEAD.length + body.length);
  call.end();
  return call;
}

describe("a body that has come at once", () => {
  test("is the text that a decoder makes of it, whatever it is", () => {
    const odd = fc.constantFrom(
      [0xef, 0xbb, 0xbf],
      [0xff],
      [0xc3, 0xa4],
      [0xed, 0xa0, 0x80],
      [0x41],
    );
    const bodies = fc.array(odd, { maxLength: 5 }).map((pieces) => Buffer.from(pieces.flat()));
    fc.assert(
      fc.property(bodies, (body) => {
        expect(answered(body).text(1_000)).toBe(new TextDecoder().decode(body));
      }),
    );
  });

  test("is one chunk for whoever reads it, and then nothing", async () => {
    const call = answered(Buffer.from("all of it"));
    expect(String(Buffer.from((await call.read()) ?? []))).toBe("all of it");
    expect(await call.read()).toBe(undefined);
  });

  test("is gone where its call was hung up on", async () => {
    const call = answered(Buffer.from("all of it"));
    call.hangUp(new Error("nobody waits"));
    expect(await call.read()).toBe(undefined);
  });
});
