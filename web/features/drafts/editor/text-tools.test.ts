import { expect, test } from "bun:test";
import { applyTool } from "./text-tools.ts";

function shown(tool: Parameters<typeof applyTool>[0], marked: string): string {
  const { text, from, to } = applyTool(tool, marked);
  return `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`;
}

test("a button wraps what is marked and leaves it marked", () => {
  expect(shown("bold", "word")).toBe("**[word]**");
  expect(shown("italic", "")).toBe("*[]*");
});

test("lines become a list or a quotation, one by one", () => {
  expect(shown("list", "a\nb")).toBe("- [a\n- b]");
  expect(applyTool("quote", "a\nb").text).toBe("> a\n> b");
});

test("code of several lines gets a fence, and a link waits for its address", () => {
  expect(applyTool("code", "a\nb").text).toBe("```\na\nb\n```");
  expect(shown("link", "site")).toBe("[site](https://[])");
});
