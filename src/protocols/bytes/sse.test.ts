import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  eventData,
  eventEnd,
  lastEventEnd,
  SILENT_BYTES_MAX,
  SseFramer,
  writeEvent,
} from "./sse.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function frame(chunks: readonly Uint8Array[]): { events: string[]; rest: string } {
  const framer = new SseFramer();
  const events = chunks
    .flatMap((chunk) => framer.push(chunk))
    .map((event) => decoder.decode(event));
  return { events, rest: decoder.decode(framer.rest() ?? new Uint8Array()) };
}

/** The bytes cut at these places. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [0, ...places.map((at) => at % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  );
  return sorted.slice(1).map((end, i) => bytes.slice(sorted[i], end));
}

const STREAMS: Record<string, string> = {
  plain: 'data: {"a":1}\n\ndata: {"b":2}\n\ndata: [DONE]\n\n',
  named: 'event: response.created\ndata: {"a":1}\n\nevent: x\ndata: 2\n\n',
  crlf: 'event: x\r\ndata: {"a":1}\r\n\r\ndata: 2\r\n\r\n',
  mixed: "data: 1\r\n\r\ndata: 2\n\ndata: 3\r\n\n",
  unicode: 'data: {"t":"漢字 🎉 é"}\n\ndata: "\u{1f468}‍\u{1f469}"\n\n',
  comments: ": hello\n\n: more\ndata: 1\n\n\n\ndata: 2\n\n",
  lines: "data: first\ndata: second\ndata:third\n\n",
  unfinished: "data: 1\n\ndata: 2",
};

test("what is left of a read does not keep the read", () => {
  const framer = new SseFramer();
  const read = Buffer.from("data: 1\n\nda");
  framer.push(read);
  const rest = framer.rest();
  expect(Buffer.from(rest ?? []).toString()).toBe("da");
  expect(rest?.buffer).not.toBe(read.buffer);
  expect(rest?.buffer.byteLength).toBe(2);
});

describe("SseFramer", () => {
  test.each(Object.keys(STREAMS))("cuts %s into the same events at every byte offset", (name) => {
    const bytes = encoder.encode(STREAMS[name]);
    const whole = frame([bytes]);
    const [said, silent] = [STREAMS[name] ?? "", /^:.*\n|^\n{2}(?=data)/gm];
    expect(whole.events.join("") + whole.rest).toBe(
      name === "comments" ? said.replace(silent, "").trimStart() : said,
    );
    for (let at = 0; at <= bytes.length; at++) {
      expect(frame([bytes.slice(0, at), bytes.slice(at)])).toEqual(whole);
    }
    expect(frame([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
  });

  test("cuts any stream into the same events, however it was chopped", () => {
    const line = fc.oneof(
      fc.string({ unit: "grapheme" }).map((text) => `data: ${JSON.stringify(text)}`),
      fc.constantFrom("event: x", ": note", "id: 7", "data:", ""),
    );
    const eol = fc.constantFrom("\n", "\r\n");
    const stream = fc
      .array(fc.tuple(fc.array(line, { maxLength: 3 }), eol), { maxLength: 6 })
      .map((events) =>
        events.map(([lines, end]) => `${lines.map((l) => l + end).join("")}${end}`).join(""),
      );
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 12 }), (text, places) => {
        const bytes = encoder.encode(text);
        expect(frame(cut(bytes, places))).toEqual(frame([bytes]));
      }),
      { numRuns: 300 },
    );
  });

  test("cuts large events as small ones, wherever they were chopped", () => {
    const large = `event: x\r\ndata: ${"字".repeat(30_000)}`;
    for (const blank of ["\n\n", "\r\n\r\n", "\r\n\n"]) {
      const bytes = encoder.encode(`${large}${blank}data: 2\n\nrest`);
      const whole = frame([bytes]);
      const end = encoder.encode(large + blank).length;
      for (let at = end - 6; at <= end + 2; at++) {
        for (let next = at; next <= end + 2; next++) {
          const chunks = [bytes.slice(0, 80_000), bytes.slice(80_000, at), bytes.slice(at, next)];
          expect(frame([...chunks, bytes.slice(next)])).toEqual(whole);
        }
      }
    }
  });

  test.each(["\n\n", "\r\n\r\n", "\r\n\n"])(
    "gives a large event with the last byte of %p",
    (blank) => {
      const framer = new SseFramer();
      framer.push(encoder.encode(`data: ${"x".repeat(70_000)}`));
      const sizes = [...encoder.encode(`y${blank}`)].map(
        (byte) => framer.push(Uint8Array.of(byte)).length,
      );
      expect(sizes).toEqual([...Array(blank.length).fill(0), 1]);
      expect(framer.rest()).toBeUndefined();
    },
  );

  test("puts an event together once, in however many pieces it came", () => {
    const framer = new SseFramer();
    const piece = new Uint8Array(4_096).fill(120);
    framer.push(encoder.encode("data: "));
    // Put together anew with each of them, it would be a hundred gigabytes.
    for (let i = 0; i < 8_192; i++) expect(framer.push(piece)).toHaveLength(0);
    const [event] = framer.push(encoder.encode("\n\n"));
    expect(event).toHaveLength(6 + 8_192 * 4_096 + 2);
    expect(framer.rest()).toBeUndefined();
  });

  test("gives the unfinished rest once", () => {
    const framer = new SseFramer();
    framer.push(encoder.encode("data: 1\n\ndata: 2"));
    expect(decoder.decode(framer.rest())).toBe("data: 2");
    expect(framer.rest()).toBeUndefined();
  });

  test("keeps its rest although the network buffer is used again", () => {
    const framer = new SseFramer();
    const buffer = encoder.encode("data: abc");
    framer.push(buffer);
    buffer.fill(0);
    const [event] = framer.push(encoder.encode("\n\n"));
    expect(decoder.decode(event)).toBe("data: abc\n\n");
  });
});

/** What says nothing, each in a piece of its own kind. */
const SILENT = {
  "blank lines": "\n",
  "blank lines with CR": "\r\n",
  "lone CR": "\r",
  comments: ": still here\n",
  "comments with blank lines": ":\r\n\r\n",
  "a long comment": `: ${"x".repeat(70_000)}`,
  "events without data": "event: x\nid: 1\n\n",
  "empty data": "data: \n\n",
  "data of blanks": "data:  \t\n\n",
  "lines that are no fields": " \n",
  "an event without an end": "id: 1\n",
  "a line without an end": `id: ${"1".repeat(70_000)}`,
};
const KINDS = Object.keys(SILENT) as (keyof typeof SILENT)[];

