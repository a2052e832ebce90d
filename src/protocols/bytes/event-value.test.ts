// What vendors write between the events of a stream that says nothing, and what is no event at all.
import { describe, expect, test } from "bun:test";
import { given } from "../../../test/support/clients/given.ts";
import { readConfig } from "../../config/config.ts";
import type { CanonEvent } from "../canon.ts";
import { NO_USAGE } from "../usage.ts";
import type { ClientRequest, Endpoint } from "../wire.ts";
import { openWires } from "../wires.ts";

const wires = openWires(readConfig({}).limits);
const OPTIONS = { model: "ours-1.0", echo: {} };
const ASKED = [{ role: "user", content: "x" }];
const BODIES: Readonly<Record<Endpoint, object>> = {
  chat: { model: "ours-1.0", stream: true, messages: ASKED },
  responses: { model: "ours-1.0", stream: true, input: "x" },
  messages: { model: "ours-1.0", stream: true, max_tokens: 100, messages: ASKED },
  gemini: { contents: [{ role: "user", parts: [{ text: "x" }] }] },
};
const MESSAGE = { type: "message", role: "assistant" } as const;
const ANSWER: readonly CanonEvent[] = [
  { type: "begin", id: "msg_1" },
  { type: "item", item: { ...MESSAGE, parts: [] } },
  { type: "text", delta: "Hello " },
  { type: "text", delta: "you" },
  { type: "item_done", item: { ...MESSAGE, parts: [{ type: "text", text: "Hello you" }] } },
  { type: "end", status: "completed", usage: { ...NO_USAGE, fresh: 5, output: 9 } },
];

function requestOf(endpoint: Endpoint): ClientRequest {
  const body = BODIES[endpoint];
  const path = { model: "ours-1.0", stream: true };
  return wires[endpoint].readRequest(body, JSON.stringify(body), path);
}

/** The events of an answer as a vendor of the wire writes them. */
function eventsOf(endpoint: Endpoint): string[] {
  const writer = wires[endpoint].openWriter(requestOf(endpoint), OPTIONS);
  const text = ANSWER.map((event) => writer.write(event)).join("");
  return text.split(/(?<=\n\n)/);
}

describe.each<Endpoint>(["chat", "responses", "messages", "gemini"])("a %s vendor", (endpoint) => {
  const wire = wires[endpoint];
  const plain = eventsOf(endpoint);

  const read = (text: string) => {
    const reader = wire.openReader();
    return [...reader.push(Buffer.from(text)), ...reader.close()];
  };
  const passed = (text: string) => {
    const stream = wire.openStream(requestOf(endpoint), OPTIONS);
    const out = [stream.push(Buffer.from(text)), stream.ended ? undefined : stream.close()];
    const { ended, failure, usage } = stream;
    return {
      out: Buffer.concat(out.map(given)).toString(),
      ended,
      failure,
      usage,
    };
  };

  test.each(["data: null\n\n", "event: ping\ndata: null\n\n", "data:\n\n", "data: \r\n\r\n"])(
    "that says nothing between its events, by %j, breaks nothing off",
    (nothing) => {
      const said = nothing + plain.join(nothing);
      expect(read(said)).toEqual(read(plain.join("")));
      expect(passed(said)).toEqual(passed(plain.join("")));
      expect(passed(said)).toMatchObject({ ended: true, failure: undefined });
      const track = wire.openTrack();
      expect(track.piecesOf(Buffer.from(nothing))).toEqual([]);
      track.follow(Buffer.from(nothing));
    },
  );

  test.each(["1", '"text"', "[]", "true"])("that sends %s has failed, and is told so", (data) => {
    const [first = ""] = plain;
    const said = `${first}data: ${data}\n\n`;
    const wrong = /must be an object/;
    expect(() => passed(said)).toThrow(wrong);
    const reading = () => {
      const failed = read(said).find((event) => event.type === "failed");
      throw failed?.fault.cause;
    };
    expect(reading).toThrow(wrong);
  });
});
