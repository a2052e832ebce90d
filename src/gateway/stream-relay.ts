import { asFault, Fault } from "../lib/faults.ts";
import type { StreamBody, StreamClient } from "../lib/net/http-response.ts";
import { TimeBudget } from "../lib/threads/time-budget.ts";
import type { Watch } from "../lib/threads/watchdog.ts";
import { yieldToLoop } from "../lib/yield-to-loop.ts";
import { isSeveral, type Writes } from "../protocols/bytes/writes.ts";
import { vendorFault } from "../protocols/faults.ts";
import type { AnswerOptions, StreamFilter } from "../protocols/wire.ts";
import type { Exchange } from "../upstream/exchange.ts";
import type { Attempt } from "../upstream/plans/attempt.ts";
import type { ChunkTaker, VendorAnswer } from "../upstream/transport/vendor-answer.ts";
import type { AdmittedRequest } from "./admitted-request.ts";
import type { BegunRead } from "./answering/begun-read.ts";
import { rememberPlace } from "./asking/vendor-calls.ts";
import {
  BUDGET_ENDED,
  type Cause,
  CLIENT_LEFT,
  COMPLETED,
  causeAlone,
  causeInStream,
  faultOf,
  SLOW_READER,
} from "./ending/cause.ts";
import { answerEnd, type Ended, endRequest, tallyOf, traced } from "./ending/end-request.ts";
import { endingOf } from "./ending/endings.ts";
import { readsOn } from "./ending/leaving.ts";
import { takeBack } from "./ending/take-back.ts";
import type { AnswerRecorder } from "./idempotency/answer-recorder.ts";
import type { MeteredStream } from "./money/metered-stream.ts";
import { MoreAllowance } from "./money/more-allowance.ts";
import type { Services } from "./services.ts";
import type { StoredTurn } from "./stored-turn.ts";

interface Stream {
  readonly admitted: AdmittedRequest;
  readonly turn: StoredTurn;
  readonly recorder: AnswerRecorder | undefined;
  readonly attempt: Attempt;
  readonly options: AnswerOptions;
  readonly filter: StreamFilter;
  /** The same, where it may have to end with its allowance. */
  readonly metered: MeteredStream | undefined;
  readonly exchange: Exchange;
  readonly response: VendorAnswer;
  readonly first: Writes | undefined;
  /** A read of the vendor that is on its way. */
  readonly begun: BegunRead | undefined;
}

/**
 * A stream on its way to the client, pulled as fast as the client reads. One loop reads the vendor,
 * with or without a client, until there is a cause to end, and the first cause is the only one.
 *
 * The loop is made of calls and not of an async function: what one read of the vendor costs, beside its
 * filter, is one write, and what thousands of slow streams keep while they wait is little.
 */
export class StreamRelay implements StreamBody, ChunkTaker {
  readonly #services: Services;
  readonly #stream: Stream;
  readonly #watch: Watch;
  /** Where bytes go: nowhere any more once the client has left. */
  #client: StreamClient | undefined;
  /** The loop runs: the vendor is being read, or the request ends. */
  #flows = false;
  /** Told of the end where the loop runs without a client. */
  #over: PromiseWithResolvers<void> | undefined;
  #first: Writes | undefined;
  #begun: BegunRead | undefined;
  /** What the client still gets of something long, before the loop goes on. */
  #rest: Uint8Array[] | undefined;
  /** How the client left, where it did before there was an end. */
  #left: Cause | undefined;
  /** How the request ended. */
  #cause: Cause | undefined;
  /** Where it may have to end with its allowance. */
  readonly #moreAllowance: MoreAllowance | undefined;

  constructor(services: Services, stream: Stream) {
    this.#services = services;
    this.#stream = stream;
    this.#first = stream.first;
    this.#begun = stream.begun;
    if (stream.metered) this.#moreAllowance = new MoreAllowance(services, stream.admitted);
    this.#watch = { dueAtMs: Number.POSITIVE_INFINITY, due: () => this.#due() };
  }

  begin(client: StreamClient): void {
    this.#services.watchdog.add(this.#watch);
    this.#client = client;
  }

  more(): void {
    this.#flow();
  }

  leave(): void {
    this.#leave(CLIENT_LEFT);
  }

