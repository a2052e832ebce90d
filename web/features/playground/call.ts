import type { Receipt as WholeReceipt } from "../../../src/console/contract/receipt.ts";
import { ApiError, api, OFFLINE } from "../../lib/api.ts";
import { hearRefusal } from "../../lib/auth/signed-out.ts";
import {
  type AnswerUsage,
  type Endpoint,
  NO_ANSWER,
  readEvent,
  type ShownAnswer,
} from "./answer.ts";
import { SseReader } from "./sse.ts";

export interface Exchange {
  readonly prompt: string;
  readonly answer: string;
}

/** What is asked of a model, whoever asks it by whatever way. */
export interface Question {
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly instructions: string;
  readonly temperature: number | undefined;
  readonly maxOutput: number | undefined;
  /** What was said before, oldest first. */
  readonly before: readonly Exchange[];
  readonly prompt: string;
}

export interface Call extends Question {
  /** The account that pays, as a path of the API. */
  readonly account: string;
}

/** Below `/v1` for programs, and below the account's playground for whoever is signed in. */
export const PATHS: Readonly<Record<Endpoint, string>> = {
  responses: "responses",
  chat: "chat/completions",
};

function messagesOf({ before, prompt }: Question) {
  const said = before.flatMap((exchange) => [
    { role: "user", content: exchange.prompt },
    { role: "assistant", content: exchange.answer },
  ]);
  return [...said, { role: "user", content: prompt }];
}

/** The body of a request, but for how its answer is to come. */
export function questionBody(question: Question): object {
  const { model, maxOutput, temperature } = question;
  const instructions = question.instructions.trim();
  const sending = { ...(temperature !== undefined && { temperature }) };
  if (question.endpoint === "responses") {
    return {
      model,
      input: messagesOf(question),
      ...(instructions && { instructions }),
      ...sending,
      ...(maxOutput && { max_output_tokens: maxOutput }),
    };
  }
  const system = instructions ? [{ role: "system", content: instructions }] : [];
  return {
    model,
    messages: [...system, ...messagesOf(question)],
    ...sending,
    ...(maxOutput && { max_completion_tokens: maxOutput }),
  };
}

export function bodyOf(call: Question): object {
  const how =
    call.endpoint === "responses"
      ? // The conversation lives in this tab.
        { stream: true, store: false }
      : { stream: true, stream_options: { include_usage: true } };
  return { ...questionBody(call), ...how };
}

async function refusalOf(response: Response): Promise<ApiError> {
  const body = await response.json().catch(() => undefined);
  const error = body?.error ?? {};
  const { message = response.statusText, code = OFFLINE, param = null } = error;
  const fix = response.headers.get("x-faregate-fix");
  const words = fix === null ? message : `${message.replace(/\.$/, "")}. ${fix}`;
  hearRefusal(code ?? "");
  return new ApiError(response.status, code ?? "", words, param, error);
}

interface CallListener {
  /** The id of its receipt. */
  readonly onStart: (requestId: string | undefined) => void;
  readonly onAnswer: (answer: ShownAnswer) => void;
}

/** Refusals of one minute may share a receipt; then it is named apart. */
function receiptIdOf({ headers }: Response): string | undefined {
  return headers.get("x-faregate-receipt") ?? headers.get("x-request-id") ?? undefined;
}

/** Sends a prompt and tells of the answer as it grows. Throws for a refusal, and when stopped. */
export async function stream(
  call: Call,
  signal: AbortSignal,
  { onStart, onAnswer }: CallListener,
): Promise<void> {
  const response = await fetch(`${call.account}/playground/${PATHS[call.endpoint]}`, {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/json", "x-faregate-csrf": "1" },
    body: JSON.stringify(bodyOf(call)),
    signal,
  });
  onStart(receiptIdOf(response));
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

/** What of a receipt a turn shows; the rest is in its drawer. */
export interface Receipt extends AnswerUsage {
  readonly id: string;
  readonly cost: string;
}

const RECEIPT_TRIES = 6;
const RECEIPT_GAP_MS = 500;

function shortReceipt({ id, cost, usage, lines }: WholeReceipt): Receipt {
  const cached = lines.find(({ item }) => item === "cache_read")?.quantity ?? 0;
  return { id, cost, input: usage.input_tokens, cached, output: usage.output_tokens };
}

/** A request that was stopped is settled a moment later, so its receipt may have to be waited for. */
export async function fetchReceipt(account: string, id: string): Promise<Receipt | undefined> {
  for (let tries = 1; tries <= RECEIPT_TRIES; tries++) {
    const path = `${account}/requests/${encodeURIComponent(id)}`;
    const receipt = await api.get<WholeReceipt>(path).catch(() => undefined);
    if (receipt) return shortReceipt(receipt);
    await new Promise((resolve) => setTimeout(resolve, RECEIPT_GAP_MS));
  }
  return undefined;
}
