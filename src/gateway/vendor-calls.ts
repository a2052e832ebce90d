import type { Model } from "../catalogue/models.ts";
import type { NanoUsd } from "../catalogue/money.ts";
import { breath, isLarge } from "../lib/breath.ts";
import { Fault } from "../lib/faults.ts";
import type { Incoming, LeaveSignal, Sent, SentHeaders } from "../lib/route.ts";
import type { Soon } from "../lib/soon.ts";
import { type ChunkedText, encodeInSteps } from "../lib/text/chunked-text.ts";
import { upstreamUnavailable } from "../protocols/faults.ts";
import {
  openTranslation,
  outputMaximumName,
  type Translation,
} from "../protocols/translation/translate.ts";
import { awkwardWire, detourFor } from "../protocols/translation/wire-choice.ts";
import type {
  ClientRequest,
  PassWire,
  UpstreamBody,
  UpstreamOptions,
  VendorResult,
} from "../protocols/wire.ts";
import type { UpstreamCall } from "../upstream/channels/channels.ts";
import { Exchange } from "../upstream/exchange.ts";
import type { Attempt } from "../upstream/plans/attempt.ts";
import type { Plan, PlanOptions } from "../upstream/plans/plan.ts";
import { refusalOf, type VendorRefusal } from "../upstream/refusal.ts";
import { passedHeaders } from "../upstream/request-headers.ts";
import type { VendorAnswer } from "../upstream/transport/vendor-answer.ts";
import type { AdmittedRequest } from "./admitted-request.ts";
import type { Body } from "./arriving/body.ts";
import type { Candidate } from "./arriving/find-model.ts";
import { readsOn } from "./ending/leaving.ts";
import type { AnswerKeeper } from "./idempotency/answer-keeper.ts";
import { isMetered } from "./money/metering.ts";
import type { Services } from "./services.ts";
import type { StoredTurn } from "./stored-turn.ts";

export type Reshape = (result: VendorResult, request: ClientRequest) => VendorResult;

/** Everything an admitted request needs on its way to a vendor and back. */
export interface Dispatch {
  readonly wire: PassWire;
  readonly admitted: AdmittedRequest;
  readonly request: ClientRequest;
  readonly turn: StoredTurn;
  /** Where the answer may be asked for again. */
  readonly keeper: AnswerKeeper | undefined;
  /** Another form for the answer, where the client asked for something that is made of one. */
  readonly reshape: Reshape | undefined;
  /** What it holds of the room for bodies, until its answer begins. */
  readonly body: Pick<Body, "release">;
  /** Headers that the answer has, whoever gives it. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of the client's request. */
  readonly asked: SentHeaders;
  /** Fires when the client has left. */
  readonly signal: LeaveSignal;
  /** Who waits for the answer. */
  readonly client: Pick<Incoming<Sent>, "isBeingAnswered">;
}

/** What a client hears of what was thrown while a vendor was asked. Never the key it was asked with. */
function heardOf(thrown: unknown, { credential }: Attempt): unknown {
  const heard = refusalOf(thrown)?.fault ?? thrown;
  return heard instanceof Fault ? credential.key.hideIn(heard) : heard;
}

/** One conversation goes where it went before, since a vendor's cache of it is there. */
function stickyKey({ admitted, request }: Dispatch): string | undefined {
  const { prompt_cache_key, previous_response_id } = request.body;
  const conversation = prompt_cache_key ?? previous_response_id;
  return typeof conversation === "string" ? stickyName(admitted, conversation) : undefined;
}

function stickyName(admitted: AdmittedRequest, conversation: string): string {
  return `${admitted.caller.key.accountId} ${conversation}`;
}

/** Whoever goes on from a response goes where it came from. */
export function rememberPlace(
  admitted: AdmittedRequest,
  attempt: Attempt,
  responseId: string | undefined,
): void {
  if (responseId !== undefined) attempt.rememberAs(stickyName(admitted, responseId));
}

