import { describe, expect, test } from "bun:test";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { readConfig } from "../../config/config.ts";
import { asFault, Fault } from "../../lib/faults.ts";
import { Watchdog } from "../../lib/threads/watchdog.ts";
import { BodyReader } from "./body.ts";

const { limits } = readConfig({
  FAREGATE_BODY_BYTES_MAX: "1000",
  FAREGATE_BODY_BYTES_IN_FLIGHT_MAX: "3000",
  FAREGATE_BODY_PARTS_MAX: "20",
  FAREGATE_BODY_ELEMENTS_MAX: "150",
  FAREGATE_BODY_DEPTH_MAX: "4",
});

const ACCOUNT = "acct_1";
const OTHER = "acct_2";

/** Looks when it is told to. */
const time = { nowMs: 0 };
const watchdog = new Watchdog(() => time.nowMs, 3_600_000);

function post(
  body: string | Uint8Array | ReadableStream<Uint8Array>,
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

async function refusal(
  reader: BodyReader,
  request: Request,
  accountId = ACCOUNT,
): Promise<[string, number]> {
  const thrown = await (async () => reader.read(request, accountId))().then(
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
    const reader = new BodyReader(limits, watchdog);
    const body = await reader.read(make(), ACCOUNT);
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
    const reader = new BodyReader(limits, watchdog);
    const request = post("{}", { "content-type": type });
    if (code === undefined) expect((await reader.read(request, ACCOUNT)).value).toEqual({});
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
    ["of too many numbers", () => declared(`[${"0,".repeat(151)}0]`), ["invalid_value", 400]],
    ["of too many words", () => declared(`[${"null,".repeat(151)}true]`), ["invalid_value", 400]],
    ["nested too deep", () => chunked("[[", "[[[", "]]]]]"), ["invalid_value", 400]],
    [
      "small, but more than may ever be held once it is parsed",
      () => declared(`[${"12345,".repeat(150)}0]`),
      ["request_too_large", 413],
    ],
  ])("%s", async (_name, make, expected) => {
    const reader = new BodyReader(limits, watchdog);
    expect(await refusal(reader, make())).toEqual(expected as [string, number]);
    expect(reader.bytesInFlight).toBe(0);
  });

  test("a sender that breaks off", async () => {
    const reader = new BodyReader(limits, watchdog);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from("{"));
        controller.error(new Error("reset"));
      },
    });
    await expect(reader.read(post(body), ACCOUNT)).rejects.toThrow();
    expect(reader.bytesInFlight).toBe(0);
  });
});

test("a body that cannot even be asked for counts for nothing", async () => {
  const reader = new BodyReader(limits, watchdog);
  const request = declared("{}");
  Object.assign(request, {
    bytes() {
      throw new TypeError("it is gone");
    },
  });
  await expect(reader.read(request, ACCOUNT)).rejects.toThrow("it is gone");
  expect([reader.bytesInFlight, watchdog.size]).toEqual([0, 0]);
});

/** A body of which something has come, and more may. */
function dripping() {
  let drop = (_text: string): void => {};
  const drops = new ReadableStream<Uint8Array>({
    start(controller) {
      drop = (text) => controller.enqueue(Buffer.from(text));
    },
  });
  drop('{"model": ');
  return { drops, drop };
}

describe("a body that comes drop by drop", () => {
  const WAYS: readonly (readonly [string, Record<string, string>])[] = [
    ["of a short length", { "content-length": "300" }],
    ["of unknown length", {}],
    ["that is packed", { "content-encoding": "gzip", "content-length": "300" }],
  ];

  test.each(WAYS)("%s is given up when its time is over", async (_name, headers) => {
    const reader = new BodyReader(limits, watchdog);
    const { drops, drop } = dripping();
    const refused = refusal(reader, post(drops, headers));
    time.nowMs += limits.upload_ms - 1;
    watchdog.tick();
    drop(" ");
    await Bun.sleep(0);
    expect(watchdog.size).toBe(1);
    time.nowMs += 1;
    watchdog.tick();
    expect(await refused).toEqual(["request_too_slow", 408]);
    expect([reader.bytesInFlight, watchdog.size]).toEqual([0, 0]);
  });

  test("has no deadline any more once it is there, however it ends", async () => {
    const reader = new BodyReader(limits, watchdog);
    const body = await reader.read(declared(TEXT), ACCOUNT);
    expect(watchdog.size).toBe(0);
    body.release();
    for (const wrong of [declared("{"), chunked("x".repeat(600), "y".repeat(600))]) {
      await refusal(reader, wrong);
      expect(watchdog.size).toBe(0);
    }
  });
});

