import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isRecord, type JsonRecord } from "../json.ts";
import { readResponsesPrompt } from "../reading/read-responses.ts";
import { planAnswer } from "./answer.ts";

function callsFor(fields: JsonRecord): { name: string; text: string; namespace: string | null }[] {
  const answer = planAnswer(readResponsesPrompt({ model: "sandbox-1.0", ...fields }));
  return answer.parts.flatMap((part) => {
    if (part.kind !== "call") return [];
    return [{ name: part.name, text: part.tokens.join(""), namespace: part.namespace }];
  });
}

function tool(name: string, description: string, properties: JsonRecord = {}): JsonRecord {
  const required = Object.keys(properties);
  return {
    type: "function",
    name,
    description,
    parameters: { type: "object", properties, required },
  };
}

const nameOf = fc.stringMatching(/^[a-z]{5,10}_[a-z]{5,10}$/);

describe("choosing tools", () => {
  test("calls the tool whose words the message shares, and no other", () => {
    fc.assert(
      fc.property(fc.uniqueArray(nameOf, { minLength: 3, maxLength: 3 }), (names) => {
        const [first, wanted = [], last] = names.map((name) => name.split("_"));
        const others = [...(first ?? []), ...(last ?? [])];
        const message = ["now", wanted[0] ?? "", "this"];
        const beginning = (text: string) => text.slice(0, 3);
        const said = new Set(message.map(beginning));
        fc.pre(!others.some((text) => said.has(beginning(text))));
        const tools = names.map((name) => tool(name, ""));
        const calls = callsFor({ input: message.join(" "), tools });
        expect(calls.map((call) => call.name)).toEqual([names[1] ?? ""]);
      }),
      { numRuns: 50 },
    );
  });

  test("speaks when nothing fits, when told to, and after a result", () => {
    const tools = [tool("tide_table", "Tides of a harbour.")];
    expect(callsFor({ input: "Good morning", tools })).toEqual([]);
    expect(callsFor({ input: "Show the tide", tools, tool_choice: "none" })).toEqual([]);
    const input = [
      { role: "user", content: "Show the tide" },
      { type: "function_call", call_id: "c1", name: "tide_table", arguments: "{}" },
      { type: "function_call_output", call_id: "c1", output: "high at nine" },
    ];
    expect(callsFor({ input, tools })).toEqual([]);
    const answer = planAnswer(readResponsesPrompt({ model: "sandbox-1.0", input, tools }));
    const [part] = answer.parts;
    expect(part?.kind === "text" ? part.tokens.join("") : "").toContain("high at nine");
  });

  test("calls when it has to, and only what it may", () => {
    const tools = [tool("tide_table", "Tides."), tool("moon_phase", "The moon.")];
    expect(callsFor({ input: "Hi", tools, tool_choice: "required" })).toHaveLength(1);
    const named = { type: "function", name: "moon_phase" };
    expect(callsFor({ input: "Hi", tools, tool_choice: named })[0]?.name).toBe("moon_phase");
    const allowed = { type: "allowed_tools", mode: "required", tools: [named] };
    const calls = callsFor({ input: "Show the tide", tools, tool_choice: allowed });
    expect(calls.map((call) => call.name)).toEqual(["moon_phase"]);
    const optional = { ...allowed, mode: "auto" };
    expect(callsFor({ input: "Show the tide", tools, tool_choice: optional })).toEqual([]);
  });

  test("calls one tool for each name in a list, unless calls must not be parallel", () => {
    const tools = [tool("tide_table", "Tides of a harbour.", { port: { type: "string" } })];
    const input = "Show the tide for Oslo, Port Said and Rome.";
    const texts = callsFor({ input, tools }).map((call) => call.text);
    expect(texts).toEqual(['{"port":"Oslo"}', '{"port":"Port Said"}', '{"port":"Rome"}']);
    expect(callsFor({ input, tools, parallel_tool_calls: false })).toHaveLength(1);
  });

  test("calls several tools that the message speaks of", () => {
    const tools = [tool("tide_table", "Tides."), tool("moon_phase", "The moon.")];
    expect(callsFor({ input: "Show the tide and the moon", tools })).toHaveLength(2);
    const one = callsFor({
      input: "Show the tide and the moon",
      tools,
      parallel_tool_calls: false,
    });
    expect(one).toHaveLength(1);
  });

  test("splits names over a tool that takes two texts instead of calling it twice", () => {
    const properties = { from: { type: "string" }, to: { type: "string" } };
    const tools = [tool("find_ferry", "Ferries.", properties)];
    const calls = callsFor({ input: "Is there a ferry between Oslo and Kiel?", tools });
    expect(calls.map((call) => call.text)).toEqual(['{"from":"Oslo","to":"Kiel"}']);
  });

  test("knows custom tools, namespaces and tool types it has never heard of", () => {
    const inner = tool("tide_table", "Tides.");
    const tools = [{ type: "space_laser" }, { type: "namespace", name: "sea", tools: [inner] }];
    expect(callsFor({ input: "Show the tide", tools })[0]?.namespace).toBe("sea");
    const custom = [{ type: "custom", name: "run_script", description: "Runs a script." }];
    const [call] = callsFor({ input: "Run the script `print(1)`", tools: custom });
    expect(call).toEqual({ name: "run_script", text: "print(1)", namespace: null });
  });

  test("always gives arguments that are a JSON object", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (parameters, input) => {
        const tools = [{ type: "function", name: "any_tool", parameters }];
        const fields = { input: input || "x", tools, tool_choice: "required" };
        expect(isRecord(JSON.parse(callsFor(fields)[0]?.text ?? ""))).toBe(true);
      }),
    );
  });
});
