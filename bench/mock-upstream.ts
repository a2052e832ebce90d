// A mock OpenAI vendor for the bench, run as its own process.
//
// PORT        the port on 127.0.0.1
// TOKENS      words per answer, and content chunks per stream (64)
// GAP_MS      pause before every content chunk; 0 sends one chunk per tick of the event loop
import { ANSWER_TOKENS, usageOf, WORD } from "./answer.ts";

const port = Number(process.env.PORT);
const tokens = Number(process.env.TOKENS ?? ANSWER_TOKENS);
const gapMs = Number(process.env.GAP_MS ?? 0);
const usage = usageOf(tokens);
const text = WORD.repeat(tokens);
const createdAt = 1_790_000_000;
let answers = 0;

interface ChatRequest {
  model: string;
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
}

function completion(id: string, model: string): Response {
  const body = {
    id,
    object: "chat.completion",
    created: createdAt,
    model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: text, refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage,
    service_tier: "default",
    system_fingerprint: "fp_bench",
  };
  return Response.json(body, { headers: { "x-request-id": `req_${id}` } });
}

/** A tick of the event loop, so that chunks leave as separate writes as they do at a real vendor. */
function pause(): Promise<void> {
  return gapMs > 0 ? Bun.sleep(gapMs) : new Promise((resolve) => setImmediate(resolve));
}

async function* chunks(id: string, model: string, withUsage: boolean): AsyncGenerator<string> {
  const head = `data: ${JSON.stringify({
    id,
    object: "chat.completion.chunk",
    created: createdAt,
    model,
    service_tier: "default",
    system_fingerprint: "fp_bench",
  }).slice(0, -1)},`;
  // With include_usage every chunk but the last carries a null in its place.
  const end = withUsage ? `,"usage":null}\n\n` : "}\n\n";
  const choice = (delta: object, finish: string | null) =>
    `${head}"choices":${JSON.stringify([{ index: 0, delta, logprobs: null, finish_reason: finish }])}${end}`;

  yield choice({ role: "assistant", content: "", refusal: null }, null);
  const word = choice({ content: WORD }, null);
  for (let sent = 0; sent < tokens; sent += 1) {
    await pause();
    yield word;
  }
  await pause();
  const usageChunk = withUsage ? `${head}"choices":[],"usage":${JSON.stringify(usage)}}\n\n` : "";
  yield `${choice({}, "stop")}${usageChunk}data: [DONE]\n\n`;
}

async function answer(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname;
  if (path === "/healthz") return new Response("ok");
  if (request.method !== "POST" || path !== "/v1/chat/completions") {
    return Response.json({ error: { message: `No route ${path}` } }, { status: 404 });
  }
  const { model, stream, stream_options } = (await request.json()) as ChatRequest;
  answers += 1;
  const id = `chatcmpl-bench${answers}`;
  const snapshot = `${model}-2025-04-14`;
  if (!stream) return completion(id, snapshot);
  const body = chunks(id, snapshot, stream_options?.include_usage === true);
  return new Response(body, {
    headers: { "content-type": "text/event-stream; charset=utf-8", "x-request-id": `req_${id}` },
  });
}

Bun.serve({ hostname: "127.0.0.1", port, idleTimeout: 0, fetch: answer });
