import { isHard } from "../accounts/account.ts";
import type { NanoUsd } from "../catalogue/money.ts";
import { asFault, Fault } from "../lib/faults.ts";
import type { Watch } from "../lib/threads/watchdog.ts";
import { vendorFault } from "../protocols/faults.ts";
import type { AnswerOptions, StreamFilter } from "../protocols/wire.ts";
import type { Exchange } from "../upstream/exchange.ts";
import type { Attempt } from "../upstream/plan.ts";
import type { AdmittedRequest } from "./admitted-request.ts";
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
import { answerEnd, type Ended, endRequest, tallyOf } from "./ending/end-request.ts";
import { endingOf } from "./ending/endings.ts";
import { readsOn } from "./ending/leaving.ts";
import type { AnswerKeeper } from "./idempotency/answer-keeper.ts";
import type { MeteredStream } from "./money/metered-stream.ts";
import type { Services } from "./services.ts";
import type { StoredTurn } from "./stored-turn.ts";
import { rememberPlace } from "./vendor-calls.ts";

interface Stream {
  readonly admitted: AdmittedRequest;
  readonly turn: StoredTurn;
  readonly keeper: AnswerKeeper | undefined;
  readonly attempt: Attempt;
  readonly options: AnswerOptions;
  readonly filter: StreamFilter;
  /** The same, where it may have to end with its room. */
  readonly metered: MeteredStream | undefined;
  readonly exchange: Exchange;
  readonly response: Response;
  readonly first: Uint8Array | undefined;
}

/**
 * A stream on its way to the client, pulled as fast as the client reads. One loop reads the vendor,
 * with or without a client, until there is a cause to end, and the first cause is the only one.
 */
export class StreamRelay {
  readonly #services: Services;
  readonly #stream: Stream;
  readonly #watch: Watch;
  /** Where bytes go: nowhere any more once the client has left. */
  #client: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** The last run of the loop that the client asked for. */
  #flowing: Promise<void> | undefined;
  #first: Uint8Array | undefined;
  /** How the client left, where it did before there was an end. */
  #left: Cause | undefined;
  /** How the request ended. */
  #cause: Cause | undefined;
  /** The question for more room that is under way. */
  #raising: Promise<boolean> | undefined;
  /** What was held when it was last asked for. */
  #askedWith: NanoUsd | undefined;

  constructor(services: Services, stream: Stream) {
    this.#services = services;
    this.#stream = stream;
    this.#first = stream.first;
    this.#watch = { dueAtMs: Number.POSITIVE_INFINITY, due: () => this.#due() };
  }

