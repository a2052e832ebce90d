import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { inputBound } from "./input-bound.ts";
import { measureInput } from "./input-measure.ts";

const valueTokens = (value: unknown, { names = false } = {}) => {
  const [conversation, tools] = names ? [undefined, value] : [value, undefined];
  return measureInput({ conversation, tools }).estimate;
};

describe("the estimate", () => {
  test("counts every text of a conversation, whatever the shape", () => {
    const text = "word ".repeat(80);
    const plain = valueTokens([{ role: "user", content: text }]);
    const parts = valueTokens([{ role: "user", content: [{ type: "input_text", text }] }]);
    expect(plain).toBeCloseTo(104);
    expect(parts).toBeCloseTo(plain);
    expect(valueTokens({ type: "function_call_output", output: text })).toBeCloseTo(100);
  });

  test("a picture counts as a picture, however many bytes it has", () => {
    const image = (url: unknown) => valueTokens([{ type: "input_image", image_url: url }]);
    const small = image("data:image/png;base64,AAAA");
    const large = image(`data:image/png;base64,${"A".repeat(4_000_000)}`);
    expect(small).toBeGreaterThan(500);
    expect(large).toBe(small);
    expect(image("https://example.com/a.png")).toBe(small);
    expect(image({ url: "https://example.com/a.png", detail: "high" })).toBe(small);
  });

  test("a file counts by its pages, far below its characters", () => {
    const data = `data:application/pdf;base64,${"A".repeat(400_000)}`;
    const tokens = valueTokens([{ type: "input_file", file_data: data }]);
    expect(tokens).toBeGreaterThan(5_000);
    expect(tokens).toBeLessThan(data.length / 10);
  });

  test("tools count with the names of their schema", () => {
    const tools = [{ type: "function", name: "f", parameters: { properties: { city: {} } } }];
    expect(valueTokens(tools, { names: true })).toBeGreaterThan(valueTokens(tools));
  });

  test("nothing is nothing, and odd values do no harm", () => {
    expect(valueTokens(undefined)).toBe(0);
    expect(valueTokens([])).toBe(0);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const tokens = valueTokens(value);
        expect(Number.isFinite(tokens)).toBe(true);
        expect(tokens).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test("text that only begins like a data address is still counted as text", () => {
    const text = `data:image/${"words of a long story ".repeat(20_000)}`;
    const tokens = valueTokens([{ role: "user", content: [{ type: "input_text", text }] }]);
    expect(tokens).toBeGreaterThan(50_000);
  });
});

test("how long numbers are does not matter beyond what any model reads, and up to there it does", () => {
  fc.assert(
    fc.property(fc.array(fc.double()), fc.nat(2_000), (numbers, context) => {
      const input = { conversation: undefined, tools: [{ enum: numbers }] };
      const model = { tokenFamily: "openai", context } as const;
      const bound = (enough: number) =>
        inputBound(measureInput(input, { vocabularies: ["o200k"], enough }), model);
      expect(bound(context)).toBe(bound(1_000_000));
    }),
  );
});

describe("what a text has more in JSON", () => {
  /** One character after another. */
  function counted(text: string): number {
    const more = (code: number) =>
      code === 10 ? 3 : code === 34 || code === 92 ? 1 : code < 32 ? 5 : 0;
    let sum = 0;
    for (let at = 0; at < text.length; at++) sum += more(text.charCodeAt(at));
    return sum;
  }
  const marksOf = (text: string) =>
    measureInput({ conversation: [{ arguments: text }], tools: undefined }).marks;
  const none = marksOf("");

  test("is counted wherever it stands, however long the text", () => {
    const unit = fc.constantFrom('"', "\\", "\n", "\t", "\u0000", "a", "é", "狐", " ".repeat(300));
    const texts = fc.array(unit, { maxLength: 60 }).map((units) => units.join(""));
    fc.assert(fc.property(texts, (text) => marksOf(text) - none === counted(text)));
  });

  test("does not matter where a text is longer than any model reads", () => {
    const text = 'word "word" \n'.repeat(20_000);
    const input = { conversation: [{ arguments: text }], tools: undefined };
    const limited = measureInput(input, { vocabularies: ["o200k"], enough: 1_000 });
    const model = { tokenFamily: "openai", context: 1_000 } as const;
    expect(inputBound(limited, model)).toBe(1_000);
    const whole = measureInput(input, { vocabularies: ["o200k"], enough: 1_000_000 });
    expect(inputBound(whole, model)).toBe(1_000);
  });
});