  /** Instead of a body, for a client that left before there was one. */
  async endAlone(): Promise<void> {
    this.#left = CLIENT_LEFT;
    if (this.#stream.exchange.hungUp) await this.#end(CLIENT_LEFT);
    else await this.#drain();
  }

  /** Reads the vendor until there are bytes for the client, and without a client until the end. */
  #flow(): void {
    if (this.#flows || (this.#cause && !this.#rest)) return;
    const { limits, watchdog } = this.#services;
    this.#watch.dueAtMs = watchdog.now() + limits.keep_alive_ms;
    this.#flows = true;
    if (this.#rest) {
      yieldToLoop()
        .then(() => this.#sendRest())
        .catch((thrown) => this.lost(thrown));
      return;
    }
    const first = this.#first;
    this.#first = undefined;
    this.#pass(first);
  }

  /** Gives bytes to a client, which asks for more when it wants more. Otherwise the loop goes on. */
  #pass(writes: Writes | undefined): void {
    if (!writes || !this.#client) {
      this.#next();
      return;
    }
    this.#send(writes);
  }

  /** Others have had their turns since a part of something long was sent. The client may have left meanwhile. */
  #sendRest(): void {
    const rest = this.#rest;
    this.#rest = undefined;
    this.#pass(rest);
  }

  #next(): void {
    const { filter, metered, exchange, response } = this.#stream;
    if (this.#cause) return;
    if (filter.ended) this.#conclude(metered?.isCut ? BUDGET_ENDED : COMPLETED);
    else if (filter.failure) this.#conclude(this.#brokenBy(filter.failure));
    else if (metered?.isFull) {
      const kept = this.#goOn(metered).then((bytes) => this.#pass(bytes));
      kept.catch((thrown) => this.lost(thrown));
    } else this.#read(exchange, response);
  }

