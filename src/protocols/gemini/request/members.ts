import { Shape } from "../../members/shape.ts";

/** The other spelling of a name, which the vendor takes too. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A shape whose names may be written in either spelling. */
function spelled(
  plain: readonly string[],
  nested: Readonly<Record<string, Shape | "same">> = {},
): Shape {
  const names = plain.flatMap((name) => [name, snakeCase(name)]);
  const entries = Object.entries(nested).flatMap(([name, inside]) => [
    [name, inside] as const,
    [snakeCase(name), inside] as const,
  ]);
  return new Shape(names, Object.fromEntries(entries));
}

/** What may go to a vendor that bills for it: what the wire describes and tokens pay for. */
export const GEMINI_PASSED: ReadonlySet<string> = new Set([
  ...["contents", "systemInstruction", "tools", "toolConfig", "safetySettings"],
  ...["generationConfig", "store", "model", "labels", "serviceTier", "generationOutputConfig"],
]);

/** The same of its settings. */
export const GEMINI_SETTINGS_PASSED: ReadonlySet<string> = new Set([
  ...["stopSequences", "responseMimeType", "responseSchema", "responseJsonSchema"],
  ...["responseModalities", "candidateCount", "maxOutputTokens", "temperature", "topP", "topK"],
  ...["seed", "presencePenalty", "frequencyPenalty", "responseLogprobs", "logprobs"],
  ...["thinkingConfig", "mediaResolution"],
]);

const BLOB = spelled(["mimeType", "data", "fileUri", "displayName"]);
const PART = spelled(["text", "thought", "thoughtSignature", "executableCode", "videoMetadata"], {
  inlineData: BLOB,
  fileData: BLOB,
  functionCall: spelled(["id", "name", "args"]),
  functionResponse: spelled(["id", "name", "response"], {
    parts: spelled([], { inlineData: BLOB, fileData: BLOB }),
  }),
});
const CONTENT = spelled(["role"], { parts: PART });
const FUNCTION = spelled([
  ...["name", "description", "parameters", "parametersJsonSchema", "response"],
]);
const TOOL = spelled(
  ["googleSearch", "googleSearchRetrieval", "codeExecution", "urlContext", "googleMaps"],
  { functionDeclarations: FUNCTION },
);
const CALLING = spelled(["mode", "allowedFunctionNames"]);
const SETTINGS = spelled([...GEMINI_SETTINGS_PASSED, "speechConfig", "imageConfig"], {
  thinkingConfig: spelled(["includeThoughts", "thinkingBudget", "thinkingLevel"]),
});

const REQUEST = spelled([...GEMINI_PASSED, "models", "cachedContent"], {
  contents: CONTENT,
  systemInstruction: CONTENT,
  tools: TOOL,
  toolConfig: spelled([], { functionCallingConfig: CALLING }),
  generationConfig: SETTINGS,
});

const EMBEDDED = spelled(["model", "outputDimensionality", "taskType", "title", "autoTruncate"], {
  content: CONTENT,
});

/** What is read of a request for embeddings, one or many. */
export const EMBED_MEMBERS = EMBEDDED.with(["models"], { requests: EMBEDDED });

/** What is read of a request, down to where its words are the client's own. */
export const GEMINI_MEMBERS = REQUEST.with([], {
  generateContentRequest: REQUEST,
  generate_content_request: REQUEST,
});
