import { describe, expect, test } from "bun:test";
import type { CallItem, Item, Part, ResultItem } from "../../canon.ts";
import { seal } from "../../envelope.ts";
import { sealPart, sealSignature } from "../signatures.ts";
import { writeContents } from "./write-contents.ts";

function says(role: "user" | "assistant" | "system", ...parts: (string | Part)[]): Item {
  const written = parts.map(
    (part): Part => (typeof part === "string" ? { type: "text", text: part } : part),
  );
  return { type: "message", role, parts: written };
}

function call(callId: string, name = "f", args = "{}"): CallItem {
  return { type: "call", callId, name, custom: false, arguments: args };
}

function result(callId: string, text: string, ...parts: Part[]): ResultItem {
  return { type: "result", callId, custom: false, parts: [{ type: "text", text }, ...parts] };
}

function thought(sealed: string | undefined, ...summary: string[]): Item {
  return { type: "reasoning", summary, ...(sealed === undefined ? {} : { sealed }) };
}

const PICTURE: Part = { type: "image", url: "data:image/png;base64,AA==" };
const INLINE = { inlineData: { mimeType: "image/png", data: "AA==" } };

function older(...items: Item[]) {
  return writeContents(items, false);
}

function newer(...items: Item[]) {
  return writeContents(items, true);
}

function partsOf(content: unknown): Record<string, unknown>[] {
  return (content as { parts: Record<string, unknown>[] }).parts;
}

test("turns of one side in a row are one turn", () => {
  const items = [
    says("user", "a"),
    says("system", "b"),
    says("assistant", "c", "d"),
    says("user", "e"),
  ];
  expect(older(...items).contents).toEqual([
    { role: "user", parts: [{ text: "a" }, { text: "b" }] },
    { role: "model", parts: [{ text: "c" }, { text: "d" }] },
    { role: "user", parts: [{ text: "e" }] },
  ]);
});

test("texts that are empty are left out, refusals are texts", () => {
  const items = [
    says("user", "a"),
    says("assistant", "", { type: "refusal", text: "no" }),
    says("user", "b"),
  ];
  expect(older(...items).contents[1]).toEqual({ role: "model", parts: [{ text: "no" }] });
});

test("an answer that was begun for the model is left out by name", () => {
  const { contents, dropped } = older(says("user", "a"), says("assistant", "Sure, "));
  expect([contents.length, dropped]).toEqual([1, ["assistant_prefill"]]);
  expect(() => older(says("assistant", "a"))).toThrow("no message to answer");
});

describe("data", () => {
  test("travels inside the body", () => {
    const pdf: Part = { type: "file", url: "data:application/pdf;base64,BB==" };
    const text: Part = { type: "file", url: "data:text/plain;charset=utf-8,gr%C3%BCn" };
    expect(partsOf(older(says("user", PICTURE, pdf, text)).contents[0])).toEqual([
      INLINE,
      { inlineData: { mimeType: "application/pdf", data: "BB==" } },
      { inlineData: { mimeType: "text/plain", data: Buffer.from("grün").toString("base64") } },
    ]);
  });

  test.each([
    ["https://example.com/a.png", "send the image as a 'data:' URL"],
    ["data:audio/wav;base64,AA==", "no price"],
    ["data:text/plain,%E0%A4%A", "not valid"],
  ])("at %s is refused with what to do instead", (url, words) => {
    expect(() => older(says("user", { type: "image", url }))).toThrow(words);
  });
});

describe("calls and results", () => {
  test("have their names, arguments and ids, the results of a turn in one", () => {
    const items = [
      says("user", "a"),
      call("1", "f", '{"x":1}'),
      call("2", "g", ""),
      result("1", "one"),
      { ...result("2", "two"), failed: true },
    ];
    expect(older(...items).contents.slice(1)).toEqual([
      {
        role: "model",
        parts: [
          { functionCall: { id: "1", name: "f", args: { x: 1 } } },
          { functionCall: { id: "2", name: "g", args: {} } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "1", name: "f", response: { output: "one" } } },
          { functionResponse: { id: "2", name: "g", response: { error: "two" } } },
        ],
      },
    ]);
  });

  test("of steps one behind the other stay apart", () => {
    const roles = older(
      says("user", "a"),
      call("1"),
      result("1", "x"),
      call("2"),
      result("2", "y"),
    );
    expect(roles.contents.map(({ role }) => role)).toEqual([
      "user",
      "model",
      "user",
      "model",
      "user",
    ]);
  });

  test("of an id that repeats have each its own", () => {
    const { contents } = older(
      says("user", "a"),
      call("call_0"),
      result("call_0", "A"),
      call("call_0"),
      result("call_0", "B"),
    );
    const output = (text: string) => ({ functionResponse: { response: { output: text } } });
    expect(partsOf(contents[2])).toMatchObject([output("A")]);
    expect(partsOf(contents[4])).toMatchObject([output("B")]);
  });

  test("that something came between are brought together", () => {
    const { contents } = older(call("1"), says("user", "wait"), result("1", "x"));
    expect(contents.map((content) => Object.keys(partsOf(content)[0] ?? {})[0])).toEqual([
      "functionCall",
      "functionResponse",
      "text",
    ]);
  });

  test("without the other half are told so", () => {
    const aborted = older(call("1"), says("user", "never mind"));
    expect(partsOf(aborted.contents[1])[0]).toMatchObject({
      functionResponse: { response: { error: "The call was aborted." } },
    });
    const { contents } = older(result("9", "late"));
    expect(contents).toEqual([
      { role: "user", parts: [{ text: "Result of the tool call 9:" }, { text: "late" }] },
    ]);
  });

  test("with pictures hold them where the model takes them", () => {
    const items = [call("1"), call("2"), result("1", "a", PICTURE), result("2", "b")];
    const strict = newer(...items).contents;
    expect(partsOf(strict[1])[0]).toMatchObject({ functionResponse: { parts: [INLINE] } });
    const { contents } = older(...items);
    expect(contents.map(({ role }) => role)).toEqual(["model", "user", "user"]);
    expect(partsOf(contents[1])).toHaveLength(2);
    expect(partsOf(contents[2])).toEqual([INLINE]);
  });

  test("of tools of free text and of groups look like any other", () => {
    const free: CallItem = { ...call("1", "patch", "*** Begin"), custom: true };
    const grouped: CallItem = { ...call("2", "read"), namespace: "files" };
    const { contents } = older(free, grouped, result("1", ""), result("2", ""));
    expect(partsOf(contents[0])).toMatchObject([
      { functionCall: { name: "patch", args: { input: "*** Begin" } } },
      { functionCall: { name: "files__read" } },
    ]);
    expect(partsOf(contents[1])[1]).toMatchObject({ functionResponse: { name: "files__read" } });
  });

  test("with arguments that are no object keep them as text", () => {
    const { contents } = older(call("1", "f", '{"cut'), result("1", ""));
    expect(partsOf(contents[0])[0]).toMatchObject({ functionCall: { args: { input: '{"cut' } } });
  });
});

