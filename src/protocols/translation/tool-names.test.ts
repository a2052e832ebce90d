import { expect, test } from "bun:test";
import type { CallItem } from "../canon.ts";
import { flatName, ToolNames, wrapFreeText } from "./tool-names.ts";

function call(name: string, args: string): CallItem {
  return { type: "call", callId: "call_1", name, custom: false, arguments: args };
}

test("a tool of a group goes out under one name and comes back under two", () => {
  const tool = { type: "function", name: "spawn", namespace: "agents" } as const;
  const names = new ToolNames([tool]);
  expect(flatName(tool)).toBe("agents__spawn");
  expect(names.restore(call("agents__spawn", "{}"))).toMatchObject({
    name: "spawn",
    namespace: "agents",
    custom: false,
    arguments: "{}",
  });
});

test("a tool that takes free text gets it back out of its wrapping", () => {
  const names = new ToolNames([{ type: "custom", name: "patch" }]);
  const wrapped = call("patch", wrapFreeText('*** "begin"\n'));
  expect(names.isWrapped(wrapped)).toBe(true);
  expect(names.restore(wrapped)).toMatchObject({ custom: true, arguments: '*** "begin"\n' });
  expect(names.restore(call("patch", "not json")).arguments).toBe("not json");
});

test("plain functions and unknown names stay as they are", () => {
  const names = new ToolNames([{ type: "function", name: "look" }]);
  const plain = call("look", '{"a":1}');
  expect(names.restore(plain)).toBe(plain);
  expect(names.isWrapped(plain)).toBe(false);
});

test("names stay within what vendors take, and different tools keep different names", () => {
  const long = "x".repeat(60);
  const one = { type: "function", name: `${long}1`, namespace: "group" } as const;
  const two = { type: "function", name: `${long}2`, namespace: "group" } as const;
  expect(flatName(one).length).toBe(64);
  expect(flatName(one)).not.toBe(flatName(two));
  expect(new ToolNames([one, two]).restore(call(flatName(two), "{}")).name).toBe(two.name);
});
