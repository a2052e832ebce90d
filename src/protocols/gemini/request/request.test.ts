import { describe, expect, test } from "bun:test";
import { readConfig } from "../../../config/config.ts";
import { Fault } from "../../../lib/faults.ts";
import { refuseTwins } from "../../members/twins.ts";
import { GEMINI_MEMBERS } from "./members.ts";
import { inputOfGemini, readGeminiRequest } from "./request.ts";

const { limits } = readConfig({});
const CONTENTS = [{ role: "user", parts: [{ text: "hi" }] }];
const PATH = { model: "gemini-2.5-pro", stream: true };

function read(body: unknown) {
  return readGeminiRequest(body, JSON.stringify(body), limits, PATH);
}

function withPart(part: unknown) {
  return { contents: [{ role: "user", parts: [part] }] };
}

function refusal(body: unknown): [string, string | null] {
  try {
    read(body);
  } catch (thrown) {
    if (thrown instanceof Fault) return [thrown.code, thrown.param];
    throw thrown;
  }
  throw new Error("the request was taken");
}

test("the path names the model and says whether to stream, whatever the body says", () => {
  const request = read({ model: "another", contents: CONTENTS, stream: false });
  expect([request.model, request.stream]).toEqual(["gemini-2.5-pro", true]);
  expect([request.choices, request.maxOutput, request.webSearch]).toEqual([1, undefined, false]);
  expect(() => readGeminiRequest({ contents: CONTENTS }, "{}", limits, undefined)).toThrow("model");
});

test("amounts that decide the price are read in both spellings", () => {
  const camel = { generationConfig: { maxOutputTokens: 9, candidateCount: 2 } };
  const snake = { generation_config: { max_output_tokens: 9, candidate_count: 2 } };
  for (const config of [camel, snake]) {
    const request = read({ contents: CONTENTS, tools: [{ googleSearch: {} }], ...config });
    expect([request.maxOutput, request.choices, request.webSearch]).toEqual([9, 2, true]);
    expect(JSON.parse(request.json.text).generationConfig).toEqual(camel.generationConfig);
  }
});

test("a body in the usual spelling keeps its very characters", () => {
  const text = '{ "contents":[{"parts":[{"text":"hi"}]}],"x":1.0 }';
  expect(readGeminiRequest(JSON.parse(text), text, limits, PATH).json.text).toBe(text);
});

test("a request that is only to be counted may stand inside another", () => {
  expect(read({ generateContentRequest: { contents: CONTENTS } }).body).toEqual({
    contents: CONTENTS,
  });
});

