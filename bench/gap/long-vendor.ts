// A mock vendor of very long answers, as a process of its own: to send one keeps it from anything else.
//
// PORT        the port on 127.0.0.1
import { usageOf, WORD } from "../answer.ts";

const ANSWER_BYTES = 60 * 1024 * 1024;

interface ChatRequest {
  model: string;
  messages: readonly { readonly content: string }[];
}

/** Members of an answer that are about that long. */
const LONG: Readonly<Record<string, () => string>> = {
  // As in embeddings, which nothing but the numbers makes long.
  numbers: () =>
    `"content":"hello","numbers":[${"-0.012345678901234567,".repeat(ANSWER_BYTES / 22)}0]`,
  words: () => `"content":"${WORD.repeat(ANSWER_BYTES / WORD.length)}"`,
};

/** Made when it is first asked for. */
const made = new Map<string, Buffer>();

function answer(kind: string): Buffer {
  const known = made.get(kind);
  if (known) return known;
  const text =
    '{"id":"chatcmpl-long","object":"chat.completion","created":1790000000,"model":"long","choices":[{"index":0,' +
    `"message":{"role":"assistant",${LONG[kind]?.()}},"finish_reason":"stop"}],"usage":${JSON.stringify(usageOf(64))}}`;
  const bytes = Buffer.from(text);
  made.set(kind, bytes);
  return bytes;
}

Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env.PORT),
  idleTimeout: 0,
  async fetch(request) {
    if (new URL(request.url).pathname === "/healthz") return new Response("ok");
    const { messages } = (await request.json()) as ChatRequest;
    const body = answer(messages[0]?.content ?? "");
    return new Response(body, { headers: { "content-type": "application/json" } });
  },
});
