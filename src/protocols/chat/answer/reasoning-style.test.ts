import { describe, expect, test } from "bun:test";
import { given } from "../../../../test/support/clients/given.ts";
import { readConfig } from "../../../config/config.ts";
import { JsonText } from "../../bytes/splice.ts";
import { seal } from "../../envelope.ts";
import { NO_USAGE } from "../../usage.ts";
import { chatWire } from "../wire.ts";
import { inReasoningStyle } from "./reasoning-style.ts";

const DETAIL = { type: "reasoning.text", text: "hm", format: "unknown", index: 0 };
const STATE = { type: "reasoning.encrypted", data: "x" };
const SAID = { role: "assistant", content: "so" };

describe("thoughts under the name that a client reads", () => {
  test.each([
    ["one name", { reasoning: "hm" }, { reasoning_content: "hm" }],
    ["the right one", { reasoning_content: "hm" }, { reasoning_content: "hm" }],
    [
      "both",
      { reasoning_content: "hm", reasoning: "hm" },
      { reasoning_content: "hm", reasoning: "hm" },
    ],
    [
      "one name and its state",
      { reasoning: "hm", reasoning_details: [STATE] },
      { reasoning_content: "hm", reasoning_details: [STATE] },
    ],
    ["none", {}, {}],
  ])("below /v1, from a vendor with %s", (_name, told, own) => {
    expect(inReasoningStyle({ ...SAID, ...told }, "reasoning_content")).toEqual({
      ...SAID,
      ...own,
    });
  });

  test.each([
    ["one name", { reasoning: "hm" }, { reasoning: "hm", reasoning_details: [DETAIL] }],
    ["the other", { reasoning_content: "hm" }, { reasoning: "hm", reasoning_details: [DETAIL] }],
    [
      "the other and its state",
      { reasoning_content: "hm", reasoning_details: [STATE] },
      { reasoning: "hm", reasoning_details: [DETAIL, STATE] },
    ],
    [
      "its own details",
      { reasoning: "hm", reasoning_details: [{ ...DETAIL, signature: "s" }] },
      { reasoning: "hm", reasoning_details: [{ ...DETAIL, signature: "s" }] },
    ],
    ["none", {}, {}],
  ])("at OpenRouter's address, from a vendor with %s", (_name, told, own) => {
    expect(inReasoningStyle({ ...SAID, ...told }, "reasoning")).toEqual({ ...SAID, ...own });
  });

  test("are not shown to a client that does not want them; their state stays", () => {
    const told = { ...SAID, reasoning: "hm", reasoning_details: [DETAIL, STATE] };
    expect(inReasoningStyle(told, "hidden")).toEqual({ ...SAID, reasoning_details: [STATE] });
    expect(inReasoningStyle({ ...SAID, reasoning_content: "hm" }, "hidden")).toEqual(SAID);
  });
});

const { limits } = readConfig({});
const OPTIONS = { model: "ours", echo: {} };
const END = { cost: undefined, usage: NO_USAGE, echo: {} };
const BASE = { model: "m", messages: [{ role: "user", content: "hi" }], stream: true };

/** What a client gets of a stream with these deltas. */
function streamed(deltas: readonly object[], more: object = {}, style?: "reasoning") {
  const wire = chatWire(limits, style);
  const text = JSON.stringify({ ...BASE, ...more });
  const stream = wire.openStream(wire.readRequest(JSON.parse(text), text), OPTIONS);
  const events = [...deltas.map((delta) => ({ delta })), { delta: {}, finish_reason: "stop" }];
  const sent = events.map((choice) => {
    const chunk = {
      id: "c",
      object: "chat.completion.chunk",
      model: "v",
      choices: [{ index: 0, ...choice }],
    };
    return stream.push(Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`));
  });
  const all = Buffer.concat(
    [...sent, stream.finish(END)].flatMap((each) => (each ? [given(each)] : [])),
  );
  const frames = all
    .toString()
    .split("\n\n")
    .filter((each) => each.startsWith("data: {"));
  return {
    tokens: stream.outputTokens,
    deltas: frames.map((frame) => JSON.parse(frame.slice(6)).choices[0].delta as object),
  };
}

describe("a stream of a vendor of the same wire", () => {
  const thoughts = ["I think ", "it is ", "three ", "or four ", "or five ", "or six."];
  const vendors = {
    reasoning: thoughts.map((text) => ({ reasoning: text })),
    content: [{ content: "3" }],
  };

  test("is told in the client's word, however many thoughts come", () => {
    const { deltas, tokens } = streamed([...vendors.reasoning, ...vendors.content]);
    expect(deltas.slice(0, -2)).toEqual(thoughts.map((text) => ({ reasoning_content: text })));
    expect(deltas.at(-2)).toEqual({ content: "3" });
    const plain = streamed([
      ...thoughts.map((text) => ({ reasoning_content: text })),
      ...vendors.content,
    ]);
    expect([deltas, tokens]).toEqual([plain.deltas, plain.tokens]);
  });

  test("is told in OpenRouter's words at its address", () => {
    const told = streamed([{ reasoning_content: "hm" }, { content: "3" }], {}, "reasoning");
    expect(told.deltas[0]).toEqual({ reasoning: "hm", reasoning_details: [DETAIL] });
  });

  test.each([[{ include_reasoning: false }], [{ reasoning: { exclude: true } }]])(
    "keeps to itself what nobody wants to see, and counts it: %p",
    (more) => {
      const told = [{ reasoning_content: "hm, hm, hm" }, { content: "3" }];
      const hidden = streamed(told, more);
      expect(JSON.stringify(hidden.deltas)).not.toContain("hm");
      expect(hidden.deltas).toContainEqual({ content: "3" });
      expect(hidden.tokens).toBe(streamed(told).tokens);
    },
  );
});

test("a whole answer is told so too, whoever wrote it", () => {
  const body = { ...BASE, stream: false, reasoning: { exclude: true } };
  const text = JSON.stringify(body);
  const answer = JSON.stringify({
    model: "v",
    choices: [{ message: { ...SAID, reasoning: "hm" } }],
  });
  const readAs = (style: "reasoning" | undefined, isHidden: boolean) => {
    const wire = chatWire(limits, style);
    const request = isHidden ? wire.readRequest(body, text) : undefined;
    const result = wire.readResult(JSON.parse(answer), new JsonText(answer), request);
    return JSON.parse(String(result.write(OPTIONS, END))).choices[0].message as object;
  };
  expect(readAs(undefined, false)).toEqual({ ...SAID, reasoning_content: "hm" });
  expect(readAs("reasoning", false)).toMatchObject({
    reasoning: "hm",
    reasoning_details: [DETAIL],
  });
  expect(readAs("reasoning", true)).toEqual(SAID);
  const wire = chatWire(limits);
  const thought = {
    type: "reasoning",
    summary: ["hm"],
    sealed: seal("messages", { signature: "s" }),
  } as const;
  const made = { id: undefined, items: [thought], usage: undefined, status: "completed" } as const;
  const written = wire.writeAnswer(made, wire.readRequest(body, text), OPTIONS);
  expect(JSON.stringify(written)).not.toContain("hm");
  expect(JSON.stringify(written)).toContain("reasoning.encrypted");
});
