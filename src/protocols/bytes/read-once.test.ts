import { describe, expect, spyOn, test } from "bun:test";
import { readConfig } from "../../config/config.ts";
import type { Endpoint } from "../wire.ts";
import { openWires } from "../wires.ts";
import { ReadOnce } from "./read-once.ts";

const wires = openWires(readConfig({}).limits);

const EVENTS: Readonly<Record<Endpoint, string>> = {
  chat: '{"id":"c","choices":[{"index":0,"delta":{"content":"word"}}]}',
  responses: '{"type":"response.output_text.delta","output_index":0,"delta":"word"}',
  messages: '{"type":"content_block_delta","index":0,"delta":{"text":"word"}}',
  gemini: '{"candidates":[{"content":{"parts":[{"text":"word"}]}}]}',
};

describe("what is read once", () => {
  test("is another event's, not that of the one before", () => {
    const lengths = new ReadOnce((event) => event.length);
    const [one, two] = [Buffer.from("a"), Buffer.from("bb")];
    expect(lengths.first(one)).toBe(1);
    expect(lengths.again(two)).toBe(2);
    expect(lengths.again(one)).toBe(1);
  });

  test.each(Object.keys(EVENTS) as Endpoint[])("is every event of a %s answer", (endpoint) => {
    const track = wires[endpoint].openTrack();
    const parse = spyOn(JSON, "parse");
    try {
      for (let i = 0; i < 10; i++) {
        const event = Buffer.from(`data: ${EVENTS[endpoint]}\n\n`);
        expect(track.piecesOf(event)).toMatchObject([{ text: "word" }]);
        track.follow(event);
      }
      expect(parse.mock.calls).toHaveLength(10);
    } finally {
      parse.mockRestore();
    }
  });
});
