import type { Settlement } from "../../ledger/receipt.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import { HttpResponse } from "../../lib/net/http-response.ts";
import { hear, type Listener } from "../../lib/threads/deferred.ts";
import { TimeBudget } from "../../lib/threads/time-budget.ts";
import type { AnswerEnd, VendorResult } from "../../protocols/wire.ts";
import { answerHeaders } from "../answer-headers.ts";
import type { Dispatch } from "../asking/dispatch.ts";
import { type Answered, rememberPlace, type Unanswered } from "../asking/vendor-calls.ts";
import { COMPLETED, FINISHED_ALONE } from "../ending/cause.ts";
import { answerEnd, type Ended, tallyOf, traced } from "../ending/end-request.ts";
import { endUnsent } from "../ending/end-unsent.ts";
import { takeBack } from "../ending/take-back.ts";
import type { AnswerRecorder } from "../idempotency/answer-recorder.ts";
import type { Services } from "../services.ts";
import { releaseWhenTaken } from "./taken.ts";
import { answerOptions, bodyOf, keptOf, type WholeBody } from "./whole-answer.ts";

type Called = Answered<VendorResult> | Unanswered<VendorResult>;

/** What an answer comes to. */
interface Due {
  readonly settlement: Settlement;
  /** For all that an end has to write. */
  readonly timeBudget: TimeBudget;
}

/** What goes to the client once it is settled. */
interface Written {
  readonly due: Due;
  readonly headers: Record<string, string>;
  readonly body: WholeBody;
}

/**
 * A whole answer: read, settled, then given to the client, without a tick of the event loop in between where nothing has to be
 * waited for. It is finished even if nobody waits for it any more.
 */
export class WholeRelay implements Listener<Called> {
  readonly #services: Services;
  readonly #dispatch: Dispatch;
  readonly #client: Listener<HttpResponse>;

  constructor(services: Services, dispatch: Dispatch, client: Listener<HttpResponse>) {
    this.#services = services;
    this.#dispatch = dispatch;
    this.#client = client;
  }

  came(called: Called): void {
    if (!called.answered) {
      this.#end(called, called.thrown);
      return;
    }
    let written: MaybePromise<Written>;
    try {
      written = this.#write(called);
    } catch (thrown) {
      this.#spoiled(called, thrown);
      return;
    }
    if (written instanceof Promise) this.#settleLater(called, written);
    else this.#settle(called, written);
  }

  /** Nobody who asks vendors ends like this; if one did, its client would hear of it. */
  failed(thrown: unknown): void {
    this.#client.failed(thrown);
  }

  /** Written before it is charged: what cannot be sent must not cost anything. */
  #write(called: Answered<VendorResult>): MaybePromise<Written> {
    const { admitted, turn, signal } = this.#dispatch;
    const { exchange, answer } = called;
    const tally = tallyOf(this.#services, { admitted, exchange, answer });
    const timeBudget = new TimeBudget(this.#services.limits.settle_wait_ms);
    const cause = signal.aborted ? FINISHED_ALONE : COMPLETED;
    const settlement = admitted.settle(cause, tally);
    const options = answerOptions(this.#dispatch);
    const kept = turn.keep(answer.body, options, answerEnd(admitted, settlement), timeBudget);
    const due = { settlement, timeBudget };
    return kept instanceof Promise
      ? this.#writeLater(called, due, kept)
      : this.#writeWith(called, due, kept);
  }

  // What has to be waited for has functions of its own: another within one would cost those who need not wait.

  async #writeLater(
    called: Answered<VendorResult>,
    due: Due,
    kept: Promise<AnswerEnd>,
  ): Promise<Written> {
    return this.#writeWith(called, due, await kept);
  }

  #writeWith(called: Answered<VendorResult>, due: Due, end: AnswerEnd): MaybePromise<Written> {
    const { admitted, turn } = this.#dispatch;
    const { attempt, exchange, answer } = called;
    if (turn.continues) rememberPlace(admitted, attempt, answer.id);
    const options = answerOptions(this.#dispatch);
    const body = bodyOf(this.#services, exchange, answer.write(options, end));
    const headers = answerHeaders(this.#dispatch, called);
    headers["content-type"] = "application/json";
    if (end.cost !== undefined) headers["x-faregate-cost"] = end.cost;
    return body instanceof Promise ? withBody(due, headers, body) : { due, headers, body };
  }

  #settleLater(called: Answered<VendorResult>, written: Promise<Written>): void {
    written.then(
      (there) => this.#settle(called, there),
      (thrown) => this.#spoiled(called, thrown),
    );
  }

  #settle(called: Answered<VendorResult>, written: Written): void {
    try {
      this.#settleNow(called, written);
    } catch (thrown) {
      this.#spoiled(called, thrown);
    }
  }

  /** One that cannot be recorded is voided by the ledger, and the client hears so. */
  #settleNow(called: Answered<VendorResult>, written: Written): void {
    const { admitted, recorder } = this.#dispatch;
    const { due, headers, body } = written;
    const { settlement, timeBudget } = due;
    recorder?.begin(headers);
    const keep = recorder && keeping(recorder, body, timeBudget);
    const settled = this.#services.ledger.settle(settlement, keep, timeBudget);
    const settling = new SettlingAnswer(
      this.#services,
      this.#dispatch,
      called,
      written,
      this.#client,
    );
    hear(traced(admitted, settled), settling);
  }

  #spoiled(called: Answered<VendorResult>, thrown: unknown): void {
    takeBack(this.#services, this.#dispatch);
    this.#end(called, thrown);
  }

  /** One that is finished alone may still fail: it was left only where its vendor was hung up on, or none was asked. */
  #end({ exchange, answer }: Called, thrown: unknown): void {
    const { admitted, signal } = this.#dispatch;
    exchange?.release();
    const ended: Ended = { admitted, exchange, answer };
    const left = exchange ? exchange.hungUp : signal.aborted;
    const heard = endUnsent(this.#services, ended, left, thrown);
    const refuse = (fault: unknown) => this.#client.failed(fault);
    heard.then(refuse, refuse);
  }
}

async function withBody(
  due: Due,
  headers: Written["headers"],
  body: Promise<WholeBody>,
): Promise<Written> {
  return { due, headers, body: await body };
}

/** By itself: a function within another makes room for both, with each request that keeps nothing. */
function keeping(
  recorder: AnswerRecorder,
  body: WholeBody,
  timeBudget: TimeBudget,
): () => Promise<void> {
  return () => recorder.keep(keptOf(body), timeBudget);
}

/** An answer that is being settled, and goes out as soon as it is. */
class SettlingAnswer implements Listener<void> {
  readonly #services: Services;
  readonly #dispatch: Dispatch;
  readonly #called: Answered<VendorResult>;
  readonly #written: Written;
  readonly #client: Listener<HttpResponse>;

  constructor(
    services: Services,
    dispatch: Dispatch,
    called: Answered<VendorResult>,
    written: Written,
    client: Listener<HttpResponse>,
  ) {
    this.#services = services;
    this.#dispatch = dispatch;
    this.#called = called;
    this.#written = written;
    this.#client = client;
  }

  came(): void {
    const { exchange } = this.#called;
    const { body, headers } = this.#written;
    if (exchange.isHeld) releaseWhenTaken(this.#services, this.#dispatch.client, exchange);
    this.#client.came(new HttpResponse(body, headers));
  }

  failed(thrown: unknown): void {
    this.#called.exchange.release();
    takeBack(this.#services, this.#dispatch);
    this.#client.failed(thrown);
  }
}