/** A client that wants more than a model can write gets what it can. */
function ownMaximum({ maxOutput = 0 }: ClientRequest, model: Model): number | undefined {
  return maxOutput > model.maxOutput ? model.maxOutput : undefined;
}

/** How the last vendor that was asked did not answer. */
interface Refused {
  /** What the client would hear of it. */
  readonly heard: unknown;
  readonly fault: Fault | undefined;
}

/** What was read of an answer, and what is wrong with it where it cannot be used. */
export interface Reading<T> {
  readonly answer: T;
  readonly failure: Fault | undefined;
}

/** Reads an answer whose headers are there. Nothing has gone to the client while it does. */
type ReadAnswer<T> = (
  services: Services,
  dispatch: Dispatch,
  exchange: Exchange,
  response: VendorAnswer,
  translation: Translation,
) => Soon<Reading<T>>;

/** The vendor that answers, and its answer as far as it was read. */
export interface Answered<T> {
  readonly answered: true;
  readonly attempt: Attempt;
  readonly exchange: Exchange;
  readonly response: VendorAnswer;
  /** What could not be said to this vendor, named for the client. */
  readonly dropped: readonly string[];
  /** The most output of an answer that it was asked for, where the money buys no more. */
  readonly clamp: number | undefined;
  readonly answer: T;
}

/** Nobody answered. Of the last vendor that was asked, where there was one: the call and what was read. */
export interface Unanswered<T> {
  readonly answered: false;
  readonly exchange: Exchange | undefined;
  /** That vendor had failed before: whoever was to be asked instead has not been. */
  readonly unsaid: boolean;
  readonly answer: T | undefined;
  /** What the client hears, unless it is a mistake of ours. */
  readonly thrown: unknown;
}

/** Asks one vendor after another until one answers, while nothing has gone to the client. */
export class VendorCalls {
  readonly #services: Services;
  readonly #dispatch: Dispatch;
  /** The models that are left, the one that is asked first. */
  #candidates: readonly Candidate[];
  #plan: Plan | undefined;
  /** The attempt whose vendor is being asked, or was last. */
  #asked: Attempt | undefined;
  #exchange: Exchange | undefined;
  #dispatchedAtMs: number | undefined;
  #refused: Refused | undefined;
  #unsaid = false;

  constructor(services: Services, dispatch: Dispatch) {
    this.#services = services;
    this.#dispatch = dispatch;
    this.#candidates = dispatch.admitted.candidates;
  }

  /**
   * Resolves with the first vendor's answer that can be used; once there is nobody else to ask, with
   * what the last one said. Never rejects.
   */
  async ask<T>(readAnswer: ReadAnswer<T>): Promise<Answered<T> | Unanswered<T>> {
    const { wire, request } = this.#dispatch;
    const isLong = isLarge(request.json.text);
    let answer: T | undefined;
    try {
      let attempt = this.#take();
      for (;;) {
        try {
          // It was just measured, or refused elsewhere; to translate it is a step of its own.
          if (isLong) await breath();
          const vendor = this.#services.wires[attempt.endpoint];
          const translation = openTranslation(wire, vendor, request, attempt.dialect);
          const clamp = this.#clampOf(attempt);
          const options = this.#optionsOf(attempt, clamp);
          const sent = isLong
            ? await translation.writeLongRequest(options)
            : translation.writeRequest(options);
          const call = this.#callOf(attempt, isLong ? await this.#encoded(sent) : sent.text);
          const exchange = this.#begin(attempt, clamp, sent);
          // What a failed answer says it has used is charged, unless another vendor is asked.
          answer = undefined;
          let response: VendorAnswer;
          try {
            response = await exchange.send(call);
          } catch (thrown) {
            throw exchange.unheard(thrown);
          }
          const refused = exchange.heard(response, vendor.readFault);
          if (refused) await refused;
          const read = readAnswer(this.#services, this.#dispatch, exchange, response, translation);
          const reading = read instanceof Promise ? await read : read;
          answer = reading.answer;
          if (reading.failure) throw reading.failure;
          attempt.succeeded();
          const dropped = this.#droppedOf(sent);
          return { answered: true, attempt, exchange, response, dropped, clamp, answer };
        } catch (thrown) {
          attempt = this.#instead(thrown, attempt);
        }
      }
    } catch (thrown) {
      return { answered: false, exchange: this.#exchange, unsaid: this.#unsaid, answer, thrown };
    }
  }

  /** Whoever asks again is to get this answer: it goes on as if its client still waited. */
  get #isForAnother(): boolean {
    const { request, keeper } = this.#dispatch;
    return !request.stream && keeper?.word === "first";
  }

  get #isUnwanted(): boolean {
    return this.#dispatch.signal.aborted && !this.#isForAnother;
  }

