import { expect, test } from "bun:test";
import { geminiPath, isArrayStream, readGeminiPath, writeCountTokens } from "./path.ts";

test("the last piece of a path names the model and the method", () => {
  expect(readGeminiPath("gemini-2.5-pro:streamGenerateContent")).toEqual({
    model: "gemini-2.5-pro",
    method: "streamGenerateContent",
  });
  expect(readGeminiPath("a%2Fb:c:countTokens")).toEqual({ model: "a/b:c", method: "countTokens" });
});

test("any other piece is no path of this wire", () => {
  const others = [
    "gemini-2.5-pro",
    ":generateContent",
    "gemini-2.5-pro:predict",
    "m:",
    "%E0%A4%A:countTokens",
  ];
  for (const piece of others) expect(readGeminiPath(piece)).toBeUndefined();
});

test("a stream is an array unless events are asked for", () => {
  const isArray = (path: string) => isArrayStream(new URL(path, "http://gate.test/v1/models/"));
  for (const colon of ["./m:", "./m%3A"]) {
    expect(isArray(`${colon}streamGenerateContent`)).toBe(true);
    expect(isArray(`${colon}streamGenerateContent/?alt=json&key=k`)).toBe(true);
    expect(isArray(`${colon}streamGenerateContent?key=k&alt=sse`)).toBe(false);
    expect(isArray(`${colon}generateContent`)).toBe(false);
  }
});

test("the vendor is asked for events, one address for each method", () => {
  expect(geminiPath("gemini-3.5-flash", false)).toBe("/models/gemini-3.5-flash:generateContent");
  expect(geminiPath("a/b", true)).toBe("/models/a%2Fb:streamGenerateContent?alt=sse");
});

test("a count of tokens is an object with the total", () => {
  expect(writeCountTokens(42)).toBe('{"totalTokens":42}');
});
