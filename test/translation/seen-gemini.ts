import type { JsonObject } from "../support/samples/wires.ts";
import { list, only, Reading, type Seen, sameIds, string, toolOf } from "./seen.ts";

const MEMBERS = [
  ...["contents", "systemInstruction", "tools", "toolConfig", "generationConfig"],
  ...["safetySettings", "cachedContent"],
];
const SETTINGS = [
  ...["maxOutputTokens", "temperature", "topP", "topK", "stopSequences", "responseMimeType"],
  ...["responseJsonSchema", "responseSchema", "thinkingConfig", "candidateCount", "seed"],
];

/** The documented word for a call that another model made. */
const NO_SIGNATURE = "skip_thought_signature_validator";

function readData(reading: Reading, inlineData: unknown): void {
  const { mimeType, data } = only(inlineData, "inlineData", ["mimeType", "data", "displayName"]);
  const type = string(mimeType, "mimeType");
  const url = `data:${type};base64,${string(data, "data")}`;
  if (type.startsWith("image/")) reading.images.push(url);
  else reading.files.push(url);
}

function readUserPart(reading: Reading, part: JsonObject): string[] {
  if (part.functionResponse) {
    const { id, response, parts } = only(part.functionResponse, "functionResponse", [
      ...["id", "name", "response", "parts"],
    ]);
    const { output, content, name: _ } = response as JsonObject;
    const inner = new Reading();
    for (const each of list(parts ?? [], "parts")) readData(inner, each.inlineData);
    const told = output ?? content;
    const text = typeof told === "string" ? told : JSON.stringify(told);
    reading.results.push({ id: string(id, "id"), text, images: inner.images });
    return [string(id, "id")];
  }
  if (part.inlineData) readData(reading, only(part, "data", ["inlineData"]).inlineData);
  else reading.asked.push(string(only(part, "a prompt", ["text"]).text, "a prompt"));
  return [];
}

function readModelPart(reading: Reading, part: JsonObject): string[] {
  only(part, "a part", ["text", "thought", "thoughtSignature", "functionCall"]);
  const { thoughtSignature: signature, functionCall, text } = part;
  if (signature !== undefined && signature !== NO_SIGNATURE) reading.states.push(signature);
  if (functionCall) {
    const { id, name, args } = only(functionCall, "functionCall", ["id", "name", "args"]);
    reading.calls.push({ id: string(id, "id"), name: string(name, "name"), arguments: args });
    return [string(id, "id")];
  }
  if (typeof text !== "string") throw new Error("a part says nothing");
  // Streamed answers come back in pieces.
  if (part.thought !== true && text !== "") reading.said.push(text);
  return [];
}

/** The results of all calls of a turn stand together in the turn behind it. */
function readContents(reading: Reading, contents: readonly JsonObject[]): void {
  let open: string[] = [];
  for (const content of contents) {
    only(content, "a content", ["role", "parts"]);
    const parts = list(content.parts, "parts");
    if (parts.length === 0) throw new Error("a content has no parts");
    if (content.role === "model") {
      sameIds([], open, "contents");
      open = parts.flatMap((part) => readModelPart(reading, part));
    } else if (content.role === "user" || content.role === undefined) {
      sameIds(
        open,
        parts.flatMap((part) => readUserPart(reading, part)),
        "contents",
      );
      open = [];
    } else throw new Error(`nobody is called ${content.role}`);
  }
}

function readTool(reading: Reading, tool: JsonObject): void {
  only(tool, "a tool", ["functionDeclarations", "googleSearch"]);
  if (tool.googleSearch) reading.searches = true;
  for (const declared of list(tool.functionDeclarations ?? [], "functionDeclarations")) {
    const names = ["name", "description", "parameters", "parametersJsonSchema"];
    const { name, description, parameters, parametersJsonSchema } = only(declared, "tool", names);
    const schema = parametersJsonSchema ?? parameters;
    reading.tools.push(toolOf({ name: string(name, "name"), description, schema }));
  }
}

const MODES: Readonly<Record<string, string>> = { ANY: "required", AUTO: "auto", NONE: "none" };

/** A request as a vendor of the Gemini wire understands it. */
export function seenByGemini(body: JsonObject): Seen {
  const reading = new Reading();
  only(body, "the request", MEMBERS);
  const system = only(body.systemInstruction ?? {}, "systemInstruction", ["parts", "role"]);
  for (const { text } of list(system.parts ?? [], "parts")) reading.system.push(String(text));
  readContents(reading, list(body.contents, "contents"));
  for (const tool of list(body.tools ?? [], "tools")) readTool(reading, tool);
  const config = only(body.toolConfig ?? {}, "toolConfig", ["functionCallingConfig"]);
  const { mode } = (config.functionCallingConfig ?? {}) as JsonObject;
  const settings = only(body.generationConfig ?? {}, "generationConfig", SETTINGS);
  const thinking = only(settings.thinkingConfig ?? {}, "thinkingConfig", [
    ...["thinkingLevel", "includeThoughts", "thinkingBudget"],
  ]);
  if (settings.responseMimeType === "application/json") {
    reading.schema = settings.responseJsonSchema ?? settings.responseSchema;
  }
  reading.choice = MODES[String(mode)];
  reading.effort = (thinking.thinkingLevel as string | undefined)?.toLowerCase();
  reading.maxOutput = settings.maxOutputTokens as number | undefined;
  reading.stop = (settings.stopSequences ?? []) as string[];
  return reading;
}
