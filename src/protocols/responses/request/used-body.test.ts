import { expect, test } from "bun:test";
import { readConfig } from "../../../config/config.ts";
import type { UpstreamBody } from "../../wire.ts";
import { responsesWire } from "../wire.ts";
import { asUsed } from "./used-body.ts";

const wire = responsesWire(readConfig({}).limits);

function requestOf(members: object) {
  const body = { model: "m", input: "hi", ...members };
  return wire.readRequest(body, JSON.stringify(body));
}

/** What is left of a body of which these were not sent. */
function usedOf(members: object, ...dropped: string[]) {
  return asUsed(requestOf(members), { dropped, used: undefined } as unknown as UpstreamBody).body;
}

test("what was left out is not repeated, at any depth, and the rest is as it was", () => {
  const settings = {
    text: { verbosity: "low", format: { type: "text" } },
    reasoning: { effort: "high", summary: "auto" },
    user: "u",
    safety_identifier: "s",
    top_p: 0.5,
  };
  const used = usedOf(settings, "verbosity", "reasoning_effort", "user", "reasoning", "nothing.x");
  expect(used).toEqual({
    model: "m",
    input: "hi",
    text: { format: { type: "text" } },
    reasoning: { summary: "auto" },
    top_p: 0.5,
  });
  expect(usedOf(settings)).toEqual(requestOf(settings).body);
});

test("tools that were left out are not repeated, nor is a choice among none", () => {
  const tools = [{ type: "function", name: "f" }, { type: "hosted" }, { type: "web_search" }];
  const choice = { tools, tool_choice: "auto" };
  expect(usedOf(choice, "tools[1]")).toMatchObject({ tools: [tools[0], tools[2]] });
  expect(usedOf(choice, "tools[1]", "web_search")).toMatchObject({ tools: [tools[0]] });
  const none = usedOf(choice, "tools[0]", "tools[1]", "tools.web_search");
  expect(none.tools).toEqual([]);
  expect(none).not.toHaveProperty("tool_choice");
});

// One that takes a step for each two of them does not come to an end in the time of a test.
test("very many members that nobody knows are left out in one go", () => {
  const unknown = Object.fromEntries(Array.from({ length: 90_000 }, (_, i) => [`n${i}`, 0]));
  const used = usedOf({ ...unknown, temperature: 0.5 }, ...Object.keys(unknown));
  expect(used).toEqual({ model: "m", input: "hi", temperature: 0.5 });
});
