import type { Limits } from "../../../config/config.ts";
import { JsonText, Unwritten } from "../../bytes/splice.ts";
import {
  checkNamed,
  checkWord,
  eachObject,
  emptyArray,
  isObject,
  type JsonObject,
  missing,
  noTool,
  noTools,
  optionalArray,
  optionalObject,
  optionalString,
  requiredList,
  unsupported,
  wrongType,
} from "../../fields.ts";
import { objectsOf, textOf } from "../../optional.ts";
import { refuseUnoffered } from "../../unoffered-fields.ts";
import type { ClientRequest, CountedInput, RequestPath } from "../../wire.ts";
import { camelCased } from "../spelling.ts";
import { readGenerationConfig } from "./generation-config.ts";

const ROLES = ["user", "model", "function"];

function checkMediaType(mimeType: unknown, path: string): void {
  if (typeof mimeType !== "string" || mimeType === "") throw missing(`${path}.mimeType`);
  if (/^(?:audio|video)\//i.test(mimeType)) {
    throw unsupported(path, "Audio and video have no price here; send text, images or documents.");
  }
}

/** Addresses of films, whose length nobody here can tell, and of files in a vendor's account. */
const CLOSED_HOSTS = ["youtube.com", "youtu.be", "generativelanguage.googleapis.com"];

function isOpenAddress(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, hostname } = new URL(uri);
  if (protocol !== "https:" && protocol !== "http:") return false;
  return !CLOSED_HOSTS.some((host) => hostname === host || hostname.endsWith(`.${host}`));
}

function checkFile(file: JsonObject, path: string): void {
  const uri = file.fileUri;
  if (typeof uri !== "string" || uri === "") throw missing(`${path}.fileUri`);
  if (!isOpenAddress(uri)) {
    throw unsupported(
      `${path}.fileUri`,
      "Files of a vendor's account and films cannot be used here; send 'inlineData' instead.",
    );
  }
  checkMediaType(file.mimeType, path);
}

/** What a part has instead of a text. */
const HOLDERS = ["inlineData", "fileData", "functionCall", "functionResponse"];

function checkPart(part: unknown, path: string): void {
  if (!isObject(part)) throw wrongType(path, "an object", part);
  if (Object.keys(part).length === 0) throw missing(`${path}.text`);
  optionalString(part, "text", path);
  optionalString(part, "thoughtSignature", path);
  for (const name of HOLDERS) {
    const inner = optionalObject(part, name, path);
    if (!inner) continue;
    const place = `${path}.${name}`;
    optionalObject(inner, "args", place);
    optionalObject(inner, "response", place);
    if (name === "fileData") checkFile(inner, place);
    else if (name !== "inlineData") checkNamed(inner, place);
    else {
      checkMediaType(inner.mimeType, place);
      if (typeof inner.data !== "string") throw missing(`${place}.data`);
    }
    // What a tool returned may hold pictures of its own.
    if (name === "functionResponse" && Array.isArray(inner.parts)) {
      checkParts(inner.parts, `${place}.parts`);
    }
  }
}

function checkParts(parts: unknown, path: string): void {
  if (parts === undefined || parts === null) throw missing(path);
  if (!Array.isArray(parts)) throw wrongType(path, "an array of parts", parts);
  if (parts.length === 0) throw emptyArray(path);
  for (let i = 0; i < parts.length; i++) checkPart(parts[i], `${path}[${i}]`);
}

function checkContent(content: JsonObject, path: string): void {
  const role = optionalString(content, "role", path);
  if (role && !ROLES.includes(role)) checkWord(role, ROLES, `${path}.role`);
  checkParts(content.parts, `${path}.parts`);
}

function checkContents(body: JsonObject): void {
  eachObject(requiredList(body, "contents"), "contents", checkContent);
  const system = optionalObject(body, "systemInstruction");
  if (system) checkParts(system.parts, "systemInstruction.parts");
}

function checkDeclaration(declaration: JsonObject, path: string): void {
  checkNamed(declaration, path);
  optionalString(declaration, "description", path);
  optionalObject(declaration, "parameters", path);
}

function checkTool(tool: JsonObject, path: string): void {
  const declared = optionalArray(tool, "functionDeclarations", path);
  if (declared) eachObject(declared, `${path}.functionDeclarations`, checkDeclaration);
}

const MODES = ["MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED"];

