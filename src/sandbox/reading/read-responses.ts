import { spokenSteps } from "../harness.ts";
import { isRecord, type JsonRecord, listOf, stringOf } from "../json.ts";
import { readContent } from "./content.ts";
import {
  BadPrompt,
  missing,
  type Prompt,
  type PromptStep,
  type Tool,
  wrongType,
} from "./prompt.ts";
import {
  checkSampling,
  countInput,
  readEffort,
  readFlag,
  readFormat,
  readModel,
  readNumber,
  readSaid,
  readTokenLimit,
  readTool,
  readToolChoice,
} from "./read-fields.ts";

/** Reads a Responses request, or throws a BadPrompt. */
export function readResponsesPrompt(body: JsonRecord): Prompt {
  const model = readModel(body, "responses");
  checkSampling(body);
  const steps = readInput(body);
  const entries = toolEntries(body);
  const tools = entries.flatMap((entry, index) => readToolEntry(entry, `tools[${index}]`));
  const text = isRecord(body.text) ? body.text : {};
  const format = isRecord(text.format) ? text.format : {};
  const reasoning = isRecord(body.reasoning) ? body.reasoning : {};
  const effort = readEffort(reasoning.effort, "reasoning.effort");
  const include = new Set(listOf(body.include).map(stringOf));
  return {
    wire: "responses",
    body,
    model,
    steps: spokenSteps(steps),
    tools,
    webSearch: model.can.includes("search") && entries.some(isSearchTool),
    toolChoice: readToolChoice(body.tool_choice, tools),
    parallelToolCalls: readFlag(body, "parallel_tool_calls", true),
    format: readFormat(format.type, format, "text.format"),
    effort: model.can.includes("reason") ? effort : null,
    outputTokensMax: readTokenLimit(body, "max_output_tokens"),
    stops: [],
    choiceCount: 1,
    topLogprobs: readTopLogprobs(body, include),
    stream: readFlag(body, "stream", false),
    include,
    includeUsage: true,
    inputTokens: countInput(steps, entries),
  };
}

function readTopLogprobs(body: JsonRecord, include: ReadonlySet<string>): number | null {
  const top = readNumber(body, "top_logprobs", { min: 0, max: 20, integer: true }) ?? 0;
  return top > 0 || include.has("message.output_text.logprobs") ? top : null;
}

/** Some agents put their tools into the input instead of the tool list. */
function toolEntries(body: JsonRecord): unknown[] {
  const inInput = listOf(body.input)
    .filter(isRecord)
    .filter((item) => item.type === "additional_tools")
    .flatMap((item) => listOf(item.tools));
  return [...listOf(body.tools), ...inInput];
}

function isSearchTool(entry: unknown): boolean {
  return isRecord(entry) && stringOf(entry.type).startsWith("web_search");
}

/** Tool types the vendor does not know are left out, as agents send many of them. The outermost namespace counts. */
function readToolEntry(entry: unknown, param: string, namespace: string | null = null): Tool[] {
  if (!isRecord(entry)) throw wrongType(param, "an object");
  if (entry.type === "function" || entry.type === "custom") {
    return [{ ...readTool(entry.type, entry, param), namespace }];
  }
  if (entry.type !== "namespace") return [];
  const name = namespace ?? stringOf(entry.name);
  return listOf(entry.tools).flatMap((inner, index) =>
    readToolEntry(inner, `${param}.tools[${index}]`, name),
  );
}

function readInput(body: JsonRecord): PromptStep[] {
  const steps: PromptStep[] = [];
  if (typeof body.instructions === "string" && body.instructions !== "") {
    steps.push({ kind: "message", role: "system", text: body.instructions, attachments: [] });
  }
  const input = body.input;
  if (input === undefined || input === null) throw missing("input");
  if (typeof input === "string") {
    return [...steps, { kind: "message", role: "user", text: input, attachments: [] }];
  }
  if (!Array.isArray(input)) throw wrongType("input", "a string or an array");
  if (input.length === 0) throw new BadPrompt("Invalid 'input': expected an item.", "input");
  for (const [index, item] of input.entries()) steps.push(...readItem(item, `input[${index}]`));
  return steps;
}

/** Items of other vendors' state (reasoning, hosted calls) say nothing to this model. */
function readItem(item: unknown, param: string): PromptStep[] {
  if (!isRecord(item)) throw wrongType(param, "an object");
  switch (item.type ?? "message") {
    case "message":
      return [readSaid(item, param)];
    case "function_call":
    case "custom_tool_call": {
      const text = stringOf(item.arguments) || stringOf(item.input);
      return [{ kind: "call", name: stringOf(item.name), text }];
    }
    case "function_call_output":
    case "custom_tool_call_output":
      return [{ kind: "result", ...readContent(item.output, `${param}.output`) }];
    default:
      return [];
  }
}
