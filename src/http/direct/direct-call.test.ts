import { expect, test } from "bun:test";
import fc from "fast-check";
import { decodeUtf8 } from "../../lib/utf8.ts";
import { DirectCall } from "./direct-call.ts";
import { type PlainHead, readPlainHead } from "./plain-head.ts";

/** A call with this body, which came with its head. */
function callWith(body: Uint8Array): DirectCall {
  const head = `POST /v1/x HTTP/1.1\r\nhost: gate\r\ncontent-length: ${body.length}\r\n\r\n`;
  const bytes = Buffer.concat([Buffer.from(head), body, Buffer.from("behind it")]);
  const plain = readPlainHead(bytes, 0) as PlainHead;
  const caller = { isAnswering: () => true, address: "127.0.0.1" };
  const call = new DirectCall(plain, caller, (peer) => peer);
  call.request.hasCome(bytes, plain.bytes);
  return call;
}

/** What a reader says who refuses whatever is no text. */
function strictly(body: Uint8Array): string | undefined {
  try {
    return decodeUtf8(body);
  } catch {
    return undefined;
  }
}

const ODD = [
  ...[
    [0xff],
    [0xc3],
    [0xc0, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf0, 0x9f, 0x98],
    [0xf4, 0x90, 0x80, 0x80],
  ],
  ...[
    [0xef, 0xbb, 0xbf],
    [0xef, 0xbf, 0xbd],
    [0xef, 0xbf, 0xbe],
    [0xf0, 0x9f, 0x98, 0x80],
    [0xc3, 0xa4],
  ],
];

test("a body that is a text beyond doubt is what a strict reader makes of it, and any other is left to that", () => {
  const piece = fc.oneof(
    fc.constantFrom(...ODD).map((bytes) => Buffer.from(bytes)),
    fc.string({ unit: "grapheme" }).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
  );
  const bodies = fc.array(piece, { maxLength: 6 }).map((pieces) => Buffer.concat(pieces));
  fc.assert(
    fc.property(bodies, (body) => {
      const text = callWith(body).request.thereText();
      if (text !== undefined) expect(text).toBe(strictly(body) as string);
    }),
    { numRuns: 2_000 },
  );
  for (const plain of ["", "{}", "漢字 ä 😀"]) {
    expect(callWith(Buffer.from(plain)).request.thereText()).toBe(plain);
  }
  for (const odd of ODD.slice(0, 8))
    expect(callWith(Buffer.from(odd)).request.thereText()).toBe(undefined);
});

test("its bytes are there for whoever wants those", async () => {
  const body = Buffer.from([1, 0xff, 2]);
  expect([...(await callWith(body).request.bytes())]).toEqual([...body]);
});

test("what is forgotten is kept nowhere, and what comes of it later is not gathered", async () => {
  const { request } = callWith(Buffer.from("{}"));
  request.forget();
  expect(request.thereText()).toBe(undefined);
  request.took(Buffer.from("{"));
  request.hasAll();
  expect(request.thereText()).toBe(undefined);
  await expect(request.bytes()).rejects.toThrow();
});
