import type { Limits } from "../../config/config.ts";
import type { Clock } from "../../lib/clock.ts";
import { Fault } from "../../lib/faults.ts";
import type { Dialect } from "../../protocols/wire.ts";
import type { ChannelState } from "../channels/channel-state.ts";
import type { Channel } from "../channels/channels.ts";
import type { Credential } from "../channels/credentials.ts";
import { refusalOf, type VendorRefusal } from "../refusal.ts";
import type { VendorEndpoint } from "../vendors.ts";
import type { RetryBudget } from "./retry-budget.ts";
import type { StickyChannels } from "./sticky.ts";

/** A channel that serves a model, and under which name. */
export interface ServingChannel {
  readonly state: ChannelState;
  readonly channel: Channel;
  readonly upstreamModel: string;
  /** By which the channel can be asked for this model, the best to translate to first. */
  readonly endpoints: readonly VendorEndpoint[];
}

/** What plans share. */
export interface PlanContext {
  readonly limits: Limits;
  readonly clock: Clock;
  readonly random: () => number;
  readonly budget: RetryBudget;
  readonly sticky: StickyChannels;
}

/** The plan that an attempt is a part of. */
interface AttemptOwner {
  takeBack(): void;
  settled(attempt: Attempt, refusal: VendorRefusal | undefined): void;
  remember(attempt: Attempt, sticky: string): void;
}

/** One try of a request at one channel with one key. Its outcome must be told, by one of four ways. */
export class Attempt {
  readonly channel: Channel;
  readonly credential: Credential;
  readonly upstreamModel: string;
  readonly endpoint: VendorEndpoint;
  /** The first is 1. */
  readonly number: number;
  readonly #candidate: ServingChannel;
  readonly #context: PlanContext;
  readonly #owner: AttemptOwner;
  readonly #onTrial: boolean;
  /** Whose word is waited for: the vendor's first, its last, or nobody's any more. */
  #stage: "waiting" | "answering" | "over" = "waiting";

  constructor(
    candidate: ServingChannel,
    credential: Credential,
    endpoint: VendorEndpoint,
    number: number,
    nowMs: number,
    context: PlanContext,
    owner: AttemptOwner,
  ) {
    this.channel = candidate.channel;
    this.credential = credential;
    this.upstreamModel = candidate.upstreamModel;
    this.endpoint = endpoint;
    this.number = number;
    this.#candidate = candidate;
    this.#context = context;
    this.#owner = owner;
    context.budget.begin(number > 1);
    this.#onTrial = candidate.state.health.begin(nowMs);
  }

  get dialect(): Dialect {
    return this.channel.dialect;
  }

  /** Whether the vendor runs searches on the wire that is spoken to it. */
  get runsSearches(): boolean {
    return this.channel.searches.includes(this.endpoint);
  }

  /** The vendor's first event, or its whole answer, is there and is good. */
  succeeded(): void {
    if (this.#stage !== "waiting") return;
    this.#end("answering");
    this.#candidate.state.answered(this.#context.clock(), this.#onTrial);
    this.credential.worked();
    this.#owner.settled(this, undefined);
  }

  /** The conversation goes on under another name, such as the id of this answer. */
  rememberAs(sticky: string): void {
    this.#owner.remember(this, sticky);
  }

  /**
   * Whatever was thrown instead of an answer, or in the middle of one. Returns what it means for the
   * request; nothing where it is no fault of anybody but ourselves.
   */
  failed(thrown: unknown): VendorRefusal | undefined {
    const refusal = this.#refusalOf(thrown);
    const stage = this.#stage;
    this.#end("over");
    const { state } = this.#candidate;
    const nowMs = this.#context.clock();
    if (stage === "answering" && refusal) state.brokeOff(refusal, this, nowMs);
    if (stage !== "waiting") return refusal;
    if (!refusal) state.health.released(this.#onTrial);
    else {
      state.failed(refusal, this, nowMs, this.#onTrial);
      this.#owner.settled(this, refusal);
    }
    return refusal;
  }

  /**
   * The request cannot be said to this vendor, which was not asked: it is as if there had been no attempt.
   * Returns what was thrown instead, as `failed` does.
   */
  unsaid(thrown: unknown): VendorRefusal | undefined {
    this.abandoned();
    this.#owner.takeBack();
    return this.#refusalOf(thrown);
  }

  #refusalOf(thrown: unknown): VendorRefusal | undefined {
    const { key } = this.credential;
    return refusalOf(thrown instanceof Fault ? key.hideIn(thrown) : thrown);
  }

  /** The client left, or the request ended for a reason that is not the vendor's. */
  abandoned(): void {
    if (this.#stage !== "waiting") return;
    this.#end("over");
    this.#candidate.state.health.released(this.#onTrial);
  }

  /** Whoever has heard the vendor's first word, or waits for it no longer, is no part of the budget. */
  #end(stage: "answering" | "over"): void {
    if (this.#stage === "waiting") this.#context.budget.end(this.number > 1);
    this.#stage = stage;
  }
}
