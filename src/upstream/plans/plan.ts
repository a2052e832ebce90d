import { Fault } from "../../lib/faults.ts";
import type { Detour } from "../../protocols/translation/wire-choice.ts";
import type { Channel } from "../channels/channels.ts";
import type { Credential } from "../channels/credentials.ts";
import type { VendorRefusal } from "../refusal.ts";
import type { VendorEndpoint } from "../vendors.ts";
import { Attempt, type PlanContext, type ServingChannel } from "./attempt.ts";

export interface PlanOptions {
  /** What the client speaks. */
  readonly wire: VendorEndpoint;
  /** What cannot say all that the request says: spoken only where there is no other. */
  readonly avoid?: VendorEndpoint | undefined;
  /** What the model's vendors refuse on one wire and take on another. */
  readonly detour?: Detour | undefined;
  /** The account and its conversation, or the key that the client gave for its cache. */
  readonly sticky?: string | undefined;
  /** The request asks for searches: channels and wires that run them come first. */
  readonly webSearch?: boolean | undefined;
  /** What the request has tried already, for another model. */
  readonly tried?: Tried | undefined;
}

/** How often a request was sent to vendors. */
interface Tried {
  readonly attempts: number;
  /** Those among them that went to the channel that had just failed. */
  readonly repeats: number;
}

/** How far a request has got with the vendors that were asked. */
interface Progress extends Tried {
  /** The last of them, with which key, and how it did not answer. */
  readonly last?: ServingChannel | undefined;
  readonly credential?: Credential | undefined;
  readonly refusal?: VendorRefusal | undefined;
}

/** The protocol to speak to a channel; not one that it refuses the request on, where it has the other. */
function endpointFor(candidate: ServingChannel, options: PlanOptions): VendorEndpoint | undefined {
  const endpoint = bestEndpoint(candidate, options);
  const { detour } = options;
  if (detour === undefined || endpoint !== detour.from) return endpoint;
  return candidate.endpoints.includes(detour.to) ? detour.to : endpoint;
}

/** What says most of a request: the client's own protocol where it can, or else the channel's best. */
function bestEndpoint(candidate: ServingChannel, options: PlanOptions): VendorEndpoint | undefined {
  const { wire, avoid, webSearch } = options;
  const { endpoints, channel } = candidate;
  if (webSearch && !channel.searches.includes(wire)) {
    const searching = endpoints.find((endpoint) => channel.searches.includes(endpoint));
    if (searching !== undefined) return searching;
  }
  // The embedded vendor can say anything on any of its wires.
  const avoided = wire === avoid && !channel.embedded;
  if (endpoints.includes(wire) && !avoided) return wire;
  // Embeddings cannot be had by any other wire, nor anything else by this one.
  if (wire === "embeddings") return undefined;
  const fit = (endpoint: VendorEndpoint) => endpoint !== "embeddings" && endpoint !== avoid;
  return endpoints.find(fit) ?? (avoid && endpoints.includes(avoid) ? avoid : undefined);
}

interface PlanStep {
  readonly candidate: ServingChannel;
  readonly credential?: Credential | undefined;
  /** The channel that has just failed. */
  readonly repeats?: boolean;
}

const NOBODY: readonly ServingChannel[] = [];
const NOTHING_TRIED: Tried = { attempts: 0, repeats: 0 };

/** Where one request may go, one place after another until it is answered. */
export class Plan {
  readonly #modelId: string;
  readonly #candidates: readonly ServingChannel[];
  readonly #options: PlanOptions;
  readonly #context: PlanContext;
  readonly #triedChannels: Channel[] = [];
  readonly #triedCredentials: Credential[] = [];
  /** Those by whose limit for one of our keys the request is too large. */
  #tooSmall: readonly ServingChannel[] = NOBODY;
  #progress: Progress;
  /** Before the latest attempt. */
  #before: Progress;

  constructor(
    modelId: string,
    candidates: readonly ServingChannel[],
    options: PlanOptions,
    context: PlanContext,
  ) {
    this.#modelId = modelId;
    this.#candidates = candidates;
    this.#options = options;
    this.#context = context;
    this.#progress = options.tried ?? NOTHING_TRIED;
    this.#before = this.#progress;
  }

