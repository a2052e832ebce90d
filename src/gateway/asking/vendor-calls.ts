import { Fault } from "../../lib/faults.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import { type ChunkedText, encodeInSteps } from "../../lib/text/chunked-text.ts";
import { Deferred, hear, type Listener } from "../../lib/threads/deferred.ts";
import { isLarge, yieldToLoop } from "../../lib/yield-to-loop.ts";
import { upstreamUnavailable } from "../../protocols/faults.ts";
import { openTranslation, type Translation } from "../../protocols/translation/translate.ts";
import { awkwardWire, detourFor } from "../../protocols/translation/wire-choice.ts";
import type { UpstreamBody, UpstreamOptions } from "../../protocols/wire.ts";
import type { UpstreamCall } from "../../upstream/channels/channels.ts";
import { Exchange } from "../../upstream/exchange.ts";
import type { Attempt } from "../../upstream/plans/attempt.ts";
import type { Plan, PlanOptions } from "../../upstream/plans/plan.ts";
import { refusalOf, type VendorRefusal } from "../../upstream/refusal.ts";
import type { VendorAnswer } from "../../upstream/transport/vendor-answer.ts";
import type { AdmittedRequest } from "../admitted-request.ts";
import type { Candidate } from "../arriving/find-model.ts";
import { readsOn } from "../ending/leaving.ts";
import type { Services } from "../services.ts";
import type { Dispatch } from "./dispatch.ts";
import { callOf, clampOf, droppedOf, feeOf, loweredFor, optionsOf } from "./vendor-request.ts";

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
) => MaybePromise<Reading<T>>;

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
  readonly lowered: ReturnType<typeof loweredFor>;
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

/**
 * Asks one vendor after another until one answers, while nothing has gone to the client. It is told of each answer where
 * that comes, and tells whoever waits for it: with a promise for each step the loop would turn in between.
 */
export class VendorCalls<T> implements Listener<VendorAnswer> {
  readonly #services: Services;
  readonly #dispatch: Dispatch;
  readonly #readAnswer: ReadAnswer<T>;
  /** The models that are left, the one that is asked first. */
  #candidates: readonly Candidate[];
  #plan: Plan | undefined;
  /** Who is to be asked next, or is being asked, and how. */
  #attempt: Attempt | undefined;
  #translation: Translation | undefined;
  #clamp: number | undefined;
  #dropped: readonly string[] = [];
  /** The last one whose vendor was really asked: some cannot be, since the request cannot be said to them. */
  #asked: Attempt | undefined;
  #exchange: Exchange | undefined;
  #response: VendorAnswer | undefined;
  /** What a failed answer says it has used is charged, unless another vendor is asked. */
  #answer: T | undefined;
  #dispatchedAtMs: number | undefined;
  #refused: Refused | undefined;
  #unsaid = false;

  /**
   * The first vendor's answer that can be used; once there is nobody else to ask, what the last one said. It never
   * fails.
   */
  readonly called = new Deferred<Answered<T> | Unanswered<T>>();

  constructor(services: Services, dispatch: Dispatch, readAnswer: ReadAnswer<T>) {
    this.#services = services;
    this.#dispatch = dispatch;
    this.#readAnswer = readAnswer;
    this.#candidates = dispatch.admitted.candidates;
  }

  ask(): void {
    try {
      this.#call(this.#take());
    } catch (thrown) {
      this.#giveUp(thrown);
    }
  }