describe("a body is refused", () => {
  const image = { mimeType: "image/png", data: "AA==" };
  const config = (settings: object) => ({ contents: CONTENTS, generationConfig: settings });
  test.each<[string, unknown, [string, string | null]]>([
    ["as a list", [], ["invalid_type", "body"]],
    ["without contents", {}, ["missing_required_parameter", "contents"]],
    ["with none of them", { contents: [] }, ["empty_array", "contents"]],
    ["with text for them", { contents: "hi" }, ["invalid_type", "contents"]],
    [
      "with an unknown role",
      { contents: [{ role: "assistant", parts: [{ text: "" }] }] },
      ["invalid_value", "contents[0].role"],
    ],
    [
      "without parts",
      { contents: [{ role: "user" }] },
      ["missing_required_parameter", "contents[0].parts"],
    ],
    [
      "with no part",
      { contents: [{ role: "user", parts: [] }] },
      ["empty_array", "contents[0].parts"],
    ],
    [
      "with an empty part",
      withPart({}),
      ["missing_required_parameter", "contents[0].parts[0].text"],
    ],
    [
      "with a text that is none",
      withPart({ text: 1 }),
      ["invalid_type", "contents[0].parts[0].text"],
    ],
    [
      "with audio",
      withPart({ inlineData: { ...image, mimeType: "audio/wav" } }),
      ["unsupported_parameter", "contents[0].parts[0].inlineData"],
    ],
    [
      "with a film from a tool",
      withPart({
        functionResponse: {
          name: "f",
          parts: [{ inline_data: { mime_type: "video/mp4", data: "AA==" } }],
        },
      }),
      ["unsupported_parameter", "contents[0].parts[0].functionResponse.parts[0].inlineData"],
    ],
    [
      "with a film",
      withPart({
        fileData: { mimeType: "image/png", fileUri: "https://www.youtube.com/watch?v=1" },
      }),
      ["unsupported_parameter", "contents[0].parts[0].fileData.fileUri"],
    ],
    [
      "with a file of the vendor's account",
      withPart({
        fileData: {
          mimeType: "image/png",
          fileUri: "https://generativelanguage.googleapis.com/v1beta/files/abc",
        },
      }),
      ["unsupported_parameter", "contents[0].parts[0].fileData.fileUri"],
    ],
    [
      "with a call of nothing",
      withPart({ functionCall: { args: {} } }),
      ["missing_required_parameter", "contents[0].parts[0].functionCall.name"],
    ],
    [
      "with a cache of the vendor's account",
      { contents: CONTENTS, cachedContent: "cachedContents/1" },
      ["unsupported_parameter", "cachedContent"],
    ],
    [
      "with a tool without a name",
      { contents: CONTENTS, tools: [{ functionDeclarations: [{}] }] },
      ["missing_required_parameter", "tools[0].functionDeclarations[0].name"],
    ],
    [
      "with too much heat",
      config({ temperature: 2.1 }),
      ["decimal_above_max_value", "generationConfig.temperature"],
    ],
    [
      "with topP over one",
      config({ topP: 1.5 }),
      ["decimal_above_max_value", "generationConfig.topP"],
    ],
    [
      "for no tokens",
      config({ maxOutputTokens: 0 }),
      ["integer_below_min_value", "generationConfig.maxOutputTokens"],
    ],
    [
      "for too many answers",
      config({ candidateCount: 129 }),
      ["integer_above_max_value", "generationConfig.candidateCount"],
    ],
    [
      "for pictures",
      config({ responseModalities: ["TEXT", "IMAGE"] }),
      ["unsupported_parameter", "generationConfig.responseModalities"],
    ],
    [
      "with a stop that is no text",
      config({ stopSequences: ["a", 1] }),
      ["invalid_type", "generationConfig.stopSequences[1]"],
    ],
    [
      "with thoughts by a word",
      config({ thinkingConfig: { includeThoughts: "yes" } }),
      ["invalid_type", "generationConfig.thinkingConfig.includeThoughts"],
    ],
  ])("%s", (_, body, expected) => {
    expect(refusal(body)).toEqual(expected);
  });

  test("with a setting given twice, which two readers may take differently", () => {
    const text =
      '{"contents":[{"parts":[{"text":"hi"}]}],' +
      '"generationConfig":{"maxOutputTokens":1,"maxOutputTokens":100000}}';
    expect(() => refuseTwins(text, GEMINI_MEMBERS)).toThrow(
      "The parameter 'generationConfig.maxOutputTokens' is given twice.",
    );
  });
});

test("pictures, files and answers of tools are taken", () => {
  const data = "AA==";
  const parts = [
    { inlineData: { mimeType: "image/png", data } },
    { inlineData: { mimeType: "application/pdf", data } },
    { fileData: { mimeType: "image/png", fileUri: "https://example.com/a.png" } },
    {
      functionResponse: {
        name: "f",
        response: {},
        parts: [{ inlineData: { mimeType: "image/png", data } }],
      },
    },
  ];
  expect(read({ contents: [{ role: "function", parts }] }).body.contents).toHaveLength(1);
});

test("the estimate counts data by its kind and signatures not at all", () => {
  const data = "A".repeat(80_000);
  const { conversation, tools } = inputOfGemini(
    read({
      systemInstruction: { parts: [{ text: "be brief" }] },
      contents: [
        {
          role: "user",
          parts: [
            { inlineData: { mimeType: "image/png", data } },
            { inlineData: { mimeType: "application/pdf", data } },
            { text: "look", thoughtSignature: data },
          ],
        },
      ],
      tools: [{ functionDeclarations: [{ name: "f" }] }],
      generationConfig: { responseJsonSchema: { type: "object" } },
    }),
  );
  expect(conversation).toEqual([
    { role: undefined, parts: [[{ text: "be brief" }]] },
    {
      role: "user",
      parts: [[{}, { image_url: "" }], [{}, { file_data: data }], [{ text: "look" }]],
    },
  ]);
  expect(tools).toEqual([
    [{ functionDeclarations: [{ name: "f" }] }],
    undefined,
    { type: "object" },
  ]);
});

// One that compares each name with each does not come to an end in the time of a test.
test("very many functions to choose from are looked up among very many", () => {
  const many = 300_000;
  const functionDeclarations = Array.from({ length: many }, (_, i) => ({ name: `f${i}` }));
  const allowedFunctionNames = functionDeclarations.map(() => `f${many - 1}`);
  const functionCallingConfig = { mode: "ANY", allowedFunctionNames };
  const toolConfig = { functionCallingConfig };
  const tools = [{ functionDeclarations }];
  expect(read({ contents: CONTENTS, tools, toolConfig }).choices).toBe(1);
  allowedFunctionNames.push("g");
  expect(refusal({ contents: CONTENTS, tools, toolConfig })[1]).toBe(
    "toolConfig.functionCallingConfig.allowedFunctionNames",
  );
});
