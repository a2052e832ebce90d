import { describe, expect, test } from "bun:test";
import { readText, textOf } from "../../../../test/support/vendors/whole-answers.ts";
import { NO_USAGE } from "../../usage.ts";
import { readChatResult } from "./result.ts";

const TEXT =
  '{"id":"c1", "model":"vendor-x","odd":1.0,"choices":[{"message":{"content":"hey","tool_calls":' +
  '[{"function":{"name":"f","arguments":"{}"}}]}},{"message":{"content":"you"}}],' +
  '"usage":{"prompt_tokens":5,"completion_tokens":2}}';
const OPTIONS = { model: "ours-1.0", echo: { store: "true" } };

describe("readChatResult", () => {
  test("writes our model and the cost, the rest to the byte", () => {
    expect(
      readText(readChatResult, TEXT).write(OPTIONS, { cost: "0.5", usage: NO_USAGE, echo: {} }),
    ).toBe(
      TEXT.replace("vendor-x", "ours-1.0").replace('":2}', '":2,"cost":0.5,"cost_exact":"0.5"}'),
    );
  });

  test("reads id, usage and the text of every choice", () => {
    const result = readText(readChatResult, TEXT);
    expect(result.id).toBe("c1");
    expect(result.usage).toMatchObject({ fresh: 5, output: 2 });
    expect(result.outputTokens).toBe(9 / 4);
  });

  test("shows no cost where the key hides it", () => {
    const end = { cost: undefined, usage: NO_USAGE, echo: {} };
    expect(readText(readChatResult, TEXT).write(OPTIONS, end)).not.toContain("cost");
  });

  test("says what was priced where the vendor said nothing", () => {
    const usage = { ...NO_USAGE, fresh: 7, output: 3 };
    const empty = ["null", "{}", "{ \n }", "7", "[1]", '{"cost":3}'];
    const texts = empty.map((counts) => `{"choices":[],"usage":${counts}}`);
    for (const text of [...texts, '{"choices":[]}']) {
      const written = textOf(
        readText(readChatResult, text).write(OPTIONS, { cost: "1", usage, echo: {} }),
      );
      expect(JSON.parse(written).usage).toMatchObject({
        prompt_tokens: 7,
        completion_tokens: 3,
        total_tokens: 10,
        cost: 1,
        cost_exact: "1",
      });
    }
  });

  test.each([
    ['{"error":{"message":"m"}}', 503],
    ['{"error":"m"}', 503],
    ['{"object":"error","message":"m","code":400}', 400],
    ['{"choices":[{"message":{"content":""},"finish_reason":"error"}]}', 503],
  ])("%s with status 200 is a failure", (text, status) => {
    expect(readText(readChatResult, text).failure?.status).toBe(status);
  });

  test("keeps the vendor's own price from the client", () => {
    const text =
      '{"choices":[],"usage":{"prompt_tokens":1,"cost":0.7,"cost_exact":"0.7","cost_details":{"a":1}}}';
    const write = (cost: string | undefined) =>
      JSON.parse(
        textOf(readText(readChatResult, text).write(OPTIONS, { cost, usage: NO_USAGE, echo: {} })),
      ).usage;
    expect(write(undefined)).toEqual({ prompt_tokens: 1 });
    expect(write("0.5")).toEqual({ prompt_tokens: 1, cost: 0.5, cost_exact: "0.5" });
  });

  test("sources tell of a search", () => {
    const result = (annotations: string) =>
      readText(
        readChatResult,
        `{"choices":[{"message":{"content":"a","annotations":${annotations}}}],"usage":{"total_tokens":9}}`,
      );
    expect(result('[{"type":"url_citation"}]').usage?.webSearches).toBe(1);
    expect(result('[{"type":"url_citation"}]').webSearches).toBe(1);
    expect(result("[]").usage?.webSearches).toBe(0);
  });

  test.each(["", "[]", "{}", '{"choices":{}}', "not json"])("%p is not an answer", (text) => {
    expect(() => readText(readChatResult, text)).toThrow();
  });
});
