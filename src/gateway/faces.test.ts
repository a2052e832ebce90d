import { expect, test } from "bun:test";
import { faceAt } from "./faces.ts";

const GATE = "http://gate.test";
const ANTHROPIC = { "anthropic-version": "2023-06-01" };
const GOOGLE = { "x-goog-api-key": "k" };
const BEARER = { authorization: "Bearer k" };

test.each([
  ["GET", "/v1/models", {}, "openai"],
  ["GET", "/v1/models", BEARER, "openai"],
  ["GET", "/v1/models", { "x-api-key": "k" }, "openai"],
  ["GET", "/v1/models", ANTHROPIC, "messages"],
  ["GET", "/v1/models?limit=1", { ...ANTHROPIC, ...BEARER }, "messages"],
  ["GET", "/v1/models", GOOGLE, "gemini"],
  ["GET", "/v1/models?pageSize=1&key=k", {}, "gemini"],
  ["GET", "/v1/models?key=k", BEARER, "openai"],
  ["GET", "/v1/models?monkey=k", {}, "openai"],
  ["GET", "/v1/models#?key=k", {}, "openai"],
  ["GET", "/v1/models/llama3:8b", BEARER, "openai"],
  ["POST", "/v1/models/llama3:8b:generateContent", BEARER, "gemini"],
  ["POST", "/v1/models/m%3AgenerateContent", BEARER, "gemini"],
  ["POST", "/v1/models/m", BEARER, "openai"],
  ["GET", "/v1beta/models", ANTHROPIC, "gemini"],
  ["GET", "/v1beta", {}, "gemini"],
  ["GET", "/v1betamax", {}, "openai"],
  ["POST", "/v1/messages/nothing", GOOGLE, "messages"],
  ["POST", "/v1//messages", {}, "messages"],
  ["POST", "/v1/messagesx", {}, "openai"],
  ["POST", "/upload/v1beta/files", {}, "gemini"],
] as const)("%s %s with %j is a client of %s", (method, path, headers, face) => {
  expect(faceAt(new Request(GATE + path, { method, headers }))).toBe(face);
});

test("an address without a host, or with one that is none, has a face all the same", () => {
  for (const url of ["/v1/messages", "http:///v1/messages", "http://a b/v1/messages?x"]) {
    const request = { method: "POST", url, headers: new Headers() };
    expect(faceAt(request as Request)).toBe("messages");
  }
});