  /** Whatever goes wrong on the way to this vendor is as if it had not answered. */
  #call(attempt: Attempt): void {
    this.#attempt = attempt;
    const { request } = this.#dispatch;
    if (isLarge(request.json.text)) {
      this.#callLater(attempt);
      return;
    }
    try {
      const sent = this.#openTranslation(attempt).writeRequest(this.#clampedOptions(attempt));
      this.#send(attempt, sent, sent.text);
    } catch (thrown) {
      this.#callNext(thrown);
    }
  }

  // What has to be waited for has functions of its own: another within one would cost those who need not wait.

  #callLater(attempt: Attempt): void {
    this.#callWithLong(attempt).catch((thrown) => this.#callNext(thrown));
  }

  #wait(reading: Promise<Reading<T>>): void {
    reading.then((read) => this.#judge(read)).catch((thrown) => this.#callNext(thrown));
  }

  async #callWithLong(attempt: Attempt): Promise<void> {
    // It was just measured, or refused elsewhere; to translate it is a step of its own.
    await yieldToLoop();
    const sent = await this.#openTranslation(attempt).writeLongRequest(
      this.#clampedOptions(attempt),
    );
    this.#send(attempt, sent, await this.#encoded(sent));
  }

  #openTranslation({ endpoint, dialect }: Attempt): Translation {
    const { wire, request } = this.#dispatch;
    this.#translation = openTranslation(wire, this.#services.wires[endpoint], request, dialect);
    return this.#translation;
  }

  #clampedOptions(attempt: Attempt): UpstreamOptions {
    const { model } = this.#candidate;
    this.#clamp = clampOf(this.#dispatch, model, attempt);
    return optionsOf(this.#dispatch, model, attempt, this.#clamp);
  }

  #send(attempt: Attempt, sent: UpstreamBody, body: UpstreamCall["body"]): void {
    const call = callOf(this.#services, this.#dispatch, attempt, body);
    this.#dropped = droppedOf(this.#dispatch, sent);
    const exchange = this.#begin(attempt, sent);
    this.#answer = undefined;
    let answered: PromiseLike<VendorAnswer>;
    try {
      answered = exchange.send(call);
    } catch (thrown) {
      throw exchange.unanswered(thrown);
    }
    hear(answered, this);
  }

  /** The head of an answer is there. */
  came(response: VendorAnswer): void {
    this.#response = response;
    const { readFault } = this.#services.wires[this.#tried.endpoint];
    try {
      const refused = this.#exchanged.heard(response, readFault);
      if (refused) this.#wait(refused);
      else this.#read(response);
    } catch (thrown) {
      this.#callNext(thrown);
    }
  }

  failed(thrown: unknown): void {
    this.#callNext(this.#exchanged.unanswered(thrown));
  }

  #read(response: VendorAnswer): void {
    const translation = this.#translation as Translation;
    const [services, dispatch] = [this.#services, this.#dispatch];
    const read = this.#readAnswer(services, dispatch, this.#exchanged, response, translation);
    if (read instanceof Promise) this.#wait(read);
    else this.#judge(read);
  }

  #judge({ answer, failure }: Reading<T>): void {
    this.#answer = answer;
    if (failure) throw failure;
    const attempt = this.#tried;
    attempt.succeeded();
    this.called.came({
      answered: true,
      attempt,
      exchange: this.#exchanged,
      response: this.#response as VendorAnswer,
      dropped: this.#dropped,
      clamp: this.#clamp,
      lowered: loweredFor(this.#dispatch, this.#candidate.model, attempt),
      answer,
    });
  }

  #callNext(thrown: unknown): void {
    let next: Attempt;
    try {
      next = this.#instead(thrown);
    } catch (heard) {
      this.#giveUp(heard);
      return;
    }
    this.#call(next);
  }

  #giveUp(thrown: unknown): void {
    const [exchange, unsaid, answer] = [this.#exchange, this.#unsaid, this.#answer];
    this.called.came({ answered: false, exchange, unsaid, answer, thrown });
  }

  get #tried(): Attempt {
    return this.#attempt as Attempt;
  }

  get #exchanged(): Exchange {
    return this.#exchange as Exchange;
  }

  /** Whoever asks again is to get this answer: it goes on as if its client still waited. */
  get #isForAnother(): boolean {
    const { request, recorder } = this.#dispatch;
    return !request.stream && recorder?.word === "first";
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
    const exchange = this.#exchange;
    const call = { attempt: this.#asked, exchange, stream };
    return readsOn(this.#services, call) ? () => drains.leave(exchange) : undefined;
  }

  /** From here on the vendor counts as asked, and the one before it as given up. */
  #begin(attempt: Attempt, sent: UpstreamBody): Exchange {
    const { admitted, request } = this.#dispatch;
    const nowMs = this.#services.watchdog.now();
    if (this.#exchange) {
      this.#exchange.cancel(new Error("another vendor is asked"));
      this.#exchange.release();
      admitted.gaveUp(this.#exchange.status, this.#refused?.fault, nowMs);
    }
    const fee = feeOf(this.#dispatch, this.#candidate.model, attempt, sent);
    admitted.begin(this.#candidate, attempt, nowMs, { outputClamp: this.#clamp, fee });
    this.#asked = attempt;
    const { stream } = request;
    const { accountId } = admitted.caller.key;
    const dispatchedAtMs = this.#dispatchedAtMs;
    this.#exchange = new Exchange(attempt, stream, accountId, this.#services, dispatchedAtMs);
    this.#dispatchedAtMs ??= nowMs;
    return this.#exchange;
  }

  /** Whom to ask instead of a vendor that did not answer; throws where that is nobody. */
  #instead(thrown: unknown): Attempt {
    const attempt = this.#tried;
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

  /** A long body, in steps. The client may leave meanwhile, and then nobody is asked. */
  async #encoded(sent: UpstreamBody): Promise<ChunkedText> {
    const body = await encodeInSteps(sent.pieces());
    if (!this.#isUnwanted) return body;
    throw upstreamUnavailable(new Error("the client left before the vendor was called"));
  }
}