  /** What the request has tried so far, over all of its models. */
  get tried(): Tried {
    const { attempts, repeats } = this.#progress;
    return { attempts, repeats };
  }

  /** The next place to try; nothing when there is none, or when it has been tried often enough. */
  next(): Attempt | undefined {
    // What is asked again where it failed takes nobody else's turn.
    const { attempts, repeats } = this.#progress;
    if (attempts - repeats > this.#context.limits.retries_max) return undefined;
    const nowMs = this.#context.clock();
    const step =
      this.#sameChannel(nowMs) ??
      this.#again(nowMs, true) ??
      this.#remembered(nowMs) ??
      this.#drawn(nowMs) ??
      this.#again(nowMs, false) ??
      this.#otherKey(nowMs);
    if (!step || !this.#permits(step.candidate, nowMs)) return undefined;
    return this.#begin(step, nowMs);
  }

  /**
   * A first attempt always; another where the vendor is well, since moving there from one that is not
   * multiplies nothing. Where it is not, only as many as the budget allows.
   */
  #permits({ state }: ServingChannel, nowMs: number): boolean {
    const isFirst = this.#progress.attempts === 0;
    return isFirst || state.health.isWell(nowMs) || this.#context.budget.allows();
  }

  /**
   * The channel that has just failed, once more: before all others where the fault is a single one, and
   * else where there is nobody else. It adds load where there may be trouble, so the budget decides.
   */
  #again(nowMs: number, isSingle: boolean): PlanStep | undefined {
    const { limits, budget } = this.#context;
    const { last, credential, refusal, repeats } = this.#progress;
    if (!last || !refusal?.isPassing) return undefined;
    const { state, channel, upstreamModel } = last;
    // What is built in fails where it is told to, and would again.
    if (channel.embedded || repeats >= limits.repeats_max || !budget.allows()) return undefined;
    if (state.opensAtMs(upstreamModel) > nowMs) return undefined;
    if (isSingle && !state.health.isWellButForOne(nowMs)) return undefined;
    return { candidate: last, credential, repeats: true };
  }

