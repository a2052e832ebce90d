import { expect, test } from "bun:test";
import { UPSTREAM_OPTIONS } from "../../../../test/support/samples/upstream-options.ts";
import { readConfig } from "../../../config/config.ts";
import { seal } from "../../envelope.ts";
import { ANYTHING } from "../../unpriced.ts";
import type { UpstreamOptions } from "../../wire.ts";
import { sealSignature, signatureOf } from "../signatures.ts";
import { writeGeminiRequest } from "./pass-request.ts";
import { readGeminiRequest } from "./request.ts";

const { limits } = readConfig({});
const CONTENTS = [{ role: "user", parts: [{ text: "hi" }] }];
const OPTIONS: UpstreamOptions = {
  ...UPSTREAM_OPTIONS,
  model: "gemini-2.5-pro",
  maxOutput: 65_536,
  webSearch: true,
};

function pass(body: object, options: Partial<UpstreamOptions> = {}) {
  const text = JSON.stringify(body);
  const request = readGeminiRequest(body, text, limits, { model: "ours", stream: false });
  const written = writeGeminiRequest(request, { ...OPTIONS, ...options });
  const { text: sent, dropped } = written;
  expect(JSON.parse(JSON.stringify(written.value))).toEqual(JSON.parse(sent));
  return { text: sent, dropped, body: JSON.parse(sent) };
}

test("what is not ours to change passes with its very characters", () => {
  const body = {
    contents: CONTENTS,
    safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }],
    generationConfig: { temperature: 0.5, mediaResolution: "MEDIA_RESOLUTION_LOW" },
    somethingNew: { a: 1 },
  };
  const { text, dropped } = pass(body, { allows: ANYTHING });
  expect(text).toBe(JSON.stringify(body));
  expect(dropped).toEqual([]);
});

test("the model, labels and the tier are left out, and nothing is kept by the vendor", () => {
  const extra = { model: "models/x", labels: { a: "b" }, serviceTier: "flex", store: true };
  const { body, dropped } = pass({ contents: CONTENTS, ...extra });
  expect(body).toEqual({ contents: CONTENTS, store: false });
  expect(dropped).toEqual(["serviceTier"]);
  expect(pass({ contents: CONTENTS, serviceTier: "standard" }).dropped).toEqual([]);
});

test("tools that nothing prices are left out by name, each member by itself", () => {
  const tools = [
    { functionDeclarations: [{ name: "f" }], codeExecution: {} },
    { googleSearch: {} },
    { urlContext: {} },
  ];
  const toolConfig = { functionCallingConfig: { mode: "AUTO" } };
  const kept = pass({ contents: CONTENTS, tools, toolConfig });
  expect(kept.body.tools).toEqual([
    { functionDeclarations: [{ name: "f" }] },
    { googleSearch: {} },
  ]);
  expect(kept.body.toolConfig).toEqual(toolConfig);
  expect(kept.dropped).toEqual(["tools[0].codeExecution", "tools[2].urlContext"]);
  const none = pass(
    { contents: CONTENTS, tools: tools.slice(1), toolConfig },
    { webSearch: false },
  );
  expect(none.body).toEqual({ contents: CONTENTS });
  expect(none.dropped).toEqual(["tools[0].googleSearch", "tools[1].urlContext"]);
});

test("settings that would have another model answer are left out by name", () => {
  const generationConfig = { temperature: 1, routingConfig: { manualMode: {} } };
  const { body, dropped } = pass({ contents: CONTENTS, generationConfig });
  expect(body.generationConfig).toEqual({ temperature: 1 });
  expect(dropped).toEqual(["generationConfig.routingConfig"]);
});

test("the hold caps the output, and only ever downward", () => {
  const clamped = (generationConfig: object | undefined) =>
    pass(
      { contents: CONTENTS, ...(generationConfig ? { generationConfig } : {}) },
      { outputClamp: 50 },
    ).body.generationConfig;
  expect(clamped(undefined)).toEqual({ maxOutputTokens: 50 });
  expect(clamped({ topK: 3, maxOutputTokens: 80 })).toEqual({ topK: 3, maxOutputTokens: 50 });
  expect(clamped({ maxOutputTokens: 20 })).toEqual({ maxOutputTokens: 20 });
});

test("the state of other vendors does not reach this one, its own does", () => {
  const foreign = signatureOf(seal("messages", { signature: "s" }));
  const call = { functionCall: { name: "f", args: {} } };
  const contents = [
    {
      role: "model",
      parts: [
        { text: "hm", thought: true, thoughtSignature: foreign },
        { ...call, thoughtSignature: foreign },
        { text: "a", thoughtSignature: signatureOf(sealSignature("own", {})) },
        { text: "b", thoughtSignature: "bmF0aXZl" },
      ],
    },
    { role: "model", parts: [{ text: "", thoughtSignature: foreign }] },
    ...CONTENTS,
  ];
  const texts = [
    { text: "a", thoughtSignature: "own" },
    { text: "b", thoughtSignature: "bmF0aXZl" },
  ];
  const older = pass({ contents });
  expect(older.body.contents).toEqual([{ role: "model", parts: [call, ...texts] }, ...CONTENTS]);
  expect(older.dropped).toEqual(["reasoning"]);
  const newer = pass({ contents }, { rules: ["thinking_level"] });
  expect(newer.body.contents[0].parts[0]).toEqual({
    ...call,
    thoughtSignature: "skip_thought_signature_validator",
  });
});

test("nothing is named where this vendor gets its own state back", () => {
  const carried = { text: "a", thoughtSignature: signatureOf(sealSignature("own", {})) };
  const { body, dropped } = pass({ contents: [{ role: "model", parts: [carried] }, ...CONTENTS] });
  expect(body.contents[0].parts).toEqual([{ text: "a", thoughtSignature: "own" }]);
  expect(dropped).toEqual([]);
});
