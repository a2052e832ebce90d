import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  APICallError,
  generateText,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  Output,
  streamText,
  type ToolSet,
  tool,
} from "ai";
import type { JsonObject } from "../support/samples/wires.ts";
import {
  type Access,
  ALL_BUCKETS,
  type Ask,
  type Client,
  NotingFetch,
  type Prompt,
  type Report,
  type ReportedFault,
  type ReportedHeaders,
  splitDataUrl,
  type ToolResult,
} from "./client.ts";

// Its warnings are about its own models and its own future.
globalThis.AI_SDK_LOG_WARNINGS = false;

type Options = Parameters<typeof generateText>[0];

function filePart(url: string, filename?: string) {
  const { type: mediaType, data } = splitDataUrl(url);
  return { type: "file", mediaType, data, ...(filename ? { filename } : {}) } as const;
}

function writePrompt({ text, image, pdf }: Prompt): ModelMessage {
  return {
    role: "user",
    content: [
      { type: "text", text },
      ...(image ? [filePart(image)] : []),
      ...(pdf ? [filePart(pdf, "a.pdf")] : []),
    ],
  };
}

function outputOf({ text, image }: ToolResult) {
  if (!image) return { type: "text", value: text } as const;
  const { type: mediaType, data } = splitDataUrl(image);
  const file = { type: "file", mediaType, data: { type: "data", data } } as const;
  return { type: "content", value: [{ type: "text", text }, file] } as const;
}

function writeResults(results: readonly ToolResult[]): ModelMessage {
  const content = results.map((result) => ({
    type: "tool-result" as const,
    toolCallId: result.call.id,
    toolName: result.call.name,
    output: outputOf(result),
  }));
  return { role: "tool", content: content as never };
}

function writeTools(ask: Ask): ToolSet | undefined {
  if (!ask.tools) return undefined;
  const entries = ask.tools.map(({ name, description, schema }) => [
    name,
    tool({ description, inputSchema: jsonSchema(schema) }),
  ]);
  return Object.fromEntries(entries) as ToolSet;
}

function writeOptions(ask: Ask, model: LanguageModel, providerOptions: JsonObject): Options {
  const { maxOutput, stop, schema, system, mustCall } = ask;
  const messages = ask.turns.flatMap((turn): ModelMessage[] => {
    if (turn.kind === "prompt") return [writePrompt(turn)];
    if (turn.kind === "results") return [writeResults(turn.results)];
    return turn.answer.own as ModelMessage[];
  });
  const tools = writeTools(ask);
  return {
    model,
    messages,
    maxRetries: 0,
    providerOptions: providerOptions as NonNullable<Options["providerOptions"]>,
    ...(system === undefined ? {} : { system }),
    ...(tools ? { tools } : {}),
    ...(mustCall ? { toolChoice: "required" } : {}),
    ...(maxOutput === undefined ? {} : { maxOutputTokens: maxOutput }),
    ...(stop === undefined ? {} : { stopSequences: [stop] }),
    ...(schema ? { output: Output.object({ schema: jsonSchema(schema) }) as never } : {}),
  };
}

async function generate(ask: Ask, options: Options) {
  if (!ask.stream) {
    const { text, reasoningText, toolCalls, finishReason, usage, sources, response } =
      await generateText(options);
    return { text, reasoningText, toolCalls, finishReason, usage, sources, response };
  }
  const result = streamText({ ...options, onError: () => undefined });
  for await (const part of result.fullStream) {
    if (part.type === "error") throw part.error;
    if (part.type === "text-delta") ask.onText?.(part.text);
  }
  return {
    text: await result.text,
    reasoningText: await result.reasoningText,
    toolCalls: await result.toolCalls,
    finishReason: await result.finishReason,
    usage: await result.usage,
    sources: await result.sources,
    response: await result.response,
  };
}

const FINISHES: Readonly<Record<string, Report["finish"]>> = {
  stop: "done",
  "tool-calls": "calls",
  length: "limit",
  "content-filter": "safety",
};

