import type { MaybePromise } from "../../lib/maybe-promise.ts";
import { type ChunkedText, encodeInSteps } from "../../lib/text/chunked-text.ts";
import { isThreaded } from "../../lib/text/text-threads.ts";
import { isLarge, isLargeLength } from "../../lib/yield-to-loop.ts";
import { readLongText } from "../../protocols/bytes/long-text.ts";
import { JsonText, type Written } from "../../protocols/bytes/splice.ts";
import type { Writes } from "../../protocols/bytes/writes.ts";
import { upstreamUnavailable } from "../../protocols/faults.ts";
import type { Translation } from "../../protocols/translation/translate.ts";
import type { AnswerOptions, VendorResult } from "../../protocols/wire.ts";
import type { Exchange } from "../../upstream/exchange.ts";
import type { VendorAnswer } from "../../upstream/transport/vendor-answer.ts";
import type { Dispatch } from "../asking/dispatch.ts";
import type { Reading } from "../asking/vendor-calls.ts";
import type { Services } from "../services.ts";

/** What the answer says of its model: the one that answers, which may not be the one asked for. */
export function answerOptions(dispatch: Dispatch): AnswerOptions {
  const { admitted, turn } = dispatch;
  const told = maximumTold(dispatch);
  const echo = told ? { ...turn.echo, ...told } : turn.echo;
  const { inputTokens } = admitted;
  const { responseId, continues: isKept } = turn;
  return { model: admitted.model.id, responseId, inputTokens, echo, isKept };
}

/**
 * A response repeats the maximum of output that its vendor was told. Where nobody may hear how far the money has cut that,
 * it says what the vendor would have been told with more of it.
 */
function maximumTold({ admitted, request }: Dispatch): AnswerOptions["echo"] | undefined {
  const { outputClamp, tellsClamp, model } = admitted;
  if (outputClamp === undefined || tellsClamp) return undefined;
  const { maxOutput } = request;
  const uncut = maxOutput === undefined ? null : Math.min(maxOutput, model.maxOutput);
  return { max_output_tokens: String(uncut) };
}

/** A vendor's whole answer. One that says it failed is as good as none. */
export function readWhole(
  _services: Services,
  dispatch: Dispatch,
  exchange: Exchange,
  response: VendorAnswer,
  translation: Translation,
): MaybePromise<Reading<VendorResult>> {
  const text = exchange.text(response);
  if (!(text instanceof Promise)) return readText(dispatch, exchange, text, translation);
  return text.then((whole) => readText(dispatch, exchange, whole, translation));
}

function readText(
  dispatch: Dispatch,
  exchange: Exchange,
  text: string,
  translation: Translation,
): MaybePromise<Reading<VendorResult>> {
  if (isLarge(text)) return readInSteps(dispatch, exchange, text, translation);
  return readAtOnce(dispatch, text, translation);
}

function readAtOnce(
  dispatch: Dispatch,
  text: string,
  translation: Translation,
): Reading<VendorResult> {
  try {
    const options = answerOptions(dispatch);
    const result = translation.readResult(JSON.parse(text), new JsonText(text), options);
    return readingOf(dispatch, result);
  } catch (thrown) {
    throw upstreamUnavailable(thrown);
  }
}

/** So that others have their turns meanwhile. The client may leave: the vendor has answered all the same. */
async function readInSteps(
  dispatch: Dispatch,
  exchange: Exchange,
  text: string,
  translation: Translation,
): Promise<Reading<VendorResult>> {
  await exchange.gathered(text.length);
  try {
    const { body, json } = await readLongText(text);
    const result = translation.readLongResult(body, json, answerOptions(dispatch));
    return readingOf(dispatch, await result);
  } catch (thrown) {
    throw upstreamUnavailable(thrown);
  }
}

function readingOf({ reshape, request }: Dispatch, result: VendorResult): Reading<VendorResult> {
  const answer = reshape ? reshape(result, request) : result;
  return { answer, failure: answer.failure };
}

/** What goes to the client. */
export type WholeBody = string | Blob | ChunkedText;

/**
 * Up to here a large body is made one again, since Bun says the length of nothing that it is given bit by bit. A thread
 * hands it over as a copy: of more bytes that would hold up others for too long.
 */
const COPIED_MAX = 16 * 1024 * 1024;

/** What was written, to be sent. A large one is encoded in steps. */
export function bodyOf(
  { threads }: Pick<Services, "threads">,
  exchange: Exchange,
  written: Written,
): MaybePromise<WholeBody> {
  return typeof written === "string" ? written : bodyInSteps(threads, exchange, written);
}

async function bodyInSteps(
  threads: Services["threads"],
  exchange: Exchange,
  pieces: Iterable<string>,
): Promise<WholeBody> {
  const encoded = await encodeInSteps(pieces);
  const { chunks, bytes } = encoded;
  // It may say more than the vendor did, such as what was asked. What there is no room for must not be charged.
  if (exchange.isHeld || isLargeLength(bytes)) await exchange.weigh(bytes);
  if (bytes > COPIED_MAX) return encoded;
  return isThreaded(bytes) ? threads.join(chunks) : new Blob([...chunks]);
}

/** The same as it is kept. */
export function keptOf(body: WholeBody): Writes | Blob {
  if (typeof body === "string") return Buffer.from(body);
  return body instanceof Blob ? body : body.chunks;
}