describe("all bodies together", () => {
  test("are counted by what they weigh parsed", async () => {
    const reader = new BodyReader(limits, watchdog);
    const small = JSON.stringify(Array.from({ length: 9 }, () => ({})));
    const first = await reader.read(declared(small), OTHER);
    expect(await refusal(reader, declared(small))).toEqual(["overloaded", 503]);
    first.release();
    (await reader.read(chunked(small), ACCOUNT)).release();
    expect(reader.bytesInFlight).toBe(0);
  });

  test("stay within their limit, and room comes back with a release", async () => {
    const reader = new BodyReader(limits, watchdog);
    const large = JSON.stringify("x".repeat(800));
    const first = await reader.read(declared(large), OTHER);
    expect(await refusal(reader, declared(large))).toEqual(["overloaded", 503]);
    expect(await refusal(reader, chunked(large))).toEqual(["overloaded", 503]);
    expect(reader.bytesInFlight).toBe(2 * 802 + 64);
    first.release();
    expect((await reader.read(declared(large), ACCOUNT)).text).toBe(large);
  });
});

describe("of one account", () => {
  const SHARE_USED_UP: [string, number] = ["rate_limit_exceeded", 429];

  test("uploads that come drop by drop leave room for those of others", async () => {
    const reader = new BodyReader(limits, watchdog);
    const drip = dripping();
    const others = Array.from({ length: 8 }, dripping);
    const coming = reader.read(post(drip.drops), ACCOUNT);
    const refused = others.map(({ drops }) => refusal(reader, post(drops)));
    for (const { drop } of [drip, ...others]) drop("x".repeat(600));
    // Three fit into its part of the room: the others are told, and leave nothing behind.
    expect(await Promise.all(refused.slice(2))).toEqual(Array(6).fill(SHARE_USED_UP));
    const held = reader.bytesInFlight;
    expect(held).toBeLessThanOrEqual((limits.body_bytes_in_flight_max * 3) / 4);
    const served = await reader.read(declared(JSON.stringify("x".repeat(400))), OTHER);
    served.release();
    expect(reader.bytesInFlight).toBe(held);
    time.nowMs += limits.upload_ms;
    watchdog.tick();
    const tooSlow: [string, number] = ["request_too_slow", 408];
    expect(await Promise.all(refused.slice(0, 2))).toEqual([tooSlow, tooSlow]);
    await expect(coming).rejects.toThrow("was not there");
    expect(reader.bytesInFlight).toBe(0);
  });

  test("a body that weighs more than its part once it is parsed is refused beside another, and taken alone", async () => {
    const reader = new BodyReader(limits, watchdog);
    const first = await reader.read(declared(TEXT), ACCOUNT);
    const held = reader.bytesInFlight;
    const large = JSON.stringify("x".repeat(960));
    const heavy = JSON.stringify(Array.from({ length: 10 }, () => ({})));
    for (const text of [large, heavy]) {
      expect(await refusal(reader, declared(text))).toEqual(SHARE_USED_UP);
      expect(await refusal(reader, chunked(text))).toEqual(SHARE_USED_UP);
      expect(reader.bytesInFlight).toBe(held);
    }
    first.release();
    for (const text of [large, heavy]) {
      const alone = await reader.read(declared(text), ACCOUNT);
      expect(reader.bytesInFlight).toBeGreaterThan(limits.body_bytes_in_flight_max / 2);
      alone.release();
    }
    expect(reader.bytesInFlight).toBe(0);
  });

  test("what a body comes to stand for counts as well, and is refused without letting go of the body", async () => {
    const reader = new BodyReader(limits, watchdog);
    const [first, second] = [reader.reserve(500, ACCOUNT), reader.reserve(500, ACCOUNT)];
    expect(() => second.grow(1_300)).toThrow("The requests of this account");
    expect(() => reader.reserve(1_300, ACCOUNT)).toThrow("The requests of this account");
    expect(reader.bytesInFlight).toBe(1_000);
    first.release();
    second.grow(2_500);
    expect(reader.bytesInFlight).toBe(3_000);
    second.release();
    expect(reader.bytesInFlight).toBe(0);
  });

  test("that has its share is told how much that is, and when to come again", async () => {
    const reader = new BodyReader(limits, watchdog);
    reader.reserve(1_900, ACCOUNT);
    reader.reserve(400, OTHER);
    const thrown = await reader.hold(JSON.stringify("x".repeat(100)), ACCOUNT).catch(asFault);
    expect(thrown).toMatchObject({
      message:
        "The requests of this account hold 1900 bytes until they are answered; at the moment they may hold 1950. " +
        "Please try again in 1s.",
      headers: { "retry-after": "1", "retry-after-ms": "1000", "x-faregate-limit": "bytes" },
      refusal: { scope: "bytes_in_flight", used: 1_900n, max: 1_950n },
    });
  });
});

/** One that is large enough for what its unpackers remember. */
const roomy = readConfig({
  FAREGATE_BODY_BYTES_MAX: "500000",
  FAREGATE_BODY_BYTES_IN_FLIGHT_MAX: "2000000",
}).limits;

const PACKERS: readonly (readonly [string, (bytes: Uint8Array) => Uint8Array])[] = [
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
  ["zstd", zstdCompressSync],
];

