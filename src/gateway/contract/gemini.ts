import { type Operation, post, told } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { COST, count, FALLBACKS, GOOGLE, IDEMPOTENT, thing, things } from "./by-key.ts";

const content = z
  .looseObject({
    role: told(z.string(), "`user` or `model`.", "user").optional(),
    parts: told(z.array(z.looseObject({})), "Texts, data, function calls and their results.", [
      { text: "Say hello." },
    ]),
  })
  .meta({ id: "GeminiContent" });

const request = z
  .looseObject({
    contents: told(z.union([content, z.array(content)]), "The whole conversation.", [
      { role: "user", parts: [{ text: "Say hello." }] },
    ]),
    systemInstruction: content.describe("What holds for the whole conversation.").optional(),
    tools: things("Functions, as `functionDeclarations`, or `googleSearch`."),
    toolConfig: thing("Which function is to be called."),
    generationConfig: thing(
      "`maxOutputTokens`, on which what is held depends; `temperature`, `stopSequences`, `responseSchema`, " +
        "`thinkingConfig`, …",
    ),
    ...FALLBACKS,
  })
  .describe("Members may be written in snake case too.")
  .meta({ id: "GeminiRequest" });

const answer = z
  .looseObject({
    candidates: told(z.array(z.looseObject({})), "The answers.", [
      { index: 0, content: { role: "model", parts: [{ text: "Hello." }] }, finishReason: "STOP" },
    ]),
    usageMetadata: z.looseObject({
      promptTokenCount: count("Cached tokens included.", 11),
      totalTokenCount: count("All of them.", 13),
      ...COST,
    }),
    modelVersion: told(z.string(), "The model that answered.", "sandbox-1.0"),
    responseId: told(
      z.string(),
      "The id of the answer; it also finds the receipt.",
      "req_01jc8z4v",
    ),
  })
  .meta({ id: "GeminiAnswer" });

/** A piece of a stream: the counts come with the last. */
const chunk = answer.partial({ usageMetadata: true }).meta({ id: "GeminiChunk" });

const embedRequest = z.looseObject({
  content: content.describe("The texts of its parts are one text."),
  outputDimensionality: told(z.int().min(1), "The length of the vector.").optional(),
});

const embedding = z.looseObject({
  values: told(z.array(z.number()), "The vector.", [0.013, -0.021]),
});

const CONVERSATION = { contents: [{ role: "user", parts: [{ text: "Say hello." }] }] };
const TEXT = { content: { parts: [{ text: "A text." }] } };

/** What can be asked of a model below a version of Google's paths. */
export function geminiCalls(models: "/v1beta/models" | "/v1/models"): readonly Operation[] {
  const at = (method: string) => `${models}/:id:${method}`;
  return [
    post(at("generateContent"), "Answers a conversation.", {
      headers: IDEMPOTENT,
      body: request,
      example: CONVERSATION,
      answer,
      ...GOOGLE,
    }),
    post(at("streamGenerateContent"), "Answers a conversation as a stream.", {
      query: z.object({
        alt: told(z.string(), "`sse` for events; without it, one JSON array.").optional(),
      }),
      headers: IDEMPOTENT,
      body: request,
      example: CONVERSATION,
      answer: z.array(chunk),
      stream: "With `alt=sse`: pieces of the answer, the last one with the counts.",
      ...GOOGLE,
    }),
    post(at("countTokens"), "Estimates the input tokens of a request, free of charge.", {
      body: request.partial().loose(),
      example: CONVERSATION,
      answer: z.strictObject({ totalTokens: count("Estimated.", 11) }),
      ...GOOGLE,
    }),
    post(at("embedContent"), "Makes a vector of a content.", {
      headers: IDEMPOTENT,
      body: embedRequest.extend(FALLBACKS),
      example: TEXT,
      answer: z.looseObject({ embedding }),
      ...GOOGLE,
    }),
    post(at("batchEmbedContents"), "Makes vectors of several contents.", {
      headers: IDEMPOTENT,
      body: z.looseObject({ requests: z.array(embedRequest).min(1), ...FALLBACKS }),
      example: { requests: [TEXT] },
      answer: z.looseObject({ embeddings: z.array(embedding) }),
      ...GOOGLE,
    }),
  ];
}
