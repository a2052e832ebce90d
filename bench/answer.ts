// What the mock vendor answers and what the load generator expects: one place, so that they agree.

/** The model that the bench asks for, and the dated name under which the vendor answers. */
export const MODEL = "gpt-4.1-mini";
export const SNAPSHOT = "gpt-4.1-mini-2025-04-14";

/** Every answer repeats this word once per token, and a stream sends one word per chunk. */
export const WORD = "hello ";
export const ANSWER_TOKENS = 64;
export const PROMPT_TOKENS = 12;

/** A slow stream is shorter, so that one chunk per second still ends in less than half a minute. */
export const SLOW_STREAM_TOKENS = 24;
export const SLOW_STREAM_GAP_MS = 1_000;

/** The usage block as the vendor writes it; nothing is cached and nothing is reasoning. */
export function usageOf(answerTokens: number) {
  return {
    prompt_tokens: PROMPT_TOKENS,
    completion_tokens: answerTokens,
    total_tokens: PROMPT_TOKENS + answerTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
}

/**
 * The same question as a Messages client asks it. The stop sequence never comes; it makes the gateway
 * speak chat to the vendor, which is what the mock speaks.
 */
export function messagesBody(): string {
  return JSON.stringify({
    model: MODEL,
    system: "You answer shortly.",
    messages: [{ role: "user", content: "Say hello as often as you can." }],
    max_tokens: ANSWER_TOKENS,
    stop_sequences: ["good-bye"],
    stream: true,
  });
}

/** The request body: the same text for everyone, but for a server that knows the model by another name. */
export function requestBody(stream: boolean, model = MODEL): string {
  return JSON.stringify({
    model,
    messages: [
      { role: "system", content: "You answer shortly." },
      { role: "user", content: "Say hello as often as you can." },
    ],
    max_tokens: ANSWER_TOKENS,
    // Both sides meter from the usage chunk, and the bare relay does not rewrite requests.
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  });
}
