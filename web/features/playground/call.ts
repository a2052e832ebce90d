import { ApiError, OFFLINE } from "../../lib/api.ts";
import { type Answer, type Endpoint, NO_ANSWER, readEvent } from "./answer.ts";
import { SseReader } from "./sse.ts";

export interface Exchange {
  readonly prompt: string;
  readonly answer: string;
}

export interface Call {
  readonly secret: string;
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly instructions: string;
  readonly maxOutput: number | undefined;
  /** What was said before, oldest first. */
  readonly before: readonly Exchange[];
  readonly prompt: string;
}

const PATHS: Readonly<Record<Endpoint, string>> = {
  responses: "/v1/responses",
  chat: "/v1/chat/completions",
};

function messagesOf({ before, prompt }: Call) {
  const said = before.flatMap((exchange) => [
    { role: "user", content: exchange.prompt },
    { role: "assistant", content: exchange.answer },
  ]);
  return [...said, { role: "user", content: prompt }];
}

export function bodyOf(call: Call): object {
  const { model, maxOutput } = call;
  const instructions = call.instructions.trim();
  if (call.endpoint === "responses") {
    return {
      model,
      input: messagesOf(call),
      ...(instructions && { instructions }),
      ...(maxOutput && { max_output_tokens: maxOutput }),
      stream: true,
      // The conversation lives in this tab.
      store: false,
    };
  }
  const system = instructions ? [{ role: "system", content: instructions }] : [];
  return {
    model,
    messages: [...system, ...messagesOf(call)],
    ...(maxOutput && { max_completion_tokens: maxOutput }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

/** The gateway knows the key by its header; the visitor's cookie has no business there. */
function send(path: string, secret: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  return fetch(path, { ...init, credentials: "omit", headers });
}

async function refusalOf(response: Response): Promise<ApiError> {
  const body = await response.json().catch(() => undefined);
  const { message = response.statusText, code = OFFLINE, param = null } = body?.error ?? {};
  const fix = response.headers.get("x-faregate-fix");
  const words = fix === null ? message : `${message.replace(/\.$/, "")}. ${fix}`;
  return new ApiError(response.status, code ?? "", words, param);
}

interface CallListener {
  readonly onStart: (requestId: string | undefined) => void;
  readonly onAnswer: (answer: Answer) => void;
}

/** Sends a prompt and tells of the answer as it grows. Throws for a refusal, and when stopped. */
export async function stream(
  call: Call,
  signal: AbortSignal,
  { onStart, onAnswer }: CallListener,
): Promise<void> {
  const init = { method: "POST", body: JSON.stringify(bodyOf(call)), signal };
  const response = await send(PATHS[call.endpoint], call.secret, init);
  onStart(response.headers.get("x-request-id") ?? undefined);
  if (!response.ok || !response.body) throw await refusalOf(response);
  const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const events = new SseReader();
  let answer = NO_ANSWER;
  for (;;) {
    const { done, value } = await pieces.read();
    if (done) return;
    for (const data of events.push(value)) answer = readEvent(answer, call.endpoint, data);
    onAnswer(answer);
  }
}

export interface Receipt {
  readonly id: string;
  readonly cost: string;
  readonly usage: {
    readonly input_tokens: number;
    readonly cache_read_tokens: number;
    readonly output_tokens: number;
  };
}

const RECEIPT_TRIES = 6;
const RECEIPT_GAP_MS = 500;

/** A request that was stopped is settled a moment later, so its receipt may have to be waited for. */
export async function fetchReceipt(secret: string, id: string): Promise<Receipt | undefined> {
  for (let tries = 1; tries <= RECEIPT_TRIES; tries++) {
    const path = `/v1/generation?id=${encodeURIComponent(id)}`;
    const response = await send(path, secret).catch(() => undefined);
    if (response?.ok) return response.json();
    await new Promise((resolve) => setTimeout(resolve, RECEIPT_GAP_MS));
  }
  return undefined;
}
