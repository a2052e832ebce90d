import Anthropic from "@anthropic-ai/sdk";
import type {
  ContentBlockParam,
  Message,
  MessageCreateParamsNonStreaming,
  MessageParam,
  ToolUnion,
} from "@anthropic-ai/sdk/resources/messages";
import {
  type Access,
  ALL_BUCKETS,
  type Ask,
  type Client,
  NotingFetch,
  type Prompt,
  type Report,
  type ReportedHeaders,
  splitDataUrl,
  type ToolResult,
} from "./client.ts";

const MAX_TOKENS = 2_000;

function writeImage(url: string): ContentBlockParam {
  if (!url.startsWith("data:")) return { type: "image", source: { type: "url", url } };
  const { type, data } = splitDataUrl(url);
  return { type: "image", source: { type: "base64", media_type: type as "image/png", data } };
}

function writePdf(url: string): ContentBlockParam {
  const { data } = splitDataUrl(url);
  const source = { type: "base64", media_type: "application/pdf", data } as const;
  return { type: "document", source };
}

function writePrompt({ text, image, pdf }: Prompt): MessageParam {
  return {
    role: "user",
    content: [
      ...(image ? [writeImage(image)] : []),
      ...(pdf ? [writePdf(pdf)] : []),
      { type: "text", text },
    ],
  };
}

function writeResults(results: readonly ToolResult[]): MessageParam {
  const content = results.map(({ call, text, image }) => ({
    type: "tool_result",
    tool_use_id: call.id,
    content: image ? [{ type: "text", text }, writeImage(image)] : text,
  }));
  return { role: "user", content: content as ContentBlockParam[] };
}

function writeRequest(ask: Ask): MessageCreateParamsNonStreaming {
  const { system, schema, thinks, mustCall, searches, stop } = ask;
  const messages = ask.turns.map((turn): MessageParam => {
    if (turn.kind === "prompt") return writePrompt(turn);
    if (turn.kind === "results") return writeResults(turn.results);
    return { role: "assistant", content: turn.answer.own as ContentBlockParam[] };
  });
  const tools: ToolUnion[] = (ask.tools ?? []).map((tool) => ({
    name: tool.name,
    description: tool.description,
    input_schema: tool.schema as { type: "object" },
  }));
  if (searches) tools.push({ type: "web_search_20250305", name: "web_search" });
  const config = {
    ...(thinks ? { effort: "high" as const } : {}),
    ...(schema ? { format: { type: "json_schema" as const, schema } } : {}),
  };
  return {
    model: ask.model,
    max_tokens: ask.maxOutput ?? MAX_TOKENS,
    messages,
    ...(system === undefined ? {} : { system }),
    ...(tools.length > 0 ? { tools } : {}),
    ...(mustCall ? { tool_choice: { type: "any" } } : {}),
    ...(thinks ? { thinking: { type: "adaptive", display: "summarized" } } : {}),
    ...(Object.keys(config).length > 0 ? { output_config: config } : {}),
    ...(stop === undefined ? {} : { stop_sequences: [stop] }),
  };
}

const FINISHES: Readonly<Record<string, Report["finish"]>> = {
  end_turn: "done",
  stop_sequence: "done",
  tool_use: "calls",
  max_tokens: "limit",
  refusal: "safety",
};

function readMessage(message: Message, headers: ReportedHeaders): Report {
  const { content, stop_reason, stop_sequence, usage } = message;
  const texts = content.filter((block) => block.type === "text");
  const thoughts = content.filter((block) => block.type === "thinking");
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = usage;
  const cached = cache_read_input_tokens ?? 0;
  const cacheWrite = cache_creation_input_tokens ?? 0;
  return {
    text: texts.map(({ text }) => text).join(""),
    thought: thoughts.map(({ thinking }) => thinking).join(""),
    refusal: "",
    calls: content.flatMap((block) =>
      block.type === "tool_use" ? [{ id: block.id, name: block.name, arguments: block.input }] : [],
    ),
    finish: FINISHES[stop_reason ?? ""] ?? "done",
    stopSequence: stop_sequence ?? undefined,
    usage: {
      input: input_tokens + cached + cacheWrite,
      cached,
      cacheWrite,
      output: usage.output_tokens,
      reasoning: usage.output_tokens_details?.thinking_tokens,
    },
    sources: texts
      .flatMap(({ citations }) => citations ?? [])
      .flatMap((each) => (each.type === "web_search_result_location" ? [each.url] : [])),
    headers,
    own: content,
  };
}

/** The official client of the Messages wire. */
export function anthropicClient({ root, key }: Access): Client {
  const noting = new NotingFetch();
  const client = new Anthropic({
    baseURL: root,
    apiKey: key,
    maxRetries: 0,
    fetch: noting.fetch,
  });

  async function stream(ask: Ask): Promise<Report> {
    const events = client.messages.stream(writeRequest(ask));
    for await (const event of events) {
      if (event.type !== "content_block_delta") continue;
      if (event.delta.type === "text_delta") ask.onText?.(event.delta.text);
    }
    return readMessage(await events.finalMessage(), noting.headers);
  }

  return {
    name: "anthropic messages",
    wire: "messages",
    abilities: ["stop", "image address", "image in result", "search"],
    buckets: ALL_BUCKETS,
    showsThoughts: true,
    carries: () => true,
    async ask(ask) {
      if (ask.stream) return stream(ask);
      const message = await client.messages.create(writeRequest(ask));
      return readMessage(message, noting.headers);
    },
    faultOf: (thrown) => (thrown instanceof Anthropic.APIError ? thrown : undefined),
  };
}