  body(): ReadableStream<Uint8Array> {
    this.#services.watchdog.add(this.#watch);
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#client = controller;
      },
      pull: () => {
        this.#flowing = this.#flow();
        return this.#flowing;
      },
      cancel: () => this.#leave(CLIENT_LEFT),
    });
  }

  /** Instead of a body, for a client that left before there was one. */
  async endAlone(): Promise<void> {
    this.#left = CLIENT_LEFT;
    if (this.#stream.exchange.hungUp) await this.#end(CLIENT_LEFT);
    else await this.#flow();
  }

  /**
   * Reads the vendor until there are bytes for the client, and without a client until the end. Not
   * split further: what thousands of slow streams keep while they wait is this one frame.
   */
  async #flow(): Promise<void> {
    const { limits, clock } = this.#services;
    const { filter, metered, exchange, response } = this.#stream;
    this.#watch.dueAtMs = clock() + limits.keep_alive_ms;
    let bytes = this.#first;
    this.#first = undefined;
    let cause: Cause | undefined;
    while (!cause && !this.#cause && !(bytes && this.#client)) {
      if (filter.ended) cause = metered?.isCut ? BUDGET_ENDED : COMPLETED;
      else if (filter.failure) cause = this.#brokenBy(filter.failure);
      else {
        try {
          if (metered?.isFull) bytes = await this.#goOn(metered);
          else {
            const chunk = await exchange.read(response);
            bytes = chunk ? filter.push(chunk) : filter.close();
            this.#askEarly();
          }
        } catch (thrown) {
          cause = this.#brokenBy(vendorFault(thrown));
        }
      }
    }
    if (cause && !this.#cause) bytes = await this.#end(cause);
    if (bytes) this.#send(bytes);
  }

  /** Brings bytes to the client, if it is still there; with the last of them the stream is over. */
  #send(bytes: Uint8Array): void {
    const { limits, clock, watchdog } = this.#services;
    const client = this.#client;
    if (!client) return;
    if (this.#cause) watchdog.drop(this.#watch);
    else this.#stream.keeper?.add(bytes);
    this.#watch.dueAtMs = clock() + limits.client_idle_ms;
    client.enqueue(bytes);
    if (this.#cause) client.close();
  }

  /** While the vendor is silent: a sign of life. While the client takes nothing: it has left. */
  #due(): void {
    const { limits, clock } = this.#services;
    const client = this.#client;
    if (!client || (client.desiredSize ?? 0) <= 0) {
      this.#leave(SLOW_READER);
      return;
    }
    const { filter, keeper } = this.#stream;
    const sign = filter.keepAlive();
    keeper?.add(sign);
    client.enqueue(sign);
    // A sign of life that the client does not take counts as nothing taken.
    const taken = (client.desiredSize ?? 0) > 0;
    this.#watch.dueAtMs = clock() + (taken ? limits.keep_alive_ms : limits.client_idle_ms);
  }

  /** At half of its room a stream asks for more, so that it need not stop at the end of it. */
  #askEarly(): void {
    const { metered, admitted } = this.#stream;
    if (!metered?.isHalfFull || !this.#client || this.#askedWith === admitted.room.held) return;
    // It runs on alone only where it would have to stop: others may be done by then.
    this.#services.tasks.run(this.#raise({ mayBeAlone: false }));
  }

  /** At the end of its room: true once there is more of it, false where no more is to be had. */
  async #hasMore(): Promise<boolean> {
    const { room } = this.#stream.admitted;
    const before = room.held;
    await this.#raising;
    return room.held > before || (await this.#raise({ mayBeAlone: true }));
  }

  /** Asks for more. Where storage does not answer, there is none. */
  #raise(how: { readonly mayBeAlone: boolean }): Promise<boolean> {
    this.#askedWith = this.#stream.admitted.room.held;
    this.#raising = this.#askForMore(how)
      .catch(() => false)
      .finally(() => {
        this.#raising = undefined;
      });
    return this.#raising;
  }

  async #askForMore({ mayBeAlone }: { readonly mayBeAlone: boolean }): Promise<boolean> {
    const { admission, limits } = this.#services;
    const { admitted } = this.#stream;
    const { requestId, key } = admitted.caller;
    const wish = admitted.room.wishFor(admitted.model, limits.floor_output_tokens);
    const raised = await admission.raise({
      requestId,
      accountId: key.accountId,
      keyId: key.id,
      ...wish,
      hard: isHard(key) || !mayBeAlone,
    });
    if (raised.kind === "ended") return false;
    admitted.room.widen(raised.granted);
    return true;
  }

  /** What was kept back for want of room, or the end of the answer where its money ends. */
  async #goOn(metered: MeteredStream): Promise<Uint8Array | undefined> {
    const { exchange } = this.#stream;
    const more = await this.#hasMore();
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
    watchdog.drop(this.#watch);
    // Nothing more will come: the connection must not look as if it would.
    if (endingOf(cause).client === "cut") client?.error(new Error("the client takes nothing"));
    // What has an end already ends as that.
    if (this.#cause || this.#left) return;
    this.#left = cause;
    const { keeper, attempt, exchange } = this.#stream;
    if (keeper) tasks.run(keeper.free());
    if (!readsOn(this.#services, { attempt, exchange, stream: true })) tasks.run(this.#end(cause));
    else tasks.run(this.#drain().finally(() => drains.leave()));
  }

  /** The loop goes on without the client: the one that runs, or a new one. */
  async #drain(): Promise<void> {
    await this.#flowing;
    if (!this.#cause) await this.#flow();
  }

  /** Ends the request, and resolves with what the client still gets to see. */
  async #end(told: Cause): Promise<Uint8Array | undefined> {
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
  async #finish(ended: Ended, cause: Cause): Promise<Uint8Array | undefined> {
    const { admitted, turn, keeper, attempt, options, filter, exchange, response } = this.#stream;
    const { ledger, tasks } = this.#services;
    if (endingOf(cause).vendor === "done") tasks.run(exchange.drain(response));
    try {
      const settlement = admitted.settle(cause, tallyOf(this.#services, ended));
      const settled = answerEnd(admitted, settlement);
      const end = filter.final ? await turn.keep(filter.final, options, settled) : settled;
      if (turn.continues) rememberPlace(admitted, attempt, filter.id);
      await ledger.settle(settlement, keeper && (() => keeper.keep(filter.finish(end))));
      return filter.finish(end);
    } catch (thrown) {
      // A settlement that failed has seen to its hold; any other fault here is ours.
      const kind = thrown instanceof Fault ? "unrecorded" : "gateway_failed";
      return this.#end({ kind, fault: asFault(thrown) });
    }
  }
}
