import { describe, expect, test } from "bun:test";
import { NO_USAGE } from "../usage.ts";
import { outputText, readResponseResult } from "./result.ts";

const TEXT =
  '{ "id":"resp_1","model":"vendor-x","status":"completed","store":false,"odd": 1.50,' +
  '"output":[{"type":"reasoning","summary":[{"text":"hm"}]},{"type":"message","content":[' +
  '{"type":"output_text","text":"he"},{"type":"refusal","refusal":"no"},{"type":"output_text","text":"y"}]},' +
  '{"type":"function_call","arguments":"{}"}],"usage":{"input_tokens":5,"output_tokens":2,"new":7} }';

describe("readResponseResult", () => {
  test("writes our model, the text in one piece, what we keep and the cost; the rest to the byte", () => {
    const result = readResponseResult(TEXT);
    const options = { model: "ours-1.0", echo: { store: "true" } };
    expect(result.write(options, { cost: "0.5", usage: NO_USAGE, echo: {} })).toBe(
      TEXT.replace("vendor-x", "ours-1.0")
        .replace('"store":false', '"store":true')
        .replace('"new":7', '"new":7,"cost":"0.5"')
        .replace("} }", '},"output_text":"hey" }'),
    );
  });

  test("reads id, usage and all text that was generated", () => {
    const result = readResponseResult(TEXT);
    expect(result.id).toBe("resp_1");
    expect(result.usage).toMatchObject({ fresh: 5, output: 2 });
    expect(result.outputTokens).toBe(9 / 4);
    expect(result.failure).toBeUndefined();
  });

  test("shows no cost where the key hides it", () => {
    const end = { cost: undefined, usage: NO_USAGE, echo: {} };
    expect(readResponseResult(TEXT).write({ model: "m", echo: {} }, end)).not.toContain("cost");
  });

  test("says what was priced where the vendor said nothing", () => {
    const usage = { ...NO_USAGE, fresh: 7, output: 3 };
    const bare = readResponseResult('{"output":[],"usage":null}');
    const written = bare.write({ model: "m", echo: {} }, { cost: "1", usage, echo: {} });
    expect(JSON.parse(written).usage).toMatchObject({
      input_tokens: 7,
      output_tokens: 3,
      total_tokens: 10,
      cost: "1",
    });
  });

  test("a failed response is a failure although its status was 200", () => {
    const text = '{"status":"failed","error":{"code":"server_error","message":"m"},"output":[]}';
    expect(readResponseResult(text).failure?.status).toBe(503);
    expect(readResponseResult('{"error":{"message":"m"}}').failure?.status).toBe(503);
  });

  test.each(["", "[]", "5", "{}", '{"output":null}', "<html>", '{"output":[}'])(
    "%p is not an answer",
    (text) => {
      expect(() => readResponseResult(text)).toThrow();
    },
  );
});

test("outputText is empty for whatever is no list of messages", () => {
  for (const output of [undefined, null, "x", [null], [{ type: "message" }], [{ content: [] }]]) {
    expect(outputText(output)).toBe("");
  }
});
