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

const CHOICES_MAX = 8;
const STOPS_MAX = 4;

/** Reads a chat completion request, or throws a BadPrompt. */
export function readChatPrompt(body: JsonRecord): Prompt {
  const model = readModel(body, "chat");
  checkSampling(body);
  const steps = readMessages(body.messages);
  const tools = readTools(body);
  const stream = readFlag(body, "stream", false);
  const streamOptions = isRecord(body.stream_options) ? body.stream_options : {};
  const limit = readTokenLimit(body, "max_completion_tokens");
  const format = isRecord(body.response_format) ? body.response_format : {};
  const schema = isRecord(format.json_schema) ? format.json_schema : {};
  const effort = readEffort(body.reasoning_effort, "reasoning_effort");
  return {
    wire: "chat",
    body,
    model,
    steps: spokenSteps(steps),
    tools,
    webSearch: false,
    toolChoice: readToolChoice(choiceOf(body), tools),
    parallelToolCalls: readFlag(body, "parallel_tool_calls", true),
    format: readFormat(format.type, schema, "response_format"),
    effort: model.can.includes("reason") ? effort : null,
    outputTokensMax: limit ?? readTokenLimit(body, "max_tokens"),
    stops: readStops(body.stop),
    choiceCount: readNumber(body, "n", { min: 1, max: CHOICES_MAX, integer: true }) ?? 1,
    topLogprobs: readTopLogprobs(body),
    stream,
    include: new Set(),
    includeUsage: streamOptions.include_usage === true,
    inputTokens: countInput(steps, body.tools),
  };
}

function readTopLogprobs(body: JsonRecord): number | null {
  const top = readNumber(body, "top_logprobs", { min: 0, max: 20, integer: true });
  if (readFlag(body, "logprobs", false)) return top ?? 0;
  if (top === null || top === 0) return null;
  throw new BadPrompt("'top_logprobs' needs 'logprobs' to be true.", "top_logprobs");
}

function readStops(stop: unknown): string[] {
  if (stop === undefined || stop === null) return [];
  const stops = typeof stop === "string" ? [stop] : stop;
  if (!Array.isArray(stops) || stops.length > STOPS_MAX) {
    throw wrongType("stop", `a string or up to ${STOPS_MAX} strings`);
  }
  return stops.map((text) => {
    if (typeof text !== "string") throw wrongType("stop", "strings");
    return text;
  });
}

/** The older `functions` and `function_call` are still sent by some clients. */
function choiceOf(body: JsonRecord): unknown {
  if (body.tool_choice !== undefined) return body.tool_choice;
  const old = body.function_call;
  return isRecord(old) ? { type: "function", name: old.name } : old;
}

function readTools(body: JsonRecord): Tool[] {
  const tools: Tool[] = [];
  for (const [index, entry] of listOf(body.tools).entries()) {
    const param = `tools[${index}]`;
    if (!isRecord(entry)) throw wrongType(param, "an object");
    if (entry.type !== "function" && entry.type !== "custom") continue;
    const fields = entry[entry.type];
    tools.push(readTool(entry.type, isRecord(fields) ? fields : entry, `${param}.${entry.type}`));
  }
  for (const [index, entry] of listOf(body.functions).entries()) {
    if (isRecord(entry)) tools.push(readTool("function", entry, `functions[${index}]`));
  }
  return tools;
}

function readMessages(messages: unknown): PromptStep[] {
  if (messages === undefined || messages === null) throw missing("messages");
  if (!Array.isArray(messages)) throw wrongType("messages", "an array");
  if (messages.length === 0) {
    throw new BadPrompt("Invalid 'messages': expected at least one message.", "messages");
  }
  return messages.flatMap((message: unknown, index) => readMessage(message, `messages[${index}]`));
}

function readMessage(message: unknown, param: string): PromptStep[] {
  if (!isRecord(message)) throw wrongType(param, "an object");
  if (message.role === "tool" || message.role === "function") {
    return [{ kind: "result", ...readContent(message.content, `${param}.content`) }];
  }
  const said = readSaid(message, param);
  if (said.role !== "assistant") return [said];
  const calls = listOf(message.tool_calls).filter(isRecord).map(readCall);
  return said.text === "" && calls.length > 0 ? calls : [said, ...calls];
}

function readCall(call: JsonRecord): PromptStep {
  const fields = call[stringOf(call.type) || "function"];
  const detail = isRecord(fields) ? fields : {};
  const text = stringOf(detail.arguments) || stringOf(detail.input);
  return { kind: "call", name: stringOf(detail.name), text };
}