  /** A vendor that refuses this key may take another. */
  #sameChannel(nowMs: number): PlanStep | undefined {
    const { last, refusal } = this.#progress;
    const kind = refusal?.kind;
    if (!last || (kind !== "credential" && kind !== "rate")) return undefined;
    const isLikely = !refusal?.tooLarge && this.#hasOtherKey(last, nowMs);
    return isLikely ? { candidate: last } : undefined;
  }

  /**
   * Keys of one channel mostly are of one account, and so is their limit: for a request that is too large for one of
   * them the others come behind all other channels.
   */
  #otherKey(nowMs: number): PlanStep | undefined {
    const candidate = this.#tooSmall.find((each) => this.#hasOtherKey(each, nowMs));
    return candidate && { candidate };
  }

  #hasOtherKey({ state, upstreamModel }: ServingChannel, nowMs: number): boolean {
    if (state.health.opensAtMs(upstreamModel) > nowMs) return false;
    return state.credentials.has(upstreamModel, nowMs, this.#triedCredentials);
  }

  #remembered(nowMs: number): PlanStep | undefined {
    const { sticky } = this.#options;
    if (sticky === undefined || this.#triedChannels.length > 0) return undefined;
    const entry = this.#context.sticky.find(sticky, this.#modelId, nowMs);
    if (!entry) return undefined;
    const candidate = this.#candidates.find(({ channel }) => channel.id === entry.channelId);
    if (!candidate || !this.#open(candidate, nowMs)) return undefined;
    return { candidate, credential: entry.credential };
  }

  #drawn(nowMs: number): PlanStep | undefined {
    const { webSearch } = this.#options;
    const candidate = (webSearch && this.#draw(nowMs, true)) || this.#draw(nowMs, false);
    return candidate && { candidate };
  }

  /** One of the highest priority that is open, by weight. Candidates come in order of priority. */
  #draw(nowMs: number, searching: boolean): ServingChannel | undefined {
    const all = this.#candidates;
    let first = 0;
    let top = all[first];
    while (top && !this.#fits(top, nowMs, searching)) top = all[++first];
    if (!top || first === all.length - 1) return top;
    const { priority } = top.channel;
    const peers = all.filter(
      (each) => each.channel.priority === priority && this.#fits(each, nowMs, searching),
    );
    if (peers.length === 1) return top;
    const total = peers.reduce((sum, { channel }) => sum + channel.weight, 0);
    let at = this.#context.random() * total;
    for (const peer of peers) {
      at -= peer.channel.weight;
      if (at < 0) return peer;
    }
    return top;
  }

  #fits(candidate: ServingChannel, nowMs: number, searching: boolean): boolean {
    return this.#open(candidate, nowMs) && (!searching || this.#searches(candidate));
  }

  #searches(candidate: ServingChannel): boolean {
    const endpoint = endpointFor(candidate, this.#options);
    return endpoint !== undefined && candidate.channel.searches.includes(endpoint);
  }

  #open(candidate: ServingChannel, nowMs: number): boolean {
    const { state, channel, upstreamModel } = candidate;
    return (
      state.health.opensAtMs(upstreamModel) <= nowMs &&
      !this.#triedChannels.includes(channel) &&
      state.credentials.has(upstreamModel, nowMs, this.#triedCredentials) &&
      endpointFor(candidate, this.#options) !== undefined
    );
  }

  #begin(step: PlanStep, nowMs: number): Attempt | undefined {
    const { candidate, repeats } = step;
    const { channel } = candidate;
    const endpoint = endpointFor(candidate, this.#options);
    const credential = this.#pick(step, nowMs);
    if (!credential || endpoint === undefined) return undefined;
    const { attempts, repeats: repeated } = this.#progress;
    const number = attempts + 1;
    this.#before = this.#progress;
    this.#progress = {
      attempts: number,
      repeats: repeated + (repeats ? 1 : 0),
      last: candidate,
      credential,
    };
    this.#triedChannels.push(channel);
    this.#triedCredentials.push(credential);
    return new Attempt(candidate, credential, endpoint, number, nowMs, this.#context, this);
  }

  /** A key that was not tried; where a channel is asked again and has no other, the same. */
  #pick({ candidate, credential, repeats }: PlanStep, nowMs: number): Credential | undefined {
    const { state, upstreamModel } = candidate;
    const tried = this.#triedCredentials;
    const fresh = state.credentials.pick(upstreamModel, nowMs, tried, credential);
    if (fresh || !repeats) return fresh;
    return state.credentials.pick(upstreamModel, nowMs, [], credential);
  }

  /** Nobody was asked by the latest attempt, so it takes nobody's turn. Its channel is not drawn again. */
  takeBack(): void {
    this.#progress = this.#before;
  }

  settled(attempt: Attempt, refusal: VendorRefusal | undefined): void {
    const { last } = this.#progress;
    if (refusal?.tooLarge && last) this.#tooSmall = [...this.#tooSmall, last];
    if (refusal) this.#progress = { ...this.#progress, refusal };
    const { sticky } = this.#options;
    if (!refusal && sticky !== undefined) this.remember(attempt, sticky);
  }

  remember({ channel, credential }: Attempt, sticky: string): void {
    // Where there is one place to go, nothing need be remembered to go there again.
    const [only, other] = this.#candidates;
    if (!other && only?.state.credentials.all.length === 1) return;
    const { clock, sticky: steps } = this.#context;
    steps.keep(sticky, this.#modelId, channel.id, credential, clock());
  }

  /** Every key is refused: whoever asks again hears the same until somebody has seen to it. */
  #nobody(): Fault {
    return new Fault(
      "model_unavailable",
      `No channel can serve the model \`${this.#modelId}\` at present. Only the operator of this gateway can fix this.`,
      { cause: new Error(`every key of ${this.#modelId} is refused`) },
    );
  }

  /** What to answer when there was no attempt to make: when to come back, as far as it is known. */
  unavailable(): Fault {
    const nowMs = this.#context.clock();
    const opensAtMs = Math.min(
      ...this.#candidates.map(({ state, upstreamModel }) => state.opensAtMs(upstreamModel)),
    );
    if (opensAtMs === Number.POSITIVE_INFINITY) return this.#nobody();
    const seconds = Math.max(1, Math.ceil((opensAtMs - nowMs) / 1_000));
    return new Fault(
      "upstream_unavailable",
      "The upstream model service is unavailable. Try again shortly.",
      {
        headers: { "retry-after": String(seconds) },
        cause: new Error(`no channel of ${this.#modelId} is open`),
      },
    );
  }
}
