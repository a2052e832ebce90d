import { expect, test } from "bun:test";
import { camelCased } from "./spelling.ts";

test("a body in one spelling is left alone, object and all", () => {
  const body = { contents: [{ parts: [{ text: "a_b" }] }], generationConfig: { topP: 1 } };
  expect(camelCased(body)).toBe(body);
});

test("members are spelled anew at every level of the wire", () => {
  const body = {
    system_instruction: { parts: [{ text: "s" }] },
    generation_config: { max_output_tokens: 5, thinking_config: { include_thoughts: true } },
    contents: [{ parts: [{ inline_data: { mime_type: "image/png", data: "AA==" } }] }],
    tool_config: { function_calling_config: { allowed_function_names: ["do_it"] } },
  };
  expect(camelCased(body)).toEqual({
    systemInstruction: { parts: [{ text: "s" }] },
    generationConfig: { maxOutputTokens: 5, thinkingConfig: { includeThoughts: true } },
    contents: [{ parts: [{ inlineData: { mimeType: "image/png", data: "AA==" } }] }],
    toolConfig: { functionCallingConfig: { allowedFunctionNames: ["do_it"] } },
  });
});

test("what belongs to the client keeps its spelling", () => {
  const own = { user_id: 1, nested: { is_new: true } };
  const body = {
    contents: [
      { parts: [{ function_call: { name: "do_it", args: own } }] },
      { parts: [{ function_response: { name: "do_it", response: own } }] },
    ],
    tools: [{ function_declarations: [{ name: "do_it", parameters_json_schema: own }] }],
  };
  expect(camelCased(body)).toEqual({
    contents: [
      { parts: [{ functionCall: { name: "do_it", args: own } }] },
      { parts: [{ functionResponse: { name: "do_it", response: own } }] },
    ],
    tools: [{ functionDeclarations: [{ name: "do_it", parametersJsonSchema: own }] }],
  });
});

test("a list of one may come without its brackets", () => {
  expect(camelCased({ contents: { parts: { text: "hi" } }, tools: { googleSearch: {} } })).toEqual({
    contents: [{ parts: [{ text: "hi" }] }],
    tools: [{ googleSearch: {} }],
  });
});

test("the same member in two spellings is refused", () => {
  const twice = { generationConfig: { maxOutputTokens: 1, max_output_tokens: 9 } };
  expect(() => camelCased(twice)).toThrow("must not be given together");
});

test("names that nobody has are read at once, however long", () => {
  const name = `a${"_".repeat(1_000_000)}!`;
  expect(camelCased({ [name]: 1, some_name: 2 })).toEqual({ [name]: 1, someName: 2 });
}, 10_000);