function toReport(made: Awaited<ReturnType<typeof generate>>, headers: ReportedHeaders): Report {
  const { inputTokenDetails, outputTokenDetails } = made.usage;
  return {
    text: made.text,
    thought: made.reasoningText ?? "",
    refusal: "",
    calls: made.toolCalls.map(({ toolCallId, toolName, input }) => ({
      id: toolCallId,
      name: toolName,
      arguments: input,
    })),
    finish: FINISHES[made.finishReason] ?? "done",
    usage: {
      input: made.usage.inputTokens,
      cached: inputTokenDetails.cacheReadTokens,
      cacheWrite: inputTokenDetails.cacheWriteTokens,
      output: made.usage.outputTokens,
      reasoning: outputTokenDetails.reasoningTokens,
    },
    sources: made.sources.flatMap((source) => (source.sourceType === "url" ? [source.url] : [])),
    headers,
    own: made.response.messages,
  };
}

function faultOf(thrown: unknown): ReportedFault | undefined {
  if (APICallError.isInstance(thrown)) {
    return { status: thrown.statusCode, message: thrown.message };
  }
  // In the middle of a stream there is no status, and each provider has its own form of an error.
  const words = thrown instanceof Error ? thrown.message : JSON.stringify(thrown);
  return words ? { status: undefined, message: words } : undefined;
}

type Provider = Pick<Client, "name" | "wire" | "abilities" | "buckets"> & {
  readonly showsThoughts?: boolean;
  carries: Client["carries"];
  model(id: string): LanguageModel;
  options(ask: Ask): JsonObject;
};

function providers({ root, key }: Access, noting: NotingFetch): Provider[] {
  const access = { apiKey: key, fetch: noting.fetch };
  const baseURL = `${root}/v1`;
  const openai = createOpenAI({ baseURL, ...access });
  const compatible = createOpenAICompatible({
    ...{ baseURL, ...access, name: "gate" },
    ...{ includeUsage: true, supportsStructuredOutputs: true },
  });
  const anthropic = createAnthropic({ baseURL, ...access });
  const google = createGoogleGenerativeAI({ baseURL: `${root}/v1beta`, ...access });
  const hard = { reasoningEffort: "high" };
  return [
    {
      name: "ai-sdk openai responses",
      wire: "responses",
      abilities: ["image in result"],
      buckets: ALL_BUCKETS,
      carries: () => true,
      model: (id) => openai.responses(id),
      options: ({ thinks }) => {
        const asked = thinks ? { ...hard, reasoningSummary: "auto" } : {};
        return { openai: { store: false, forceReasoning: true, ...asked } };
      },
    },
    {
      name: "ai-sdk openai chat",
      wire: "chat",
      abilities: ["stop"],
      buckets: ["input", "cached", "output", "reasoning"],
      // It reads no thoughts, so that it has none to send back.
      showsThoughts: false,
      carries: () => false,
      model: (id) => openai.chat(id),
      options: ({ thinks }) => ({ openai: thinks ? { ...hard, forceReasoning: true } : {} }),
    },
    {
      name: "ai-sdk openai-compatible",
      wire: "chat",
      abilities: ["stop"],
      buckets: ["input", "cached", "output", "reasoning"],
      // It knows one vendor's signatures, and only on calls.
      carries: (vendor, to) => vendor === "gemini" && to === "call",
      model: (id) => compatible(id),
      options: ({ thinks }) => ({ gate: thinks ? hard : {} }),
    },
    {
      name: "ai-sdk anthropic",
      wire: "messages",
      abilities: ["stop", "image in result"],
      buckets: ["input", "cached", "cacheWrite", "output"],
      carries: () => true,
      model: (id) => anthropic(id),
      options: ({ thinks }) => ({
        anthropic: {
          structuredOutputMode: "outputFormat",
          ...(thinks ? { thinking: { type: "adaptive" }, effort: "high" } : {}),
        },
      }),
    },
    {
      name: "ai-sdk google",
      wire: "gemini",
      abilities: ["stop"],
      buckets: ["input", "cached", "output", "reasoning"],
      carries: () => true,
      model: (id) => google(id),
      options: ({ thinks }) => ({
        google: thinks ? { thinkingConfig: { includeThoughts: true, thinkingLevel: "high" } } : {},
      }),
    },
  ];
}

/** The AI SDK by each of its providers that speak one of the wires. */
export function aiSdkClients(access: Access): Client[] {
  const noting = new NotingFetch();
  return providers(access, noting).map(({ model, options, ...provider }) => ({
    showsThoughts: true,
    ...provider,
    async ask(ask) {
      const made = await generate(ask, writeOptions(ask, model(ask.model), options(ask)));
      return toReport(made, noting.headers);
    },
    faultOf,
  }));
}