/** The names of all functions that are declared. */
function functionNames({ tools }: JsonObject): ReadonlySet<unknown> {
  const declared = objectsOf(tools).flatMap((tool) => objectsOf(tool.functionDeclarations));
  return new Set(declared.map(({ name }) => name));
}

/** What must be called must be there to be called. */
function checkCalling(body: JsonObject): void {
  const config = optionalObject(body, "toolConfig");
  const calling = config && optionalObject(config, "functionCallingConfig", "toolConfig");
  if (!calling) return;
  const path = "toolConfig.functionCallingConfig";
  const mode = optionalString(calling, "mode", path)?.toUpperCase();
  if (mode !== undefined) checkWord(mode, MODES, `${path}.mode`);
  const allowed = optionalArray(calling, "allowedFunctionNames", path) ?? [];
  if (mode !== "ANY") return;
  const names = functionNames(body);
  if (names.size === 0) throw noTools("ANY", "tools", `${path}.mode`);
  const absent = allowed.find((name) => !names.has(name));
  if (absent !== undefined) throw noTool(absent, "tools", `${path}.allowedFunctionNames`);
}

function checkSettings(body: JsonObject): void {
  eachObject(optionalArray(body, "safetySettings"), "safetySettings", () => {});
  optionalObject(body, "labels");
}

function mayCallWebSearch(body: JsonObject): boolean {
  return objectsOf(body.tools).some(({ googleSearch }) => isObject(googleSearch));
}

export function readGeminiRequest(
  value: unknown,
  text: string,
  limits: Limits,
  path: RequestPath | undefined,
): ClientRequest {
  if (!isObject(value)) throw wrongType("body", "an object", value);
  if (!path) throw missing("model");
  const given = camelCased(value);
  // Clients that only count tokens may send the request inside another.
  const wrapped = given.generateContentRequest;
  const body = isObject(wrapped) && given.contents === undefined ? wrapped : given;
  const json = new JsonText(body === value ? text : new Unwritten(body));
  checkContents(body);
  refuseUnoffered("gemini", body);
  eachObject(optionalArray(body, "tools"), "tools", checkTool);
  checkCalling(body);
  checkSettings(body);
  const { maxOutput, choices } = readGenerationConfig(body, limits);
  const { model, stream } = path;
  return { model, stream, maxOutput, choices, webSearch: mayCallWebSearch(body), body, json };
}

function isImage({ mimeType }: JsonObject): boolean {
  return /^image\//i.test(String(mimeType));
}

/** A part as the estimate of its tokens reads it: pictures and files by kind, signatures not at all. */
function countedPart(part: unknown): unknown {
  if (!isObject(part)) return part;
  const { inlineData, fileData, functionResponse, thoughtSignature: _, ...rest } = part;
  const counted: unknown[] = [rest];
  if (isObject(inlineData)) {
    counted.push(isImage(inlineData) ? { image_url: "" } : { file_data: inlineData.data });
  }
  if (isObject(fileData)) {
    const uri = fileData.fileUri;
    counted.push(isImage(fileData) ? { image_url: uri } : { file_url: uri });
  }
  if (isObject(functionResponse)) {
    const { parts, ...response } = functionResponse;
    counted.push(response, Array.isArray(parts) ? parts.map(countedPart) : []);
  }
  return counted;
}

function countedContent(content: unknown): unknown {
  if (!isObject(content) || !Array.isArray(content.parts)) return content;
  return { role: content.role, parts: content.parts.map(countedPart) };
}

/** Signatures hold thoughts of earlier turns, which the vendor may read again. */
function signatureChars(contents: readonly unknown[]): number {
  let chars = 0;
  for (const content of contents) {
    if (!isObject(content) || !Array.isArray(content.parts)) continue;
    for (const part of content.parts) {
      if (isObject(part)) chars += textOf(part.thoughtSignature).length;
    }
  }
  return chars;
}

/** The parts of the body that the vendor will count as input. */
export function inputOfGemini({ body }: ClientRequest): CountedInput {
  const contents = Array.isArray(body.contents) ? body.contents : [];
  const config = isObject(body.generationConfig) ? body.generationConfig : {};
  return {
    conversation: [body.systemInstruction, ...contents].map(countedContent),
    tools: [body.tools, config.responseSchema, config.responseJsonSchema],
    sealedChars: signatureChars(contents),
  };
}
