import { describe, expect, test } from "bun:test";
import { handwrittenChat } from "../../../test/translation/handwritten-chat.ts";
import { handwrittenGemini } from "../../../test/translation/handwritten-gemini.ts";
import { handwrittenMessages } from "../../../test/translation/handwritten-messages.ts";
import { handwrittenResponses } from "../../../test/translation/handwritten-responses.ts";
import { PLAYS, WIRE_NAMES, type WireName } from "../../../test/translation/scenes.ts";
import type { VendorScript } from "../../../test/translation/vendor-script.ts";
import { compare, shapeOf } from "./shapes.ts";

const SCRIPTS: Readonly<Record<WireName, VendorScript>> = {
  responses: handwrittenResponses,
  chat: handwrittenChat,
  messages: handwrittenMessages,
  gemini: handwrittenGemini,
};
const ALIKE = { lacks: [], other: [], more: [] };

function compared(wire: WireName, call: "whole" | "stream" | "tool", answer: unknown) {
  return compare(answer, shapeOf(wire, call) ?? {});
}

function eventsOf(events: readonly string[]): unknown[] {
  return [...events.join("").matchAll(/^data: (\{.*\})\r?$/gm)].map(([, data = ""]) =>
    JSON.parse(data),
  );
}

describe.each(WIRE_NAMES)("the shapes of %s", (wire) => {
  const script = SCRIPTS[wire];

  test("are those of the documented answers", () => {
    expect(compared(wire, "whole", script.whole(PLAYS.text))).toEqual(ALIKE);
    expect(compared(wire, "tool", script.whole(PLAYS.tool))).toEqual(ALIKE);
    expect(compared(wire, "tool", script.whole(PLAYS["text-and-tool"]))).toEqual(ALIKE);
    expect(compared(wire, "stream", eventsOf(script.events(PLAYS.text)))).toEqual(ALIKE);
  });

  test("tell a text from a call of a tool", () => {
    expect(compared(wire, "tool", script.whole(PLAYS.text)).lacks).not.toEqual([]);
    const { lacks, other } = compared(wire, "whole", script.whole(PLAYS.tool));
    expect([...lacks, ...other]).not.toEqual([]);
  });

  test("tell a stream from its beginning", () => {
    const events = eventsOf(script.events(PLAYS.text));
    expect(compared(wire, "stream", events.slice(0, 1)).lacks).not.toEqual([]);
  });
});

describe("a comparison", () => {
  const whole = handwrittenChat.whole(PLAYS.text);

  test("names the outermost member that is lacking", () => {
    const { usage: _usage, ...rest } = whole;
    expect(compared("chat", "whole", rest)).toEqual({ ...ALIKE, lacks: ["usage"] });
    expect(compared("chat", "whole", { ...whole, usage: null })).toEqual({
      ...ALIKE,
      lacks: ["usage"],
    });
    expect(compared("chat", "whole", { ...whole, choices: [] }).lacks).toEqual(["choices[]"]);
  });

  test("names members of another type with that type, once each", () => {
    const wrong = { ...whole, created: "today", choices: "none" };
    expect(compared("chat", "whole", wrong).other.toSorted()).toEqual([
      "choices (string)",
      "created (string)",
    ]);
    expect(compared("chat", "whole", wrong).lacks).toEqual([]);
  });

  test("names members and events that nobody knows, and not what stands in them", () => {
    const more = { ...whole, bonus: { points: 3, of: { many: [1] } } };
    expect(compared("chat", "whole", more)).toEqual({ ...ALIKE, more: ["bonus"] });
    const events = eventsOf(handwrittenResponses.events(PLAYS.text));
    const extra = { type: "response.advert.delta", text: "Buy now." };
    expect(compared("responses", "stream", [...events, extra])).toEqual({
      ...ALIKE,
      more: ["[response.advert.delta]"],
    });
  });

  test.each([[null], ["text"], [3], [[]], [{}]])(
    "says something of %j, which is no answer",
    (answer) => {
      for (const wire of WIRE_NAMES) {
        const { lacks, other } = compared(wire, "whole", answer);
        expect(lacks.length + other.length).toBeGreaterThan(0);
      }
    },
  );
});
