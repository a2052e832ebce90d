import { systemClock } from "../lib/clock.ts";
import { isLarge, yieldToLoop } from "../lib/yield-to-loop.ts";
import { planAnswer } from "./answering/answer.ts";
import { type EmbeddingsPrompt, readEmbeddingsPrompt, writeEmbeddings } from "./embeddings.ts";
import { type Faults, readFaults, reportedCounts } from "./faults.ts";
import { createIds, type MakeId } from "./ids.ts";
import { isRecord, type JsonRecord } from "./json.ts";
import { BadPrompt, type Prompt } from "./reading/prompt.ts";
import { readChatPrompt } from "./reading/read-chat.ts";
import { readResponsesPrompt } from "./reading/read-responses.ts";
import { connectionReset, eventStream } from "./writing/event-stream.ts";
import { writeChunks, writeCompletion } from "./writing/write-chat.ts";
import { writeResponse, writeResponseEvents } from "./writing/write-responses.ts";

interface SandboxOptions {
  readonly random?: () => number;
  readonly now?: () => number;
  /** The pause between the events of a stream. */
  readonly chunkDelayMs?: number;
}

interface Clockwork {
  readonly makeId: MakeId;
  readonly now: () => number;
  readonly chunkDelayMs: number;
}

interface Call extends Clockwork {
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly faults: Faults;
}

/**
 * A model vendor inside the process. Call the result as `fetch` would be called on a vendor that
 * speaks the OpenAI wire:
 *
 *     const vendor = createSandbox();
 *     const request = new Request("http://sandbox/v1/responses", { method: "POST", body });
 *     const answer = await vendor(request);
 */
export function createSandbox(
  options: SandboxOptions = {},
): (request: Request) => Promise<Response> {
  const clockwork = {
    makeId: createIds(options.random ?? Math.random),
    now: options.now ?? systemClock,
    chunkDelayMs: options.chunkDelayMs ?? 0,
  };
  return async (request) => {
    const requestId = clockwork.makeId("req_");
    try {
      return await answerRequest(request, requestId, clockwork);
    } catch (error) {
      if (error instanceof BadPrompt) return writeBadPrompt(error, requestId);
      throw error;
    }
  };
}

async function answerRequest(
  request: Request,
  requestId: string,
  clockwork: Clockwork,
): Promise<Response> {
  request.signal.throwIfAborted();
  const faults = readFaults(request.headers.get("x-sandbox-fault"));
  if (faults.reset) throw connectionReset();
  const read = readerFor(request);
  const prompt = read(await readBody(request));
  const { signal } = request;
  if (faults.status !== null) {
    await wait(faults.delayMs ?? 0, signal);
    return writeFault(faults.status, requestId);
  }
  const call = { ...clockwork, faults, signal, requestId };
  if ("steps" in prompt) return writeAnswer(prompt, call);
  const counts = { input: prompt.inputTokens, output: 0, reasoning: 0 };
  const whole = await writeEmbeddings(prompt, reportedCounts(counts, faults)?.input ?? null);
  return writeWhole(whole, call);
}

const READERS: Readonly<Record<string, (body: JsonRecord) => Prompt | EmbeddingsPrompt>> = {
  "/v1/chat/completions": readChatPrompt,
  "/v1/responses": readResponsesPrompt,
  "/v1/embeddings": readEmbeddingsPrompt,
};

function readerFor(request: Request): (body: JsonRecord) => Prompt | EmbeddingsPrompt {
  const { pathname } = new URL(request.url);
  const read = READERS[pathname];
  if (read === undefined) throw new BadPrompt(`Unknown path ${pathname}.`, null, "not_found", 404);
  if (request.method !== "POST") {
    const message = `Method ${request.method} is not allowed.`;
    throw new BadPrompt(message, null, "method_not_allowed", 405);
  }
  return read;
}

async function readBody(request: Request): Promise<JsonRecord> {
  const text = await request.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new BadPrompt("The body could not be parsed as JSON.", null, "invalid_json");
  }
  // It answers on the loop that serves everybody.
  if (isLarge(text)) await yieldToLoop();
  if (!isRecord(body)) throw new BadPrompt("The body is not a JSON object.", null, "invalid_json");
  return body;
}

async function writeAnswer(prompt: Prompt, call: Call): Promise<Response> {
  const { faults, signal, requestId, makeId, now, chunkDelayMs } = call;
  const answer = planAnswer(prompt);
  const counts = reportedCounts(
    {
      input: prompt.inputTokens,
      output: answer.outputTokens * prompt.choiceCount,
      reasoning: answer.reasoningTokens * prompt.choiceCount,
    },
    faults,
  );
  const job = { prompt, answer, counts, makeId, nowMs: now() };
  if (prompt.stream) {
    const events = prompt.wire === "chat" ? writeChunks(job) : writeResponseEvents(job);
    const pace = { ...faults, delayMs: faults.delayMs ?? chunkDelayMs };
    const headers = {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      "x-request-id": requestId,
    };
    return new Response(eventStream(events, pace, signal), { headers });
  }
  const whole = prompt.wire === "chat" ? writeCompletion(job) : writeResponse(job);
  return writeWhole(JSON.stringify(whole), call);
}

async function writeWhole(whole: string, { faults, signal, requestId }: Call): Promise<Response> {
  if (faults.stallAfter !== null) await wait(Number.POSITIVE_INFINITY, signal);
  await wait(faults.delayMs ?? 0, signal);
  if (faults.resetAfter !== null) throw connectionReset();
  const body = faults.cutAfter === null ? whole : whole.slice(0, Math.floor(whole.length / 2));
  return writeJson(body, 200, requestId);
}

/** Resolves after the pause, or rejects with the signal's reason. An endless pause only aborts. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0) return Promise.resolve();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const leave = () => reject(signal.reason);
  const timer = Number.isFinite(ms) ? setTimeout(resolve, ms) : undefined;
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
  });
}

function writeJson(
  body: string,
  status: number,
  requestId: string,
  more: Readonly<Record<string, string>> = {},
): Response {
  const headers = { "content-type": "application/json", "x-request-id": requestId, ...more };
  return new Response(body, { status, headers });
}

function writeBadPrompt(refusal: BadPrompt, requestId: string): Response {
  const { message, param, code, status } = refusal;
  const error = { message, type: "invalid_request_error", param, code };
  return writeJson(JSON.stringify({ error }), status, requestId);
}

function writeFault(status: 429 | 500, requestId: string): Response {
  const isBusy = status === 429;
  const error = {
    message: `The sandbox was asked to ${isBusy ? "be busy" : "fail"}.`,
    type: isBusy ? "rate_limit_error" : "server_error",
    param: null,
    code: isBusy ? "rate_limit_exceeded" : "server_error",
  };
  const later = isBusy ? { "retry-after": "1", "retry-after-ms": "1000" } : {};
  return writeJson(JSON.stringify({ error }), status, requestId, later);
}