  #read(exchange: Exchange, response: VendorAnswer): void {
    const begun = this.#begun;
    this.#begun = undefined;
    if (begun) begun.handTo(this);
    else exchange.readTo(response, this);
  }

  /** The vendor has sent something, or ended. */
  took(chunk: Uint8Array | undefined): void {
    if (this.#cause) return;
    const { filter, metered } = this.#stream;
    try {
      const bytes = chunk ? filter.push(chunk) : filter.close();
      if (metered?.isHalfFull && this.#client) this.#moreAllowance?.askEarly();
      this.#pass(bytes);
    } catch (thrown) {
      this.lost(thrown);
    }
  }

  lost(thrown: unknown): void {
    if (!this.#cause) this.#conclude(this.#brokenBy(vendorFault(thrown)));
  }

  /** The end of the loop. */
  #conclude(cause: Cause): void {
    this.#end(cause).then(
      (writes) => {
        if (writes) this.#send(writes);
        this.#over?.resolve();
      },
      (thrown) => {
        this.#services.watchdog.drop(this.#watch);
        this.#client?.error(thrown);
        this.#over?.reject(thrown);
      },
    );
  }

  /** Brings something to the client, if it is still there: of what is long a part, and the next when it asks for more. */
  #send(writes: Writes): void {
    const client = this.#client;
    if (!client) return;
    this.#flows = false;
    if (!isSeveral(writes)) {
      this.#write(client, writes);
      return;
    }
    const [first, ...rest] = writes;
    if (rest.length > 0) this.#rest = rest;
    if (first) this.#write(client, first);
  }

  /** With the last bytes of its end the stream is over. */
  #write(client: StreamClient, bytes: Uint8Array): void {
    const { limits, watchdog } = this.#services;
    const isEnd = this.#cause !== undefined && !this.#rest;
    if (isEnd) watchdog.drop(this.#watch);
    // The end is kept already.
    if (!this.#cause) this.#stream.recorder?.add(bytes);
    // A client that waits asks for more at once, and there may be an end by then.
    if (isEnd) client.finish(bytes);
    else client.enqueue(bytes);
    if (!isEnd && !this.#flows) this.#watch.dueAtMs = watchdog.now() + limits.client_idle_ms;
  }

  /** While the vendor is silent: a sign of life. While the client takes nothing: it has left. */
  #due(): void {
    const { limits, watchdog } = this.#services;
    const client = this.#client;
    if (!client || (client.desiredSize ?? 0) <= 0) {
      this.#leave(SLOW_READER);
      return;
    }
    // Nothing may come between the parts of an event; the next of them is about to be sent.
    if (this.#rest) {
      this.#watch.dueAtMs = watchdog.now() + limits.keep_alive_ms;
      return;
    }
    const { filter, recorder } = this.#stream;
    const sign = filter.keepAlive();
    recorder?.add(sign);
    client.enqueue(sign);
    // A sign of life that the client does not take counts as nothing taken.
    const taken = (client.desiredSize ?? 0) > 0;
    this.#watch.dueAtMs = watchdog.now() + (taken ? limits.keep_alive_ms : limits.client_idle_ms);
  }

  /** What was kept back for want of allowance, or the end of the answer where its money ends. */
  async #goOn(metered: MeteredStream): Promise<Writes | undefined> {
    const { exchange } = this.#stream;
    // What was asked for early may have come since it was kept back: more than that there need not be.
    const more = metered.fits || (await this.#moreAllowance?.hasMore());
    if (this.#cause) return undefined;
    if (more) return metered.resume();
    exchange.cancel(new Error("the budget ended"));
    return metered.cutShort();
  }

  #brokenBy(fault: Fault): Cause {
    const { attempt, exchange } = this.#stream;
    return causeInStream(attempt.credential.key.hideIn(fault), exchange);
  }

  /** Nobody takes the bytes any more. What its vendor hears decides whether this is the end. */
  #leave(cause: Cause): void {
    const client = this.#client;
    const { watchdog, drains, tasks } = this.#services;
    this.#client = undefined;
    this.#rest = undefined;
    watchdog.drop(this.#watch);
    // Nothing more will come: the connection must not look as if it would.
    if (endingOf(cause).client === "cut") client?.error(new Error("the client takes nothing"));
    // What has an end already ends as that.
    if (this.#cause || this.#left) return;
    this.#left = cause;
    const { recorder, attempt, exchange } = this.#stream;
    if (recorder) tasks.run(recorder.free());
    if (!readsOn(this.#services, { attempt, exchange, stream: true })) tasks.run(this.#end(cause));
    else tasks.run(this.#drain().finally(() => drains.leave(exchange)));
  }

  /** The loop goes on without the client, to its end. */
  #drain(): Promise<void> {
    this.#over = Promise.withResolvers();
    this.#flow();
    return this.#over.promise;
  }

  /** Ends the request, and resolves with what the client still gets to see. */
  async #end(told: Cause): Promise<Writes | undefined> {
    const { admitted, attempt, filter, metered, exchange } = this.#stream;
    // An end that its money made is not its vendor's: what was counted until then is not all.
    const left = metered?.isCut ? this.#left : this.#left && causeAlone(this.#left, filter);
    const cause = left ?? told;
    this.#cause = cause;
    const ended: Ended = { admitted, attempt, exchange, answer: filter };
    const { client } = endingOf(cause);
    if (client === "answer") return this.#finish(ended, cause);
    const fault = client === "fault" ? faultOf(cause) : undefined;
    try {
      await endRequest(this.#services, ended, cause);
      return fault && filter.fail(fault);
    } catch (thrown) {
      if (!fault) throw thrown;
      return filter.fail(asFault(thrown));
    }
  }

  /** The vendor is done: settle, keep, and only then send the end. */
  async #finish(ended: Ended, cause: Cause): Promise<Writes | undefined> {
    const { admitted, turn, recorder, attempt, options, filter, exchange, response } = this.#stream;
    const { ledger, limits, tasks } = this.#services;
    if (endingOf(cause).vendor === "done") tasks.run(exchange.drain(response));
    try {
      const tally = tallyOf(this.#services, ended);
      const settlement = admitted.settle(cause, tally);
      const settled = answerEnd(admitted, settlement);
      // For all that an end has to write.
      const timeBudget = new TimeBudget(limits.settle_wait_ms);
      const { final } = filter;
      const end = final ? await turn.keep(final, options, settled, timeBudget) : settled;
      if (turn.continues) rememberPlace(admitted, attempt, filter.id);
      const keep = recorder && (() => recorder.keep(filter.finish(end), timeBudget));
      await traced(admitted, ledger.settle(settlement, keep, timeBudget));
      return filter.finish(end);
    } catch (thrown) {
      takeBack(this.#services, this.#stream);
      // A settlement that failed has seen to its hold; any other fault here is ours.
      const kind = thrown instanceof Fault ? "unrecorded" : "gateway_failed";
      return this.#end({ kind, fault: asFault(thrown) });
    }
  }
}