describe("state", () => {
  const end = says("user", "go on");

  test("of this vendor goes back on the very part that it came on", () => {
    const { contents } = newer(
      thought(sealSignature("s1", { call: "1" }), "hm"),
      call("1"),
      call("2"),
      result("1", ""),
      result("2", ""),
      thought(sealSignature("s2", { text: true })),
      says("assistant", "so"),
      thought(sealPart({ text: "", thoughtSignature: "s3" })),
      end,
    );
    expect(partsOf(contents[0])).toMatchObject([
      { text: "hm", thought: true },
      { functionCall: { id: "1" }, thoughtSignature: "s1" },
      { functionCall: { id: "2" } },
    ]);
    expect(partsOf(contents[0])[0]).not.toHaveProperty("thoughtSignature");
    expect(partsOf(contents[0])[2]).not.toHaveProperty("thoughtSignature");
    expect(partsOf(contents[2])).toEqual([
      { text: "so", thoughtSignature: "s2" },
      { text: "", thoughtSignature: "s3" },
    ]);
  });

  test("of calls whose id repeats goes back on each its own, before it or behind", () => {
    const signed = (signature: string) => thought(sealSignature(signature, { call: "call_0" }));
    const step = () => [call("call_0"), result("call_0", "")];
    const { contents } = newer(signed("s1"), ...step(), signed("s2"), ...step());
    expect(partsOf(contents[0])[0]).toMatchObject({ thoughtSignature: "s1" });
    expect(partsOf(contents[2])[0]).toMatchObject({ thoughtSignature: "s2" });
    const late = newer(call("call_0"), signed("s"), result("call_0", ""));
    expect(partsOf(late.contents[0])[0]).toMatchObject({ thoughtSignature: "s" });
  });

  test("of a thought itself stays with the thought", () => {
    const { contents } = newer(thought(sealSignature("s", {}), "hm"), says("assistant", "a"), end);
    expect(partsOf(contents[0])).toEqual([
      { text: "hm", thought: true, thoughtSignature: "s" },
      { text: "a" },
    ]);
  });

  test("whose call has another id by now goes to the call behind it", () => {
    const items = [thought(sealSignature("s", { call: "gone" })), call("1"), result("1", "")];
    expect(partsOf(newer(...items).contents[0])[0]).toMatchObject({ thoughtSignature: "s" });
  });

  test("that lost its part does not wander into another turn", () => {
    const lone = thought(sealSignature("s", { text: true }));
    const { contents } = newer(
      says("user", "a"),
      lone,
      says("user", "b"),
      says("assistant", "c"),
      end,
    );
    expect(JSON.stringify(contents)).not.toContain("thoughtSignature");
  });

  test("of other vendors is left out by name, and the calls are marked for newer models", () => {
    const items = [thought(seal("messages", { signature: "x" }), "hm"), call("1"), call("2")];
    const all = [...items, result("1", ""), result("2", "")];
    const strict = newer(...all);
    expect(strict.dropped).toEqual(["reasoning"]);
    expect(partsOf(strict.contents[0])).toMatchObject([
      { functionCall: { id: "1" }, thoughtSignature: "skip_thought_signature_validator" },
      { functionCall: { id: "2" } },
    ]);
    expect(partsOf(strict.contents[0])[1]).not.toHaveProperty("thoughtSignature");
    expect(JSON.stringify(older(...all).contents)).not.toContain("thoughtSignature");
    expect(older(thought(undefined, "shown only"), end).dropped).toEqual(["reasoning"]);
    expect(older(thought(undefined), end).dropped).toEqual([]);
  });

  test("that only another wire knows is left out by its name", () => {
    const raw = { type: "computer_call", id: "cu_1" };
    expect(older(end, { type: "foreign", raw }).dropped).toEqual(["computer_call"]);
  });
});
