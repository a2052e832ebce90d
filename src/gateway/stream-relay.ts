import type { NanoUsd } from "../catalogue/money.ts";
import { asFault, Fault } from "../lib/faults.ts";
import type { Watch } from "../lib/watchdog.ts";
import { vendorFault } from "../protocols/faults.ts";
import type { AnswerOptions, StreamPass } from "../protocols/wire.ts";
import type { Exchange } from "../upstream/exchange.ts";
import type { Attempt } from "../upstream/plan.ts";
import { rememberPlace } from "./calling.ts";
import { answerEnd, endingOf, settleFailure } from "./ending.ts";
import type { Run } from "./run.ts";
import type { Services } from "./services.ts";
import type { Turn } from "./turn.ts";

interface Stream {
  readonly run: Run;
  readonly turn: Turn;
  readonly attempt: Attempt;
  readonly options: AnswerOptions;
  readonly pass: StreamPass;
  readonly exchange: Exchange;
  readonly response: Response;
  readonly first: Uint8Array | undefined;
}

/** Look at the cost of a running stream each time it has grown by so many tokens. */
const METER_TOKENS = 256;

/**
 * A stream on its way to the client, pulled as fast as the client reads. It ends in exactly one of
 * three ways, each settled once: the vendor finished, something failed, or the client left.
 */
export class StreamRelay {
  readonly #services: Services;
  readonly #stream: Stream;
  readonly #watch: Watch;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #first: Uint8Array | undefined;
  #over = false;
  #left = false;
  /** The hold so far, and the output at which to look at it again. */
  #held: NanoUsd;
  #meterAtTokens = METER_TOKENS;

  constructor(services: Services, stream: Stream) {
    this.#services = services;
    this.#stream = stream;
    this.#first = stream.first;
    this.#held = stream.run.held;
    this.#watch = { dueAtMs: Number.POSITIVE_INFINITY, due: () => this.#due() };
  }

  body(): ReadableStream<Uint8Array> {
    this.#services.watchdog.add(this.#watch);
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: (controller) => this.#pull(controller),
      cancel: () => this.#clientLeft(),
    });
  }

  /** Brings the next bytes to the client; with the last of them the stream is over. */
  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const { limits, clock } = this.#services;
    const { pass, exchange, response } = this.#stream;
    this.#watch.dueAtMs = clock() + limits.keep_alive_ms;
    let bytes = this.#first;
    this.#first = undefined;
    while (!bytes && !this.#left) {
      if (pass.ended) bytes = await this.#finish();
      else if (pass.failure) bytes = await this.#fail(pass.failure);
      else {
        try {
          const chunk = await exchange.read(response);
          bytes = chunk ? pass.push(chunk) : pass.close();
          if (pass.outputTokens >= this.#meterAtTokens) this.#meter();
        } catch (thrown) {
          if (!this.#left) bytes = await this.#fail(vendorFault(thrown));
        }
      }
    }
    if (this.#left || !bytes) return;
    if (this.#over) this.#services.watchdog.drop(this.#watch);
    this.#watch.dueAtMs = clock() + limits.client_idle_ms;
    controller.enqueue(bytes);
    if (this.#over) controller.close();
  }

  /** While the vendor is silent: a sign of life. While the client takes nothing: it has left. */
  #due(): void {
    const { limits, clock } = this.#services;
    const free = this.#controller?.desiredSize ?? 0;
    if (free <= 0) {
      this.#clientLeft();
      // Nothing more will come: the connection must not look as if it would.
      this.#controller?.error(new Error("the client takes nothing"));
      return;
    }
    this.#controller?.enqueue(this.#stream.pass.keepAlive());
    // A sign of life that the client does not take counts as nothing taken.
    const taken = (this.#controller?.desiredSize ?? 0) > 0;
    this.#watch.dueAtMs = clock() + (taken ? limits.keep_alive_ms : limits.client_idle_ms);
  }

  /** A stream that outgrows its hold takes twice as much, so that others see the money go. */
  #meter(): void {
    const { run, pass } = this.#stream;
    this.#meterAtTokens = pass.outputTokens + METER_TOKENS;
    const cost = run.costSoFar(pass.outputTokens);
    if (cost <= this.#held) return;
    this.#held = cost * 2n;
    const { admission, tasks } = this.#services;
    tasks.run(admission.raise(run.caller.requestId, this.#held));
  }

  /** The vendor is done: settle, keep, and only then send the end. */
  async #finish(): Promise<Uint8Array> {
    const { run, turn, attempt, options, pass, exchange, response } = this.#stream;
    const { ledger, tasks } = this.#services;
    this.#over = true;
    tasks.run(exchange.drain(response));
    try {
      const settlement = run.completed(endingOf(this.#services, exchange, pass), false);
      const settled = answerEnd(run, settlement);
      const end = pass.final ? await turn.keep(pass.final, options, settled) : settled;
      if (turn.continues) rememberPlace(run, attempt, pass.id);
      await ledger.settle(settlement);
      return pass.finish(end);
    } catch (thrown) {
      // A settlement that failed has seen to its hold; any other fault here is ours.
      if (!(thrown instanceof Fault)) return this.#fail(asFault(thrown));
      return pass.fail(thrown);
    }
  }

  async #fail(told: Fault): Promise<Uint8Array> {
    const { run, attempt, pass, exchange } = this.#stream;
    const fault = attempt.credential.key.hideIn(told);
    this.#over = true;
    const ending = endingOf(this.#services, exchange, pass);
    const overran = exchange.overran;
    if (!overran) attempt.failed(fault);
    exchange.cancel(new Error("the stream failed"));
    // A request that takes longer than any may is its client's doing, not the vendor's.
    try {
      if (!overran) return pass.fail(await settleFailure(this.#services, run, ending, fault));
      await this.#services.ledger.settle(run.clientClosed(ending));
      return pass.fail(fault);
    } catch (thrown) {
      return pass.fail(asFault(thrown));
    }
  }

  #clientLeft(): void {
    if (this.#left) return;
    this.#left = true;
    this.#services.watchdog.drop(this.#watch);
    // An answer that is being settled already is settled as what it is.
    if (this.#over) return;
    const bills = this.#stream.attempt.channel.onDisconnect === "drain";
    const { drains, tasks } = this.#services;
    if (!bills || !drains.tryEnter()) tasks.run(this.#hangUp());
    else tasks.run(this.drain().finally(() => drains.leave()));
  }

  /** The vendor stops when we do: input and what was delivered. */
  async #hangUp(): Promise<void> {
    const { run, pass, exchange } = this.#stream;
    const ending = endingOf(this.#services, exchange, pass);
    exchange.cancel(new Error("the client left"));
    const settlement =
      pass.ended && pass.usage ? run.completed(ending, true) : run.clientClosed(ending);
    await this.#services.ledger.settleEventually(settlement);
  }

  /** The vendor bills the whole answer anyway: read it for its counts. */
  async drain(): Promise<void> {
    const { run, pass, exchange, response } = this.#stream;
    exchange.endWithin(this.#services.limits.drain_ms);
    try {
      while (!pass.ended && !pass.failure) {
        const chunk = await exchange.read(response);
        if (chunk) pass.push(chunk);
        else pass.close();
      }
    } catch {
      // The counts that came until then are what there is.
    }
    exchange.cancel(new Error("the client left"));
    const ending = endingOf(this.#services, exchange, pass);
    const settlement =
      pass.ended && pass.usage ? run.completed(ending, true) : run.clientClosed(ending);
    await this.#services.ledger.settleEventually(settlement);
  }
}
