import type { Fault } from "../../lib/faults.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import { HttpResponse } from "../../lib/net/http-response.ts";
import type { Incoming, Sent } from "../../lib/route.ts";
import type { TimeBudget } from "../../lib/threads/time-budget.ts";
import type { ClientRequest, PassWire, RequestPath } from "../../protocols/wire.ts";
import type { Caller } from "../admitted-request.ts";
import type { Dispatch, Reshape } from "../asking/dispatch.ts";
import type { FaceName } from "../faces.ts";
import type { AnswerRecorder } from "../idempotency/answer-recorder.ts";
import { IDEMPOTENCY_KEY } from "../idempotency/asked.ts";
import type { Services } from "../services.ts";
import { NO_TURN, openStoredTurn, type StoredTurn } from "../stored-turn.ts";
import type { RequestTrace } from "../tracing/request-trace.ts";
import { type Admitted, admit } from "./admit.ts";
import type { Body } from "./body.ts";
import { type Candidates, findCandidates, withoutFallbacks } from "./find-model.ts";
import { CallerInLine, identify, identifyAgain, isLate } from "./identify.ts";
import { readRequest } from "./read-request.ts";
import { refuse } from "./refused.ts";
import { giveBack, takeBody } from "./take-body.ts";

/** What a route knows of its requests that their bodies do not say. */
export interface Particular {
  readonly path?: RequestPath;
  /** Whose clients call, where that is not what the wire says. */
  readonly face?: FaceName;
  readonly reshape?: Reshape;
  /** Reads a body that does not come with the request itself. */
  readonly read?: () => Promise<Body>;
}

/** An admitted request, or the answer that was given to an earlier one of the same value. */
export type Prepared = Dispatch | HttpResponse;

/**
 * A request from its coming until a vendor may be asked: all that can refuse it. What memory decides is not waited for,
 * so that most requests are through in the tick of the event loop that has brought them.
 */
export class Arrival {
  readonly #services: Services;
  readonly #wire: PassWire;
  readonly #incoming: Incoming<Sent>;
  readonly #particular: Particular;
  readonly #trace: RequestTrace | undefined;
  #body: Body | undefined;
  #request: ClientRequest | undefined;
  #recorder: AnswerRecorder | undefined;
  #caller: Caller | undefined;

  constructor(
    services: Services,
    wire: PassWire,
    incoming: Incoming<Sent>,
    particular: Particular,
    trace: RequestTrace | undefined,
  ) {
    this.#services = services;
    this.#wire = wire;
    this.#incoming = incoming;
    this.#particular = particular;
    this.#trace = trace;
  }

  prepared(): MaybePromise<Prepared> {
    const { endpoint } = this.#wire;
    const { face } = this.#particular;
    const known = identify(this.#services, endpoint, this.#incoming, face, this.#trace);
    return known instanceof Promise ? this.#enterLater(known) : this.#enter(known);
  }

  // What has to be waited for has a function of its own: one within another would cost those who need not wait.

  async #enterLater(known: Promise<Caller>): Promise<Prepared> {
    return this.#enter(await known);
  }

