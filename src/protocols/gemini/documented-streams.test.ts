import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { given } from "../../../test/support/clients/given.ts";
import { count } from "../../../test/support/counts.ts";
import { readConfig } from "../../config/config.ts";
import type { CanonEvent } from "../canon.ts";
import { NO_USAGE } from "../usage.ts";
import { geminiWire } from "./wire.ts";

const wire = geminiWire(readConfig({}).limits);
const MODEL = "our-name-1.0";

function chunk(parts: object[] | undefined, candidate: object = {}, more: object = {}) {
  return {
    candidates: [
      { ...(parts ? { content: { parts, role: "model" } } : {}), index: 0, ...candidate },
    ],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 3, totalTokenCount: 12 },
    modelVersion: "gemini-3.5-flash",
    responseId: "resp-1",
    ...more,
  };
}

const STOP = { finishReason: "STOP" };
const call = (id: string, thoughtSignature?: string) => ({
  functionCall: { id, name: "look_up", args: { valley: "Inn – 漢" } },
  ...(thoughtSignature ? { thoughtSignature } : {}),
});

/** Streams written by hand from the vendor's documented shapes. */
const STREAMS: Record<string, unknown[]> = {
  text: [chunk([{ text: "Rivers " }]), chunk([{ text: 'bend. 漢字 🎉 "q" \\ \n\n' }], STOP)],
  "thoughts and a signature": [
    chunk([{ text: "**Plan**\n\nhm", thought: true }]),
    chunk([{ text: "So it is." }]),
    chunk([{ text: "", thoughtSignature: "c2lnbmF0dXJl" }], STOP),
  ],
  "parallel calls": [
    chunk([{ text: "hm", thought: true }]),
    chunk([call("a", "c2ln"), call("b")]),
    chunk([{ text: "" }], STOP),
  ],
  grounding: [
    chunk([{ text: "España ganó" }]),
    chunk([{ text: "." }], {
      ...STOP,
      groundingMetadata: {
        webSearchQueries: ["final"],
        groundingChunks: [{ web: { uri: "https://a.example", title: "A" } }],
        groundingSupports: [
          { segment: { startIndex: 8, endIndex: 13 }, groundingChunkIndices: [0] },
        ],
      },
    }),
  ],
  limit: [chunk([{ text: "Once upon" }], { finishReason: "MAX_TOKENS" })],
  filter: [chunk([{ text: "Some" }]), chunk(undefined, { finishReason: "SAFETY" })],
  "late usage": [chunk([{ text: "a" }], STOP), { usageMetadata: { promptTokenCount: 9 } }],
};

const LINE_ENDS = { LF: "\n", CRLF: "\r\n" };
const cases = Object.entries(STREAMS).flatMap(([name, chunks]) =>
  Object.entries(LINE_ENDS).map(([form, end]) => {
    const text = chunks.map((each) => `data: ${JSON.stringify(each)}${end}${end}`).join("");
    return [`${name} with ${form}`, Buffer.from(text)] as const;
  }),
);

const BODY = { contents: [{ parts: [{ text: "hi" }] }] };
const request = wire.readRequest(BODY, JSON.stringify(BODY), { model: MODEL, stream: true });

/** All that a client gets, and all that we learn, when the stream arrives in these pieces. */
function pass(pieces: readonly Uint8Array[]) {
  const stream = wire.openStream(request, { model: MODEL, echo: {} });
  const out: Uint8Array[] = [];
  for (const piece of pieces) out.push(given(stream.push(piece)));
  out.push(given(stream.close()));
  const before = Buffer.concat(out).toString();
  const end = given(stream.finish({ cost: "0.25", usage: NO_USAGE, echo: {} })).toString();
  const { usage, outputTokens, id, failure, ended, webSearches } = stream;
  return { before, end, usage, outputTokens, id, failure, ended, webSearches };
}

function read(pieces: readonly Uint8Array[]): CanonEvent[] {
  const reader = wire.openReader();
  return [...pieces.flatMap((piece) => [...reader.push(piece)]), ...reader.close()];
}

function play(pieces: readonly Uint8Array[]) {
  return { passed: pass(pieces), events: read(pieces) };
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const edges = [0, ...places.map((at) => at % (bytes.length + 1)), bytes.length];
  edges.sort((a, b) => a - b);
  return edges.slice(1).map((end, i) => bytes.slice(edges[i], end));
}

describe.each(cases)("the documented stream of %s", (_, bytes) => {
  const whole = play([bytes]);

  test("is the same wherever it is cut", () => {
    for (let at = 1; at < bytes.length; at += count(7, 1)) {
      const split = play([bytes.subarray(0, at), bytes.subarray(at)]);
      if (!Bun.deepEquals(split, whole)) expect({ at, ...split }).toEqual({ at, ...whole });
    }
    expect(play(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(whole);
  });

  test("is the same however it is chopped", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 40 }), (places) => {
        expect(play(cut(bytes, places))).toEqual(whole);
      }),
      { numRuns: count(10, 25) },
    );
  });

  test("has its usage, our model, and its end kept back", () => {
    const { before, end, usage, id, failure, ended } = whole.passed;
    expect([ended, failure, id]).toEqual([true, undefined, "resp-1"]);
    expect(usage?.fresh).toBe(9);
    expect(before + end).not.toContain("gemini-3.5-flash");
    expect(before).not.toContain("finishReason");
    expect(end.match(/"cost":0.25,"cost_exact":"0.25"/g)).toHaveLength(1);
  });

  test("has each item opened, filled and done before the next", () => {
    let open = false;
    for (const { type } of whole.events) {
      if (type === "item") {
        expect(open).toBe(false);
        open = true;
      } else if (type === "item_done") open = false;
      else if (["text", "summary", "arguments", "annotation"].includes(type))
        expect(open).toBe(true);
    }
    expect(open).toBe(false);
    expect(whole.events.at(-1)?.type).toBe("end");
  });

  test("without its last event is a failure, never an answer", () => {
    const from = bytes.toString().lastIndexOf('"finishReason"');
    const until = Buffer.byteLength(bytes.toString().slice(0, from));
    for (let at = 0; at < until; at += 7) {
      const stream = wire.openStream(request, { model: MODEL, echo: {} });
      stream.push(bytes.subarray(0, at));
      stream.close();
      expect([stream.ended, stream.failure?.status]).toEqual([false, 503]);
      expect(read([bytes.subarray(0, at)]).at(-1)?.type).toBe("failed");
    }
  });
});
