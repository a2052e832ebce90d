// What agents really send, recorded from Codex 0.166, Claude Code 2.1, Gemini CLI 0.61 and opencode 1.18 as it
// reached this vendor, with their manuals and tools cut short.
import { describe, expect, test } from "bun:test";
import recorded from "./agent-requests.json";
import { planAnswer } from "./answering/answer.ts";
import type { JsonRecord } from "./json.ts";
import { readChatPrompt } from "./reading/read-chat.ts";
import { readResponsesPrompt } from "./reading/read-responses.ts";

type Agent = keyof typeof recorded;
const AGENTS = Object.keys(recorded) as Agent[];

/** The agent's request with other words of its user, and what came after them. */
function request(agent: Agent, words: string, later: readonly JsonRecord[] = []): JsonRecord {
  const text = JSON.stringify(recorded[agent]).replaceAll('"hi"', JSON.stringify(words));
  const body = JSON.parse(text) as JsonRecord;
  const list = agent === "opencode" ? "messages" : "input";
  return { ...body, [list]: [...(body[list] as JsonRecord[]), ...later] };
}

function answer(body: JsonRecord) {
  const prompt = "messages" in body ? readChatPrompt(body) : readResponsesPrompt(body);
  const { parts } = planAnswer(prompt);
  const text = parts.flatMap((part) => (part.kind === "text" ? part.tokens : [])).join("");
  const calls = parts.flatMap((part) =>
    part.kind === "call" ? [`${part.name} ${part.tokens.join("")}`] : [],
  );
  return { text, calls, kinds: parts.map(({ kind }) => kind) };
}

describe.each(AGENTS)("%s", (agent) => {
  test.each([
    ["hi", "You said: “hi” This is the sandbox model, turn 1."],
    ["What is 3 + 4?", "3 + 4 = 7"],
    ["Say hello.", "hello"],
  ])("asked %p gets a plain answer", (words, text) => {
    expect(answer(request(agent, words))).toEqual({ text, calls: [], kinds: ["text"] });
  });

  test.each([
    "Write a small agent that searches the web and edits files",
    "Please read the code, run the tests and fix the task list",
    "Explain this project to me in a few words",
    "What is the goal of this directory?",
    "Use the bash tool, the exec_command tool and the Write tool",
  ])("asked %p invents no call", (words) => {
    expect(answer(request(agent, words)).calls).toEqual([]);
  });

  test("is not told what its own manual says", () => {
    const { text } = answer(request(agent, "Which instructions, tools and files are there?"));
    expect(text).toStartWith("You said: “Which instructions");
  });
});

describe("a tool that is asked for", () => {
  test.each<[Agent, string, string]>([
    ["codex", "Run `echo hello` please", 'exec_command {"cmd":"echo hello"}'],
    ["claude", "Run `echo hello` please", 'Bash {"command":"echo hello"}'],
    ["opencode", "Execute `echo hello`", 'bash {"command":"echo hello"}'],
    ["claude", "Read hello.txt", 'Read {"file_path":"hello.txt"}'],
    ["opencode", '"Please read hello.txt"\n', 'read {"filePath":"hello.txt"}'],
    ["gemini", "Read the file hello.txt", 'read_file {"file_path":"hello.txt"}'],
    ["gemini", "Use list_directory with dir_path src/lib", 'list_directory {"dir_path":"src/lib"}'],
    [
      "claude",
      'Use the Write tool: file_path is "a.txt" and content is "good day"',
      'Write {"file_path":"a.txt","content":"good day"}',
    ],
  ])("by the user of %s: %p", (agent, words, call) => {
    expect(answer(request(agent, words)).calls).toEqual([call]);
  });

  test("is called once, also when the agent speaks after its result", () => {
    const words = "Read hello.txt";
    const reminder = "<system-reminder>\nThe file was read.\n</system-reminder>";
    const done = [
      { type: "function_call", call_id: "c1", name: "Read", arguments: "{}" },
      { type: "function_call_output", call_id: "c1", output: "good morning" },
      { type: "message", role: "user", content: [{ type: "input_text", text: reminder }] },
    ];
    const { text, calls } = answer(request("claude", words, done));
    expect(calls).toEqual([]);
    expect(text).toContain("good morning");
  });
});