describe.each(PACKERS)("a body that is packed by %s", (name, pack) => {
  const packed = (bytes: Uint8Array) =>
    post(bytes, { "content-encoding": name, "content-length": String(bytes.byteLength) });
  const inChunks = (bytes: Uint8Array) =>
    new Request(chunked(bytes.subarray(0, 7), bytes.subarray(7)), {
      headers: { "content-type": "application/json", "content-encoding": name },
    });

  test("is read as if it had been plain, and counted as such", async () => {
    for (const make of [packed, inChunks]) {
      const reader = new BodyReader(roomy, watchdog);
      const long = JSON.stringify({ input: "漢 ".repeat(20_000) });
      const body = await reader.read(make(pack(Buffer.from(long))), ACCOUNT);
      const plain = new BodyReader(roomy, watchdog);
      await plain.read(declared(long), ACCOUNT);
      expect(body.text).toBe(long);
      expect(reader.bytesInFlight).toBe(plain.bytesInFlight);
      body.release();
      expect(reader.bytesInFlight).toBe(0);
    }
  });

  test.each([
    ["over the limit", Buffer.alloc(500_001, " "), "request_too_large"],
    ["not UTF-8", Buffer.from([0x22, 0xff, 0x22]), "invalid_json"],
    ["not JSON", Buffer.from("{"), "invalid_json"],
  ])("and is %s is refused", async (_what, bytes, code) => {
    const reader = new BodyReader(roomy, watchdog);
    expect((await refusal(reader, packed(pack(bytes))))[0]).toBe(code);
    expect((await refusal(reader, inChunks(pack(bytes))))[0]).toBe(code);
    expect(reader.bytesInFlight).toBe(0);
  });

  test("and of which half is missing, or all, is refused", async () => {
    const reader = new BodyReader(roomy, watchdog);
    const whole = pack(Buffer.from(TEXT));
    for (const bytes of [whole.subarray(0, 12), new Uint8Array()]) {
      expect(await refusal(reader, packed(bytes))).toEqual(["invalid_json", 400]);
    }
    expect(reader.bytesInFlight).toBe(0);
  });

  test("is unpacked where that takes more than half of the room, and it is its account's only one", async () => {
    const reader = new BodyReader(roomy, watchdog);
    const long = JSON.stringify("x".repeat(490_000));
    const [twice, alone] = [inChunks(pack(Buffer.from(long))), inChunks(pack(Buffer.from(long)))];
    const other = reader.reserve(600_000, ACCOUNT);
    expect((await refusal(reader, twice))[0]).toBe("rate_limit_exceeded");
    expect(reader.bytesInFlight).toBe(600_000);
    other.release();
    // With its copies it takes three quarters at most.
    const beside = reader.reserve(500_000, OTHER);
    expect((await reader.read(alone, ACCOUNT)).text).toBe(long);
    beside.release();
  });

  test("waits its turn where no memory is left to unpack it", async () => {
    const reader = new BodyReader(roomy, watchdog);
    const others = reader.reserve(1_999_000, OTHER);
    const long = pack(Buffer.from(JSON.stringify("x".repeat(5_000))));
    expect(await refusal(reader, packed(long))).toEqual(["overloaded", 503]);
    others.release();
    expect((await reader.read(packed(long), ACCOUNT)).text).toHaveLength(5_002);
  });
});

describe("bytes that are no UTF-8", () => {
  // An overlong slash, half a character at the end, a surrogate, a byte that never occurs.
  test.each(["22c0af22", "22e6bc", "22eda08022", "22ff22", "22f09f9822"])("%s", async (hex) => {
    const reader = new BodyReader(limits, watchdog);
    const bytes = Buffer.from(hex, "hex");
    const length = { "content-length": String(bytes.byteLength) };
    expect(await refusal(reader, post(bytes, length))).toEqual(["invalid_json", 400]);
    expect(await refusal(reader, chunked(bytes))).toEqual(["invalid_json", 400]);
    expect(await refusal(reader, chunked(bytes.subarray(0, 2), bytes.subarray(2)))).toEqual([
      "invalid_json",
      400,
    ]);
    expect(reader.bytesInFlight).toBe(0);
  });
});

test("a large body is weighed and parsed in steps, whichever way it came", async () => {
  const reader = new BodyReader(readConfig({}).limits, watchdog);
  const text = JSON.stringify({ model: "m", input: '"\n'.repeat(2 ** 20) });
  let turns = 0;
  let reading = true;
  const turn = () => {
    turns += 1;
    if (reading) setImmediate(turn);
  };
  setImmediate(turn);
  const body = await reader.hold(text, ACCOUNT);
  reading = false;
  expect(body.value).toEqual(JSON.parse(text));
  expect([...body.ends]).toEqual([[text.indexOf('"input"') + 8, text.length - 2]]);
  // Each step is of half a megabyte at the most.
  expect(turns).toBeGreaterThan(text.length / 2 ** 19);
  const sent = await reader.read(declared(text), ACCOUNT);
  expect([sent.value, sent.ends]).toEqual([body.value, body.ends]);
  for (const each of [body, sent]) each.release();
  expect(reader.bytesInFlight).toBe(0);
});
