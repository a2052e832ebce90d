import { type Model, priceAt } from "../../catalogue/models.ts";
import type { Clock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import { JsonText } from "../../protocols/bytes/splice.ts";
import { faultOfVendor, upstreamUnavailable } from "../../protocols/faults.ts";
import type { JsonObject } from "../../protocols/fields.ts";
import { openTranslation, type Translation } from "../../protocols/translation/translate.ts";
import type { PassWire, UpstreamOptions } from "../../protocols/wire.ts";
import type { Wires } from "../../protocols/wires.ts";
import { REFUSAL_CHARS_MAX, refusalOfAnswer, refusalOfSilence, VendorRefusal } from "../refusal.ts";
import type { Route, Routes } from "../routing.ts";
import { fetchedAnswer } from "../transport/fetched-call.ts";
import type { VendorAnswer, VendorCall } from "../transport/vendor-answer.ts";
import { AnswerTooLong } from "../transport/whole-text.ts";
import type { ChannelState, TestedKey } from "./channel-state.ts";
import type { UpstreamCall } from "./channels.ts";
import type { Credential } from "./credentials.ts";
import { LIST_BYTES_MAX } from "./fetched-models.ts";

const WITHIN_MS = 30_000;
/** An answer of a few tokens, or the numbers of an embedding: it is read in one step. */
const ANSWER_BYTES_MAX = 512 * 1024;
/** The smallest maximum that every wire takes. */
const OUTPUT_TOKENS = 16;

/** How one key of a channel did. The error is the vendor's own, without the key. */
interface CredentialTest {
  readonly lastFour: string;
  readonly ok: boolean;
  readonly status: number | undefined;
  readonly latencyMs: number;
  readonly error: string | undefined;
}

/** The same with whose doing it was, which is for the channel's state. */
interface Tried extends TestedKey {
  readonly shown: CredentialTest;
}

export interface ChannelTest {
  /** A tiny real request, or the list of models where there is no model to ask for. */
  readonly method: "generate" | "list";
  readonly model: string | undefined;
  readonly credentials: readonly CredentialTest[];
}

interface Testing {
  readonly routes: Routes;
  readonly wires: Wires;
  readonly clock: Clock;
}

type Send = (credential: Pick<Credential, "key">, signal: AbortSignal) => Promise<VendorAnswer>;

/** How a call is made, and how its answer shows that it is one. */
export interface Trial {
  readonly send: Send;
  /** How long an answer may be. */
  readonly bytesMax: number;
  /** Throws where a 200 is no answer. */
  check(text: string): void;
}

/** The one that costs least to ask. */
export function cheapest(models: readonly Model[], nowMs: number): Model | undefined {
  let best: { readonly model: Model; readonly output: bigint } | undefined;
  for (const model of models) {
    const output = priceAt(model, nowMs)?.rates.output;
    if (output !== undefined && (!best || output < best.output)) best = { model, output };
  }
  return best?.model;
}

/** The call is hung up on when its time is over. */
export function answerOf(call: VendorCall, signal: AbortSignal): Promise<VendorAnswer> {
  signal.addEventListener("abort", () => call.hangUp(signal.reason), { once: true });
  return Promise.resolve(call.answered);
}

/** A request as the gateway would send it to the channel of a route, and the way back for its answer. */
export function writtenFor(
  { channel, upstreamModel }: Route,
  model: Model,
  endpoint: UpstreamCall["endpoint"],
  said: JsonObject,
  wires: Wires,
): { readonly call: UpstreamCall; readonly translation: Translation } {
  const text = JSON.stringify(said);
  const client: PassWire = endpoint === "embeddings" ? wires.embeddings : wires.chat;
  const request = client.readRequest(said, text);
  const translation = openTranslation(client, wires[endpoint], request, channel.dialect);
  const options: UpstreamOptions = {
    model: upstreamModel,
    outputClamp: undefined,
    searchesMax: 4,
    keepReasoning: false,
    maxOutput: model.maxOutput,
    rules: model.rules,
    dialect: channel.dialect,
    allows: channel.allows,
    webSearch: false,
  };
  const call: UpstreamCall = {
    endpoint,
    path: wires[endpoint].path(upstreamModel, request.stream),
    body: translation.writeRequest(options).text,
    stream: request.stream,
    requestId: newId("test_"),
    sandboxFault: undefined,
  };
  return { call, translation };
}

function generation(route: Route, model: Model, wires: Wires): Trial {
  const { channel, endpoints } = route;
  const embeds = endpoints.every((endpoint) => endpoint === "embeddings");
  const endpoint = endpoints.find((each) => each === "chat") ?? endpoints[0] ?? "chat";
  const said = embeds
    ? { model: model.id, input: "ok" }
    : {
        model: model.id,
        messages: [{ role: "user", content: "Reply with ok." }],
        max_completion_tokens: OUTPUT_TOKENS,
      };
  const { call, translation } = writtenFor(route, model, endpoint, said, wires);
  return {
    send: (credential, signal) => answerOf(channel.call(call, credential.key), signal),
    bytesMax: ANSWER_BYTES_MAX,
    check(text) {
      const options = { model: model.id, echo: {} };
      const json = new JsonText(text);
      const { failure } = translation.readResult(JSON.parse(text), json, options);
      if (failure) throw failure;
    },
  };
}

function listing({ channel }: ChannelState): Trial | undefined {
  const list = channel.list;
  return (
    list && {
      send: (credential, signal) => list(credential.key, signal).then(fetchedAnswer),
      bytesMax: LIST_BYTES_MAX,
      check() {},
    }
  );
}

/** What was answered instead of a 200. What is no JSON is told as it is. */
function refusedWith(
  { status, headers }: VendorAnswer,
  { key }: Pick<Credential, "key">,
  text: string,
  nowMs: number,
): VendorRefusal {
  // The key goes before anything is cut, which could leave a part of it.
  let body: unknown = { error: { message: key.hide(text).trim() } };
  try {
    body = key.parse(text);
  } catch {}
  return refusalOfAnswer({ status, headers, body }, faultOfVendor, nowMs);
}

/** A 200 that is no answer. */
function unanswered(thrown: unknown, { key }: Pick<Credential, "key">): VendorRefusal {
  const message = key.hide(thrown instanceof Error ? thrown.message : String(thrown));
  return new VendorRefusal(message, { kind: "vendor", fault: upstreamUnavailable(thrown) });
}

/** What was answered. A refusal that is too long says nothing but its status. */
async function answeredText(
  answer: VendorAnswer,
  { bytesMax }: Trial,
  over: AbortController,
): Promise<string> {
  if (answer.status === 200) return answer.text(bytesMax);
  try {
    return await answer.text(REFUSAL_CHARS_MAX);
  } catch (thrown) {
    if (!(thrown instanceof AnswerTooLong)) throw thrown;
    over.abort(thrown);
    return "";
  }
}

/** Asks with one key, and returns why it got no answer. */
export async function refusalIn(
  credential: Pick<Credential, "key">,
  trial: Trial,
  clock: Clock,
  withinMs = WITHIN_MS,
): Promise<VendorRefusal | undefined> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(withinMs)]);
  let response: VendorAnswer;
  let text: string;
  try {
    response = await trial.send(credential, signal);
    text = await answeredText(response, trial, over);
  } catch (thrown) {
    over.abort(thrown);
    return refusalOfSilence(thrown);
  }
  if (response.status !== 200) return refusedWith(response, credential, text, clock());
  try {
    trial.check(text);
    return undefined;
  } catch (thrown) {
    return unanswered(thrown, credential);
  }
}

