import OpenAI from "openai";
import type {
  Response as OpenAIResponse,
  ResponseCreateParamsNonStreaming,
  ResponseInputItem,
  ResponseOutputItem,
  Tool,
} from "openai/resources/responses/responses";
import {
  type Access,
  ALL_BUCKETS,
  type Ask,
  type AskTool,
  type Client,
  NotingFetch,
  type Prompt,
  type Report,
  type ReportedCall,
  type ReportedHeaders,
  type ToolResult,
} from "./client.ts";

function writePrompt({ text, image, pdf }: Prompt): ResponseInputItem {
  return {
    role: "user",
    content: [
      { type: "input_text", text },
      ...(image ? [{ type: "input_image", image_url: image, detail: "auto" } as const] : []),
      ...(pdf ? [{ type: "input_file", filename: "a.pdf", file_data: pdf } as const] : []),
    ],
  };
}

function writeResult({ call, text, image }: ToolResult): ResponseInputItem {
  const custom = typeof call.arguments === "string";
  const output = image
    ? [
        { type: "input_text", text } as const,
        { type: "input_image", image_url: image, detail: "auto" } as const,
      ]
    : text;
  const type = custom ? "custom_tool_call_output" : "function_call_output";
  return { type, call_id: call.id, output } as ResponseInputItem;
}

function writeTools(tools: readonly AskTool[], searches: boolean | undefined): Tool[] {
  const written = tools.map(({ name, description, schema, custom, namespace }) => {
    if (custom) return { type: "custom", name, description };
    const plain = { type: "function", name, description, parameters: schema, strict: true };
    if (namespace === undefined) return plain;
    return { type: "namespace", name: namespace, description: namespace, tools: [plain] };
  });
  return [...written, ...(searches ? [{ type: "web_search" }] : [])] as Tool[];
}

function writeRequest(ask: Ask): ResponseCreateParamsNonStreaming {
  const { system, maxOutput, schema, thinks, mustCall, searches } = ask;
  const input = ask.turns.flatMap((turn): ResponseInputItem[] => {
    if (turn.kind === "prompt") return [writePrompt(turn)];
    if (turn.kind === "results") return turn.results.map(writeResult);
    return turn.answer.own as ResponseInputItem[];
  });
  const tools = writeTools(ask.tools ?? [], searches);
  return {
    model: ask.model,
    input,
    store: false,
    include: ["reasoning.encrypted_content"],
    ...(system === undefined ? {} : { instructions: system }),
    ...(tools.length > 0 ? { tools } : {}),
    ...(mustCall ? { tool_choice: "required" } : {}),
    ...(maxOutput === undefined ? {} : { max_output_tokens: maxOutput }),
    ...(thinks ? { reasoning: { effort: "high", summary: "auto" } } : {}),
    ...(schema ? { text: { format: { type: "json_schema", name: "answer", schema } } } : {}),
  };
}

function readCall(item: ResponseOutputItem): ReportedCall[] {
  if (item.type === "custom_tool_call") {
    return [{ id: item.call_id, name: item.name, arguments: item.input }];
  }
  if (item.type !== "function_call") return [];
  const { namespace } = item as { namespace?: string };
  return [
    {
      id: item.call_id,
      name: item.name,
      ...(namespace === undefined ? {} : { namespace }),
      arguments: JSON.parse(item.arguments),
    },
  ];
}

function finishOf({ status, incomplete_details, output }: OpenAIResponse): Report["finish"] {
  if (status === "incomplete") {
    return incomplete_details?.reason === "content_filter" ? "safety" : "limit";
  }
  return output.some((item) => readCall(item).length > 0) ? "calls" : "done";
}

function readResponse(response: OpenAIResponse, own: unknown, headers: ReportedHeaders): Report {
  const { output, usage } = response;
  const parts = output.flatMap((item) => (item.type === "message" ? item.content : []));
  const texts = parts.filter((part) => part.type === "output_text");
  const refusals = parts.filter((part) => part.type === "refusal");
  const thoughts = output.flatMap((item) => (item.type === "reasoning" ? item.summary : []));
  const written = usage?.input_tokens_details as { cache_write_tokens?: number } | undefined;
  return {
    text: texts.map(({ text }) => text).join(""),
    thought: thoughts.map(({ text }) => text).join(""),
    refusal: refusals.map(({ refusal }) => refusal).join(""),
    calls: output.flatMap(readCall),
    finish: finishOf(response),
    usage: {
      input: usage?.input_tokens,
      cached: usage?.input_tokens_details.cached_tokens,
      cacheWrite: written?.cache_write_tokens,
      output: usage?.output_tokens,
      reasoning: usage?.output_tokens_details.reasoning_tokens,
    },
    sources: texts
      .flatMap(({ annotations }) => annotations)
      .flatMap((each) => (each.type === "url_citation" ? [each.url] : [])),
    headers,
    own,
  };
}

/** The official client of the Responses wire. */
export function openaiResponsesClient({ root, key }: Access): Client {
  const noting = new NotingFetch();
  const baseURL = `${root}/v1`;
  const client = new OpenAI({ baseURL, apiKey: key, maxRetries: 0, fetch: noting.fetch });

  async function stream(ask: Ask): Promise<Report> {
    const events = client.responses.stream({ ...writeRequest(ask), stream: true });
    // The client adds members of its own to what it returns; what it was sent is sent back.
    let sent: unknown;
    for await (const event of events) {
      if (event.type === "response.output_text.delta") ask.onText?.(event.delta);
      if (event.type === "response.completed" || event.type === "response.incomplete") {
        sent = structuredClone(event.response.output);
      }
    }
    return readResponse(await events.finalResponse(), sent, noting.headers);
  }

  return {
    name: "openai responses",
    wire: "responses",
    abilities: ["refusal", "image address", "image in result", "custom tools", "search"],
    buckets: ALL_BUCKETS,
    showsThoughts: true,
    carries: () => true,
    async ask(ask) {
      if (ask.stream) return stream(ask);
      const response = await client.responses.create(writeRequest(ask));
      return readResponse(response, response.output, noting.headers);
    },
    faultOf: (thrown) => (thrown instanceof OpenAI.APIError ? thrown : undefined),
  };
}
