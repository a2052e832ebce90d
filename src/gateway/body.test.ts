import { describe, expect, test } from "bun:test";
import { readConfig } from "../config.ts";
import { Fault } from "../lib/faults.ts";
import { BodyReader } from "./body.ts";

const { limits } = readConfig({
  FAREGATE_BODY_BYTES_MAX: "1000",
  FAREGATE_BODY_BYTES_IN_FLIGHT_MAX: "3000",
  FAREGATE_BODY_PARTS_MAX: "20",
  FAREGATE_BODY_DEPTH_MAX: "4",
});

function post(
  body: string | ReadableStream<Uint8Array>,
  headers: Record<string, string> = {},
): Request {
  return new Request("http://gateway.invalid/v1/responses", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
}

/** A request as it arrives from a socket: with the length that it declares. */
function declared(body: string): Request {
  return post(body, { "content-length": String(Buffer.byteLength(body)) });
}

function chunked(...chunks: (string | Uint8Array)[]): Request {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk as string));
      controller.close();
    },
  });
  return post(body);
}

async function refusal(reader: BodyReader, request: Request): Promise<[string, number]> {
  const thrown = await reader.read(request).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof Fault)) throw new Error(`no fault but ${String(thrown)}`);
  return [thrown.code, thrown.status];
}

const TEXT = JSON.stringify({ model: "漢", n: 1 });

describe("a body", () => {
  test.each([
    ["of declared length", () => declared(TEXT)],
    [
      "in chunks, cut inside a character",
      () =>
        chunked(
          TEXT.slice(0, 10),
          Buffer.from("漢").subarray(0, 1),
          Buffer.from("漢").subarray(1),
          TEXT.slice(11),
        ),
    ],
  ])("%s is read whole, counted while it is there and released once", async (_name, make) => {
    const reader = new BodyReader(limits);
    const body = await reader.read(make());
    expect(body.text).toBe(TEXT);
    expect(body.value).toEqual({ model: "漢", n: 1 });
    // An object, two names, a text and a comma, beside the characters, which are wide.
    expect(reader.bytesInFlight).toBe(2 * 2 * TEXT.length + 170 + 3 * 64 + 16);
    body.release();
    body.release();
    expect(reader.bytesInFlight).toBe(0);
  });

  test.each([
    ["application/json; charset=utf-8", undefined],
    ["Application/JSON", undefined],
    ["text/plain", "invalid_content_type"],
    ["application/jsonp", "invalid_content_type"],
    ["", "invalid_content_type"],
    ["multipart/form-data; boundary=x", "invalid_content_type"],
  ])("of type %p: %p", async (type, code) => {
    const reader = new BodyReader(limits);
    const request = post("{}", { "content-type": type });
    if (code === undefined) expect((await reader.read(request)).value).toEqual({});
    else expect(await refusal(reader, request)).toEqual([code, 400]);
  });
});

describe("whatever is wrong leaves nothing counted", () => {
  test.each([
    ["not JSON", () => declared("{"), ["invalid_json", 400]],
    ["not JSON in chunks", () => chunked("{", "]"), ["invalid_json", 400]],
    ["nothing at all", () => declared(""), ["invalid_json", 400]],
    [
      "declared too large",
      () => post("{}", { "content-length": "1001" }),
      ["request_too_large", 413],
    ],
    [
      "too large in chunks",
      () => chunked("x".repeat(600), "y".repeat(600)),
      ["request_too_large", 413],
    ],
    ["of too many parts", () => declared(`[${"{},".repeat(30)}0]`), ["invalid_value", 400]],
    ["nested too deep", () => chunked("[[", "[[[", "]]]]]"), ["invalid_value", 400]],
    [
      "small, but more than may ever be held once it is parsed",
      () => declared(`[${"0,".repeat(250)}0]`),
      ["request_too_large", 413],
    ],
  ])("%s", async (_name, make, expected) => {
    const reader = new BodyReader(limits);
    expect(await refusal(reader, make())).toEqual(expected as [string, number]);
    expect(reader.bytesInFlight).toBe(0);
  });

  test("a sender that breaks off", async () => {
    const reader = new BodyReader(limits);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from("{"));
        controller.error(new Error("reset"));
      },
    });
    await expect(reader.read(post(body))).rejects.toThrow();
    expect(reader.bytesInFlight).toBe(0);
  });
});

describe("all bodies together", () => {
  test("are counted by what they weigh parsed", async () => {
    const reader = new BodyReader(limits);
    const small = JSON.stringify(Array.from({ length: 9 }, () => ({})));
    const first = await reader.read(declared(small));
    expect(await refusal(reader, declared(small))).toEqual(["overloaded", 503]);
    first.release();
    (await reader.read(chunked(small))).release();
    expect(reader.bytesInFlight).toBe(0);
  });

  test("stay within their limit, and room comes back with a release", async () => {
    const reader = new BodyReader(limits);
    const large = JSON.stringify("x".repeat(800));
    const first = await reader.read(declared(large));
    expect(await refusal(reader, declared(large))).toEqual(["overloaded", 503]);
    expect(await refusal(reader, chunked(large))).toEqual(["overloaded", 503]);
    expect(reader.bytesInFlight).toBe(2 * 802 + 64);
    first.release();
    expect((await reader.read(declared(large))).text).toBe(large);
  });
});