  /** From here on what refuses it leaves a row, under the key that has asked. */
  #enter(caller: Caller): MaybePromise<Prepared> {
    this.#caller = caller;
    try {
      const prepared = this.#take(caller);
      return prepared instanceof Promise ? this.#watched(prepared) : prepared;
    } catch (thrown) {
      return this.#refused(thrown);
    }
  }

  async #watched(prepared: Promise<Prepared>): Promise<Prepared> {
    try {
      return await prepared;
    } catch (thrown) {
      return this.#refused(thrown);
    }
  }

  #take(caller: Caller): MaybePromise<Prepared> {
    const taken = takeBody(this.#services, caller, this.#incoming, this.#particular.read);
    return taken instanceof Promise ? this.#readLater(taken) : this.#read(taken);
  }

  async #readLater(taken: Promise<Body>): Promise<Prepared> {
    return this.#read(await taken);
  }

  #read(body: Body): MaybePromise<Prepared> {
    this.#body = body;
    this.#incoming.keepOpen();
    return this.#isLate ? this.#readAgain(body) : this.#readOn(body);
  }

  async #readAgain(body: Body): Promise<Prepared> {
    await this.#knownAgain();
    return this.#readOn(body);
  }

  #readOn(body: Body): MaybePromise<Prepared> {
    const read = readRequest(this.#wire, body, this.#particular.path);
    return read instanceof Promise ? this.#claimLater(read, body) : this.#claim(read, body);
  }

  async #claimLater(read: Promise<ClientRequest>, body: Body): Promise<Prepared> {
    return this.#claim(await read, body);
  }

  #claim(request: ClientRequest, body: Body): MaybePromise<Prepared> {
    this.#request = request;
    const value = this.#incoming.request.headers.get(IDEMPOTENCY_KEY);
    return value === null ? this.#prepare(request, body) : this.#claimed(value, request, body);
  }

  /** With an `Idempotency-Key`: the first with its value goes on, all others get its answer. */
  async #claimed(value: string, request: ClientRequest, body: Body): Promise<Prepared> {
    const { idempotency } = this.#services;
    const earlier = await idempotency.open(this.#known, this.#incoming, value, body.text);
    if (!(earlier instanceof HttpResponse)) this.#recorder = earlier;
    // It may have waited for another request of the same value, for as long as a vendor may take.
    if (this.#isLate) await this.#knownAgain();
    if (!(earlier instanceof HttpResponse)) return this.#prepare(request, body);
    giveBack(this.#services, this.#known);
    body.release();
    return earlier;
  }

  #prepare(request: ClientRequest, body: Body): MaybePromise<Prepared> {
    const { endpoint } = this.#wire;
    const candidates = findCandidates(this.#services, this.#known.key, request, endpoint);
    const own = withoutFallbacks(request);
    if (endpoint === "responses") return this.#prepareStored(own, candidates, body);
    const held = this.#admit(own, candidates);
    return held instanceof Promise
      ? this.#dispatchLater(own, held, body)
      : this.#dispatch(own, NO_TURN, held, body);
  }

  /** With the conversation in front of it that it goes on from. */
  async #prepareStored(own: ClientRequest, candidates: Candidates, body: Body): Promise<Dispatch> {
    const opened = await openStoredTurn(this.#services, this.#known, own, body);
    const { request, turn } = opened;
    return this.#dispatch(request, turn, await this.#admit(request, candidates), body);
  }

  async #dispatchLater(own: ClientRequest, held: Promise<Admitted>, body: Body): Promise<Dispatch> {
    return this.#dispatch(own, NO_TURN, await held, body);
  }

  #admit(request: ClientRequest, candidates: Candidates): MaybePromise<Admitted> {
    const caller = this.#known;
    const who = new CallerInLine(this.#services, caller, this.#incoming, this.#particular.face);
    return admit(this.#services, this.#wire, caller, request, candidates, who);
  }

  #dispatch(
    request: ClientRequest,
    turn: StoredTurn,
    { admitted, headers }: Admitted,
    body: Body,
  ): Dispatch {
    const wire = this.#wire;
    const recorder = this.#recorder;
    const client = this.#incoming;
    const { reshape } = this.#particular;
    if (recorder) headers["x-faregate-idempotency"] = recorder.word;
    const { headers: asked, signal } = client.request;
    return {
      wire,
      admitted,
      request,
      turn,
      recorder,
      reshape,
      body,
      headers,
      asked,
      signal,
      client,
    };
  }

  get #known(): Caller {
    return this.#caller as Caller;
  }

  get #isLate(): boolean {
    return isLate(this.#services, this.#known);
  }

  async #knownAgain(): Promise<void> {
    const { face } = this.#particular;
    this.#caller = await identifyAgain(this.#services, this.#known, this.#incoming, face);
  }

  /** Throws what the client hears. */
  #refused(thrown: unknown): MaybePromise<never> {
    this.#body?.release();
    const caller = this.#known;
    const fault = refuse(this.#services, caller, this.#request, thrown);
    const recorder = this.#recorder;
    if (!recorder) throw fault;
    return letGo(this.#services, recorder, fault, caller.timeBudget).then(() => {
      throw fault;
    });
  }
}

/** Where storage does not answer, the client has waited for it long enough. */
async function letGo(
  { tasks }: Services,
  recorder: AnswerRecorder,
  { fault }: Fault,
  timeBudget: TimeBudget,
): Promise<void> {
  if (fault === "storage_unavailable") tasks.run(recorder.free());
  else await recorder.free(timeBudget);
}