async function tryOne(credential: Credential, trial: Trial, testing: Testing): Promise<Tried> {
  const { routes, clock } = testing;
  const { key } = credential;
  const startedMs = routes.now();
  const refusal = await refusalIn(credential, trial, clock);
  const shown: CredentialTest = {
    lastFour: key.lastFour,
    ok: refusal === undefined,
    status: refusal ? refusal.status : 200,
    latencyMs: routes.now() - startedMs,
    error: refusal?.message,
  };
  return { credential, refusal, shown };
}

/**
 * One small call with each key of a channel, past its health and its plans, so that a channel which
 * is cooled or switched off can be tried too. A refused key that answers is refused no more. Returns
 * nothing where there is nothing to call; a model that the channel does not have is no reason to
 * take another.
 */
export async function testChannel(
  testing: Testing,
  state: ChannelState,
  modelId?: string,
): Promise<ChannelTest | undefined> {
  const { routes, wires, clock } = testing;
  const served = routes.modelsOf(state.channel.id);
  const model =
    modelId === undefined
      ? cheapest(served, clock())
      : served.find((candidate) => candidate.id === modelId);
  const route = model && routes.routeOn(state.channel.id, model);
  const trial =
    model && route
      ? generation(route, model, wires)
      : modelId === undefined
        ? listing(state)
        : undefined;
  if (!trial) return undefined;
  const { all } = state.credentials;
  const tried = await Promise.all(all.map((each) => tryOne(each, trial, testing)));
  const method = route ? "generate" : "list";
  state.tested(tried, method, routes.now());
  return { method, model: model?.id, credentials: tried.map(({ shown }) => shown) };
}