/** As often as it takes to be so long. */
function repeated(piece: string, bytes: number): Uint8Array {
  return encoder.encode(piece.repeat(Math.ceil(bytes / piece.length)));
}

/** Chunks of one length. */
function chopped(bytes: Uint8Array, length: number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += length) chunks.push(bytes.slice(at, at + length));
  return chunks;
}

describe("what says nothing", () => {
  test.each(KINDS)("is refused where it is over the limit: %s", (kind) => {
    const bytes = repeated(SILENT[kind], SILENT_BYTES_MAX + 200_000);
    for (const length of [bytes.length, 30_001, 1_009]) {
      const framer = new SseFramer();
      const push = () => chopped(bytes, length).map((chunk) => framer.push(chunk));
      expect(push).toThrow(`the vendor has sent ${SILENT_BYTES_MAX} bytes without an event`);
    }
  });

  test.each(["{\n\n", "[]\n\n", "  {\n\n", "\uFEFF\n\n"])(
    "is a body in place of an event, of which few are taken: %j",
    (body) => {
      const framer = new SseFramer();
      const some = encoder.encode(body.repeat(1_000));
      for (let i = 0; i < 3; i++) {
        expect(framer.push(some)).toHaveLength(1_000);
        expect(framer.push(encoder.encode("data: 1\n\n"))).toHaveLength(1);
      }
      framer.push(some);
      expect(() => framer.push(some)).toThrow(`${SILENT_BYTES_MAX} bytes without an event`);
    },
  );

  test.each(KINDS)("is taken up to the limit between any two events: %s", (kind) => {
    const noise = repeated(SILENT[kind], SILENT_BYTES_MAX - 100_000);
    const framer = new SseFramer();
    for (let i = 0; i < 3; i++) {
      // A line that has no end yet ends here, and so does its event.
      const bytes = Buffer.concat([noise, encoder.encode("\n\ndata: 1\n\n")]);
      const events = chopped(bytes, 10_007).flatMap((chunk) => framer.push(chunk));
      expect(events.map((event) => decoder.decode(event))).toEqual(["data: 1\n\n"]);
    }
  });

  test.each(KINDS)("is not kept: %s", (kind) => {
    const framer = new SseFramer();
    for (const chunk of chopped(repeated(SILENT[kind], 500_000), 10_007)) {
      expect(framer.push(chunk)).toEqual([]);
      const rest = framer.rest();
      expect(rest?.length ?? 0).toBeLessThanOrEqual(4_096);
      framer.leave(rest ?? new Uint8Array(), 0);
    }
  });

  test("changes no event, however the stream was chopped", () => {
    const noise = fc.constantFrom(
      "\n",
      "\r\n",
      "\r",
      ": c\n",
      ":\r\n",
      "event: x\n\n",
      "data:\n\n",
    );
    const event = fc.constantFrom(
      "data: 1\n\n",
      "event: y\r\ndata: 2\r\n\r\n",
      "data:a\ndata: b\n\n",
    );
    const stream = fc.array(fc.tuple(fc.array(noise, { maxLength: 4 }), event), { maxLength: 6 });
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 12 }), (parts, places) => {
        const bytes = encoder.encode(parts.map(([before, e]) => before.join("") + e).join(""));
        const events = parts.map(([, e]) => e);
        expect(frame(cut(bytes, places)).events).toEqual(events);
        expect(frame(chopped(bytes, 1)).events).toEqual(events);
      }),
      { numRuns: 300 },
    );
  });

  test("counts anew behind each event, also where events are found in another way", () => {
    const framer = new SseFramer();
    const noise = repeated("\n", SILENT_BYTES_MAX);
    framer.push(noise);
    framer.heard();
    framer.push(noise);
    expect(() => framer.push(encoder.encode("\n"))).toThrow("without an event");
  });

  test("a large event with too many lines is refused", () => {
    const framer = new SseFramer();
    const chunk = encoder.encode("data: 1\n".repeat(10_000));
    const push = () => {
      for (let i = 0; i < 8; i++) framer.push(chunk);
    };
    expect(push).toThrow("an event has more than 65536 lines");
  });

  test("a body that is no event is left to its reader", () => {
    const [body] = frame([encoder.encode(' {"error":\n{}}\n\ndata: 1\n\n')]).events;
    expect(body).toBe(' {"error":\n{}}\n\n');
  });
});