  /** The client has left. Where the vendor is read on all the same, what to do at its end. */
  left(): (() => void) | undefined {
    const { stream } = this.#dispatch.request;
    const { drains } = this.#services;
    if (this.#isForAnother) return drains.enterUnplaced();
    if (!this.#asked || !this.#exchange) return undefined;
    const call = { attempt: this.#asked, exchange: this.#exchange, stream };
    return readsOn(this.#services, call) ? () => drains.leave() : undefined;
  }

  /** From here on the vendor counts as asked, and the one before it as given up. */
  #begin(attempt: Attempt, clamp: number | undefined, sent: UpstreamBody): Exchange {
    const { admitted, request } = this.#dispatch;
    const nowMs = this.#services.watchdog.now();
    if (this.#exchange) {
      this.#exchange.cancel(new Error("another vendor is asked"));
      this.#exchange.release();
      admitted.gaveUp(this.#exchange.status, this.#refused?.fault, nowMs);
    }
    const fee = this.#feeOf(attempt, sent);
    admitted.begin(this.#candidate, attempt, nowMs, { outputClamp: clamp, fee });
    this.#asked = attempt;
    const { stream } = request;
    const { accountId } = admitted.caller.key;
    const dispatchedAtMs = this.#dispatchedAtMs;
    this.#exchange = new Exchange(attempt, stream, accountId, this.#services, dispatchedAtMs);
    this.#dispatchedAtMs ??= nowMs;
    return this.#exchange;
  }

  /** Whom to ask instead of a vendor that did not answer; throws where that is nobody. */
  #instead(thrown: unknown, attempt: Attempt): Attempt {
    const heard = heardOf(thrown, attempt);
    // Nobody was asked: the request cannot be said on this wire, though perhaps on another.
    const unsaid = this.#asked !== attempt;
    this.#unsaid = unsaid;
    if (this.#isUnwanted || (!unsaid && this.#exchange?.ranShort)) {
      attempt.abandoned();
      throw heard;
    }
    const refusal = unsaid ? attempt.unsaid(thrown) : attempt.failed(thrown);
    if (!unsaid) this.#hear(attempt, heard, refusal);
    const overran = !unsaid && this.#exchange?.overran;
    const final = !refusal || overran || !(refusal.retryable || unsaid);
    const next = final ? undefined : this.#look();
    if (next) return next;
    // The last key that was left has just been refused: it does not get better by asking again.
    if (refusal?.kind === "credential") {
      const fault = this.#unavailable();
      if (!fault.retry) throw fault;
    }
    // A vendor that might answer later counts for more than one that cannot be asked at all.
    throw unsaid && refusal && this.#refused ? this.#refused.heard : heard;
  }

  #hear(attempt: Attempt, heard: unknown, refusal: VendorRefusal | undefined): void {
    this.#refused = { heard, fault: refusal?.fault };
    if (refusal) this.#dispatch.admitted.heard(attempt.credential.key.hide(refusal.message));
  }

  get #candidate(): Candidate {
    return this.#candidates[0] ?? this.#dispatch.admitted.candidates[0];
  }

  #take(): Attempt {
    const attempt = this.#look();
    if (!attempt) throw this.#unavailable();
    return attempt;
  }

  /** Nobody can be asked: for how long is up to whichever of the models can be asked first. */
  #unavailable(): Fault {
    const faults = this.#dispatch.admitted.candidates.map((candidate) =>
      this.#newPlan(undefined, candidate).unavailable(),
    );
    const passing = faults.find(({ retry }) => retry);
    return passing ?? faults[0] ?? this.#planned().unavailable();
  }

  /** The next vendor of the model; of the next model, once it has none left. */
  #look(): Attempt | undefined {
    for (;;) {
      const attempt = this.#planned().next();
      if (attempt || this.#candidates.length < 2) return attempt;
      const { tried } = this.#planned();
      this.#candidates = this.#candidates.slice(1);
      this.#plan = this.#newPlan(tried);
    }
  }

  #planned(): Plan {
    this.#plan ??= this.#newPlan();
    return this.#plan;
  }

  #newPlan(tried?: PlanOptions["tried"], { model } = this.#candidate): Plan {
    const { wire, request } = this.#dispatch;
    return this.#services.routes.plan(model, {
      wire: wire.endpoint,
      avoid: awkwardWire(wire, request),
      detour: detourFor(wire, request, model.rules),
      sticky: stickyKey(this.#dispatch),
      webSearch: request.webSearch && model.webSearch,
      tried,
    });
  }

  /**
   * What cannot be ended where the money ends is asked for no more than it buys: whole answers, those
   * whose tokens are not seen, and those that are billed to their end anyway.
   */
  #clampOf({ channel }: Attempt): number | undefined {
    const { admitted, request } = this.#dispatch;
    const { model } = this.#candidate;
    const ends = isMetered(request, model) && channel.onDisconnect === "abort";
    return ends ? undefined : admitted.room.clampOf(model);
  }

  /** What is asked of this vendor beyond the lists, as it is really asked, and no more than is held for it. */
  #feeOf({ channel: { allows } }: Attempt, sent: UpstreamBody): NanoUsd {
    if (!allows.hasFees) return 0n;
    const fee = allows.fee(sent.value);
    const { fee: held } = this.#dispatch.admitted.room.sizeOf(this.#candidate.model);
    return fee < held ? fee : held;
  }

  /** What the vendor's wire is to know of the request. */
  #optionsOf(attempt: Attempt, clamp: number | undefined): UpstreamOptions {
    const { admitted, request, turn } = this.#dispatch;
    const { model } = this.#candidate;
    return {
      model: attempt.upstreamModel,
      outputClamp: clamp ?? ownMaximum(request, model),
      keepReasoning: turn.keepReasoning && model.capabilities.includes("reasoning"),
      maxOutput: model.maxOutput,
      rules: model.rules,
      dialect: attempt.dialect,
      allows: attempt.channel.allows,
      webSearch: attempt.runsSearches && model.webSearch,
      searchesMax: admitted.room.sizeOf(model).searches,
    };
  }

  /** What could not be said to the vendor. */
  #droppedOf({ dropped }: UpstreamBody): readonly string[] {
    const { wire, request } = this.#dispatch;
    const isLowered = ownMaximum(request, this.#candidate.model) !== undefined;
    return isLowered ? [...dropped, outputMaximumName(wire, request)] : dropped;
  }

  /** A long body, in steps. The client may leave meanwhile, and then nobody is asked. */
  async #encoded(sent: UpstreamBody): Promise<ChunkedText> {
    const body = await encodeInSteps(sent.pieces());
    if (!this.#isUnwanted) return body;
    throw upstreamUnavailable(new Error("the client left before the vendor was called"));
  }

  #callOf({ endpoint, upstreamModel }: Attempt, body: UpstreamCall["body"]): UpstreamCall {
    const { admitted, request, asked } = this.#dispatch;
    const { requestId, trace } = admitted.caller;
    const passed = passedHeaders(endpoint, asked);
    return {
      endpoint,
      path: this.#services.wires[endpoint].path(upstreamModel, request.stream),
      body,
      stream: request.stream,
      requestId,
      headers: trace ? trace.headersWith(passed) : passed,
      sandboxFault: asked.get("x-sandbox-fault") ?? undefined,
    };
  }
}
