import { post, told } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import {
  COST,
  count,
  FALLBACKS,
  IDEMPOTENT,
  MODEL,
  STREAM,
  temperature,
  thing,
  things,
  topP,
} from "./by-key.ts";

const message = z.looseObject({
  role: told(z.string(), "`system`, `developer`, `user`, `assistant` or `tool`.", "user"),
  content: told(
    z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
    "A text, or parts: text, images, files.",
    "Say hello.",
  ).nullish(),
});

const request = z
  .looseObject({
    model: MODEL,
    messages: told(z.array(message).min(1), "The whole conversation.", [
      { role: "user", content: "Say hello." },
    ]),
    ...FALLBACKS,
    stream: STREAM,
    stream_options: thing("`include_usage` sends the counts in a last chunk."),
    usage: thing("`include: true` asks for the same; the last chunk then has the cost too."),
    max_completion_tokens: told(
      z.int().min(1),
      "The maximum output. The hold depends on it.",
    ).nullish(),
    max_tokens: told(z.int().min(1), "The older name of the same.").nullish(),
    n: told(z.int().min(1), "The number of answers; each is charged.").nullish(),
    stop: told(z.union([z.string(), z.array(z.string())]), "Where the answer ends.").nullish(),
    tools: things("Functions and custom tools."),
    tool_choice: told(
      z.union([z.string(), z.looseObject({})]),
      "Which tool is to be called.",
    ).optional(),
    response_format: thing("The form of the answer, such as a JSON schema."),
    reasoning_effort: told(z.string(), "The thinking effort.").nullish(),
    temperature,
    top_p: topP,
  })
  .meta({ id: "ChatRequest" });

const completion = z
  .looseObject({
    id: told(z.string(), "The id of the answer; it also finds the receipt.", "chatcmpl-01jc8z4v"),
    object: z.literal("chat.completion"),
    created: count("In seconds since 1970.", 1_794_300_000),
    model: told(z.string(), "The model that answered.", "sandbox-1.0"),
    choices: told(z.array(z.looseObject({ message: z.looseObject({}) })), "The answers.", [
      { index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" },
    ]),
    usage: z.looseObject({
      prompt_tokens: count("Cached tokens included.", 11),
      completion_tokens: count("Reasoning included.", 2),
      total_tokens: count("Both.", 13),
      ...COST,
    }),
  })
  .meta({ id: "ChatCompletion" });

export const COMPLETE_CHAT = post("/v1/chat/completions", "Answers a chat, whole or as a stream.", {
  headers: IDEMPOTENT,
  body: request,
  example: { model: "sandbox-1.0", messages: [{ role: "user", content: "Say hello." }] },
  answer: completion,
  stream: "Chunks `chat.completion.chunk` as OpenAI sends them, and `data: [DONE]` at the end.",
});