describe("eventEnd", () => {
  test.each([
    ["data: 1\n\nx", 9],
    ["data: 1\r\n\r\nx", 11],
    ["data: 1\r\n\nx", 10],
    ["data: 1\n", -1],
    ["data: 1\n\r", -1],
    ["", -1],
  ])("of %p is %p", (text, end) => {
    expect(eventEnd(encoder.encode(text), 0)).toBe(end);
  });
});

describe("lastEventEnd", () => {
  test.each([
    ["data: 1\n\n", 9],
    ["data: 1\n\ndata: 2\n\nx", 18],
    ["data: 1\r\n\r\nx\ny\n", 11],
    ["data: 1\r\n\nx", 10],
    ["data: 1\n", -1],
    ["\n", -1],
    ["", -1],
  ])("of %p is %p", (text, end) => {
    expect(lastEventEnd(encoder.encode(text), false)).toBe(end);
  });

  test.each([
    ["\n", 1],
    ["\r\nx", 2],
    ["x\n", -1],
  ])("of %p behind a line is %p", (text, end) => {
    expect(lastEventEnd(encoder.encode(text), true)).toBe(end);
  });
});

describe("eventData", () => {
  test.each([
    ['data: {"a":1}\n\n', '{"a":1}'],
    ['data:{"a":1}\n\n', '{"a":1}'],
    ['data: {"a":1}\r\n\r\n', '{"a":1}'],
    ['event: x\ndata: {"a":1}\n\n', '{"a":1}'],
    ["data: one\ndata: two\n\n", "one\ntwo"],
    ["data: [DONE]", "[DONE]"],
    ["id: 1\ndata: x\nretry: 3\n\n", "x"],
    [": a comment\n\n", undefined],
    ["event: ping\n\n", undefined],
    ["\n\n", undefined],
    ["\ndata: x\n\n", "x"],
    ["\u{feff}data: x\n\n", "x"],
  ])("of %p is %p", (event, data) => {
    expect(eventData(encoder.encode(event))).toBe(data as string);
  });

  test("reads what writeEvent wrote, for any JSON", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.option(fc.constantFrom("a", "response.created")),
        (v, name) => {
          const text = JSON.stringify(v);
          expect(eventData(writeEvent(text, name ?? undefined))).toBe(text);
        },
      ),
    );
  });
});

describe("writeEvent", () => {
  test("is one piece with LF line ends", () => {
    expect(decoder.decode(writeEvent("{}", "x"))).toBe("event: x\ndata: {}\n\n");
    expect(decoder.decode(writeEvent("{}"))).toBe("data: {}\n\n");
  });

  test("says on one line what came on several", () => {
    const event = encoder.encode('data: {"a":\ndata:\ndata: [1,\r\ndata: 2]}\n\n');
    const data = eventData(event) as string;
    expect(decoder.decode(writeEvent(data))).toBe('data: {"a": [1, 2]}\n\n');
  });
});
