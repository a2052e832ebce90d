import {
  ApiError,
  type Content,
  FunctionCallingConfigMode,
  type GenerateContentConfig,
  type GenerateContentResponse,
  GoogleGenAI,
  type Part,
  ThinkingLevel,
  type Tool,
} from "@google/genai";
import {
  type Access,
  type Ask,
  type Client,
  type Prompt,
  type Report,
  type ReportedFault,
  splitDataUrl,
  type ToolResult,
} from "./client.ts";

function inline(url: string): Part {
  const { type, data } = splitDataUrl(url);
  return { inlineData: { mimeType: type, data } };
}

function writePrompt({ text, image, pdf }: Prompt): Content {
  return {
    role: "user",
    parts: [...(image ? [inline(image)] : []), ...(pdf ? [inline(pdf)] : []), { text }],
  };
}

function writeResult({ call, text, image }: ToolResult): Part {
  const parts = image ? { parts: [inline(image)] } : {};
  const { id, name } = call;
  return { functionResponse: { id, name, response: { output: text }, ...parts } };
}

function writeContents({ turns }: Ask): Content[] {
  return turns.map((turn): Content => {
    if (turn.kind === "prompt") return writePrompt(turn);
    if (turn.kind === "results") return { role: "user", parts: turn.results.map(writeResult) };
    return { role: "model", parts: turn.answer.own as Part[] };
  });
}

function writeConfig(ask: Ask): GenerateContentConfig {
  const { system, maxOutput, schema, thinks, mustCall, searches, stop } = ask;
  const functionDeclarations = ask.tools?.map(({ name, description, schema: parameters }) => ({
    name,
    description,
    parametersJsonSchema: parameters,
  }));
  const tools: Tool[] = [
    ...(functionDeclarations ? [{ functionDeclarations }] : []),
    ...(searches ? [{ googleSearch: {} }] : []),
  ];
  const mode = FunctionCallingConfigMode.ANY;
  const thinkingConfig = { includeThoughts: true, thinkingLevel: ThinkingLevel.HIGH };
  return {
    ...(system === undefined ? {} : { systemInstruction: system }),
    ...(tools.length > 0 ? { tools } : {}),
    ...(mustCall ? { toolConfig: { functionCallingConfig: { mode } } } : {}),
    ...(maxOutput === undefined ? {} : { maxOutputTokens: maxOutput }),
    ...(thinks ? { thinkingConfig } : {}),
    ...(stop === undefined ? {} : { stopSequences: [stop] }),
    ...(schema ? { responseMimeType: "application/json", responseJsonSchema: schema } : {}),
  };
}

/** The last chunk says how and why it ended; parts come in all of them. */
function readChunks(chunks: readonly GenerateContentResponse[]): Report {
  const last = chunks.at(-1);
  const candidate = last?.candidates?.[0];
  const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
  const usage = last?.usageMetadata;
  const calls = chunks.flatMap(({ functionCalls }) => functionCalls ?? []);
  const finishes: Record<string, Report["finish"]> = { MAX_TOKENS: "limit", SAFETY: "safety" };
  const written = (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0);
  const headers = last?.sdkHttpResponse?.headers ?? {};
  const grounding = candidate?.groundingMetadata;
  const isSaid = (part: Part) => part.text !== undefined && part.thought !== true;
  return {
    text: parts.map((part) => (isSaid(part) ? part.text : "")).join(""),
    thought: parts.map((part) => (part.thought === true ? part.text : "")).join(""),
    refusal: "",
    calls: calls.map(({ id, name, args }) => ({ id: id ?? "", name: name ?? "", arguments: args })),
    finish: finishes[String(candidate?.finishReason)] ?? (calls.length > 0 ? "calls" : "done"),
    usage: {
      input: usage?.promptTokenCount,
      cached: usage?.cachedContentTokenCount,
      cacheWrite: undefined,
      output: written,
      reasoning: usage?.thoughtsTokenCount,
    },
    sources: (grounding?.groundingChunks ?? []).map(({ web }) => web?.uri ?? ""),
    headers: {
      requestId: headers["x-request-id"] ?? "",
      dropped: headers["x-faregate-dropped"] ?? "",
    },
    own: parts,
  };
}

function faultOf(thrown: unknown): ReportedFault | undefined {
  if (!(thrown instanceof ApiError)) return undefined;
  return { status: thrown.status, message: thrown.message };
}

/** The official client of the Gemini wire. */
export function geminiClient({ root, key }: Access): Client {
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: root } });
  return {
    name: "google genai",
    wire: "gemini",
    abilities: ["stop", "image in result", "search"],
    buckets: ["input", "cached", "output", "reasoning"],
    showsThoughts: true,
    carries: () => true,
    async ask(ask) {
      const request = { model: ask.model, contents: writeContents(ask), config: writeConfig(ask) };
      if (!ask.stream) return readChunks([await client.models.generateContent(request)]);
      const chunks: GenerateContentResponse[] = [];
      for await (const chunk of await client.models.generateContentStream(request)) {
        chunks.push(chunk);
        for (const part of chunk.candidates?.[0]?.content?.parts ?? []) {
          if (part.thought !== true) ask.onText?.(part.text ?? "");
        }
      }
      return readChunks(chunks);
    },
    faultOf,
  };
}