/** An agent that has to answer by a tool: all its requests say that one must be called. */
function mustCall(names: readonly string[], called: readonly string[]): string[] {
  const tools = names.map((name) => ({
    type: "function",
    function: {
      name,
      parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  }));
  const steps = called.flatMap((name, index) => {
    const call = { id: `c${index}`, type: "function", function: { name, arguments: "{}" } };
    return [
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: `c${index}`, content: "rain" },
    ];
  });
  const messages = [{ role: "user", content: "What's the weather in Paris?" }, ...steps];
  const body = { model: "sandbox-1.0", messages, tools, tool_choice: "required" };
  return answer(body).calls.map((call) => call.split(" ")[0] ?? "");
}

describe("an agent that must always call a tool", () => {
  test.each([
    ["LangChain", ["get_weather", "WeatherReport"]],
    ["pydantic-ai", ["get_weather", "roll_dice", "final_result"]],
    ["one whose output tool stands first", ["final_result", "get_weather"]],
  ])("ends: %s", (_, names) => {
    const output = names.find((name) => name !== "get_weather" && name !== "roll_dice") ?? "";
    expect(mustCall(names, [])).toEqual(["get_weather"]);
    expect(mustCall(names, ["get_weather"])).toEqual([output]);
  });

  test("calls again what it has called when nothing else is left", () => {
    expect(mustCall(["get_weather"], ["get_weather"])).toEqual(["get_weather"]);
  });

  test("calls what would do no harm before what would", () => {
    const properties = { command: { type: "string" } };
    const tools = [
      { type: "function", name: "report", parameters: {} },
      { type: "function", name: "shell", parameters: { properties, required: ["command"] } },
    ];
    for (const either of [tools, tools.toReversed()]) {
      const body = { model: "sandbox-1.0", input: "Hello", tools: either, tool_choice: "required" };
      expect(answer(body).calls).toEqual(["report {}"]);
    }
  });
});

describe("an agent that may not call several at once", () => {
  test("calls one after the other what it was asked for, and each once", () => {
    const tool = (name: string) => ({ type: "function", name, parameters: {} });
    const tools = [tool("tide_table"), tool("moon_phase")];
    const input: JsonRecord[] = [{ role: "user", content: "Call tide_table and moon_phase." }];
    const seen = [];
    for (let round = 0; round < 3; round += 1) {
      const body = { model: "sandbox-1.0", input, tools, parallel_tool_calls: false };
      const { calls } = answer(body);
      seen.push(calls);
      const [name] = calls[0]?.split(" ") ?? [];
      input.push({ type: "function_call", call_id: `c${round}`, name, arguments: "{}" });
      input.push({ type: "function_call_output", call_id: `c${round}`, output: "done" });
    }
    expect(seen).toEqual([["tide_table {}"], ["moon_phase {}"], []]);
  });
});

describe("words around a user's", () => {
  const said = (text: string) => answer({ model: "sandbox-1.0", input: text }).text;

  test("are cut out wherever they stand", () => {
    const reminder = "<system-reminder>Say nothing.</system-reminder>";
    expect(said(`${reminder}\nhi ${reminder}${reminder}`)).toContain("“hi”");
    const older = "<user_instructions>\nSay no.\n</user_instructions>\n\nhi";
    expect(said(older)).toContain("“hi”");
  });

  test("that have no end, or that somebody else would write, stay", () => {
    expect(said("<system-reminder>one <system-reminder>two")).toContain("“<system-reminder>one");
    expect(said("<b>hi</b>")).toContain("“<b>hi</b>”");
  });
});
