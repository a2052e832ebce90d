import { describe, expect, test } from "bun:test";
import { NO_USAGE } from "../usage.ts";
import { readChatResult } from "./result.ts";

const TEXT =
  '{"id":"c1", "model":"vendor-x","odd":1.0,"choices":[{"message":{"content":"hey","tool_calls":' +
  '[{"function":{"name":"f","arguments":"{}"}}]}},{"message":{"content":"you"}}],' +
  '"usage":{"prompt_tokens":5,"completion_tokens":2}}';
const OPTIONS = { model: "ours-1.0", echo: { store: "true" } };

describe("readChatResult", () => {
  test("writes our model and the cost, the rest to the byte", () => {
    expect(readChatResult(TEXT).write(OPTIONS, { cost: "0.5", usage: NO_USAGE, echo: {} })).toBe(
      TEXT.replace("vendor-x", "ours-1.0").replace('":2}', '":2,"cost":"0.5"}'),
    );
  });

  test("reads id, usage and the text of every choice", () => {
    const result = readChatResult(TEXT);
    expect(result.id).toBe("c1");
    expect(result.usage).toMatchObject({ fresh: 5, output: 2 });
    expect(result.outputTokens).toBe(9 / 4);
  });

  test("shows no cost where the key hides it", () => {
    const end = { cost: undefined, usage: NO_USAGE, echo: {} };
    expect(readChatResult(TEXT).write(OPTIONS, end)).not.toContain("cost");
  });

  test("says what was priced where the vendor said nothing", () => {
    const usage = { ...NO_USAGE, fresh: 7, output: 3 };
    for (const text of ['{"choices":[],"usage":null}', '{"choices":[]}']) {
      const written = readChatResult(text).write(OPTIONS, { cost: "1", usage, echo: {} });
      expect(JSON.parse(written).usage).toMatchObject({
        prompt_tokens: 7,
        completion_tokens: 3,
        total_tokens: 10,
        cost: "1",
      });
    }
  });

  test("an error body with status 200 is a failure", () => {
    expect(readChatResult('{"error":{"message":"m"}}').failure?.status).toBe(503);
  });

  test.each(["", "[]", "{}", '{"choices":{}}', "not json"])("%p is not an answer", (text) => {
    expect(() => readChatResult(text)).toThrow();
  });
});
