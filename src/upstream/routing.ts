import type { Catalogue, Model } from "../catalogue/models.ts";
import type { NanoUsd } from "../catalogue/money.ts";
import type { Limits } from "../config/config.ts";
import { type Clock, tickClock } from "../lib/clock.ts";
import type { JsonObject } from "../protocols/fields.ts";
import { ChannelState, type ChannelStatus } from "./channels/channel-state.ts";
import type { Channel } from "./channels/channels.ts";
import {
  cataloguedModels,
  listedModels,
  type MatchedModels,
  namedModels,
} from "./channels/served-models.ts";
import type { PlanContext, ServingChannel } from "./plans/attempt.ts";
import { Plan, type PlanOptions } from "./plans/plan.ts";
import { RetryBudget } from "./plans/retry-budget.ts";
import { StickyChannels } from "./plans/sticky.ts";
import type { VendorEndpoint } from "./vendors.ts";

/** A channel that serves a model, and the vendor's name of the model there. */
export type Route = Pick<ServingChannel, "channel" | "upstreamModel" | "endpoints">;

/** Models that a channel has and that are not served, since nothing prices them. */
interface UnpricedModels {
  readonly channelId: string;
  readonly models: readonly string[];
}

const draw = new Uint32Array(1);

function systemRandom(): number {
  crypto.getRandomValues(draw);
  return (draw[0] ?? 0) / 2 ** 32;
}

/** What of a channel a model can be asked by. The catalogue speaks of OpenAI's endpoints only. */
function endpointsFor(model: Model, channel: Channel): readonly VendorEndpoint[] {
  const offered: readonly string[] = model.endpoints;
  if (offered.includes("embeddings")) {
    return channel.endpoints.filter((endpoint) => offered.includes(endpoint));
  }
  const wires = channel.endpoints.filter((endpoint) => endpoint !== "embeddings");
  const foreign: readonly VendorEndpoint[] = ["messages", "gemini"];
  const fit = wires.filter((endpoint) => offered.includes(endpoint) || foreign.includes(endpoint));
  // Where none of them is left, this vendor offers the model in another way than its maker.
  return fit.length > 0 ? fit : wires;
}

/** Which models can be called, where each request goes, and how the vendors are. */
export class Routes {
  readonly #catalogue: Catalogue;
  readonly #context: PlanContext;
  #matched: ReadonlyMap<string, MatchedModels> = new Map();
  /** What vendors said that they have, by channel. */
  readonly #listed = new Map<string, readonly string[]>();
  #candidates: ReadonlyMap<string, readonly ServingChannel[]> = new Map();
  #models: readonly Model[] = [];
  #states: readonly ChannelState[] = [];

  constructor(
    catalogue: Catalogue,
    channels: readonly Channel[],
    limits: Limits,
    clock: Clock = tickClock,
    random: () => number = systemRandom,
  ) {
    this.#catalogue = catalogue;
    const budget = new RetryBudget(limits);
    this.#context = { limits, clock, random, budget, sticky: new StickyChannels(limits) };
    this.replace(channels);
  }

  /** Also of channels that are switched off, so that operators see them. */
  get states(): readonly ChannelState[] {
    return this.#states;
  }

  /**
   * These channels from the next request on, and whatever the catalogue has now. Requests that run
   * stay where they are, and what is known of the health of a channel is kept.
   */
  replace(channels: readonly Channel[]): void {
    const former = new Map(this.#states.map((state) => [state.channel.id, state]));
    this.#states = channels.map((channel) => {
      const known = former.get(channel.id);
      if (known?.channel === channel) return known;
      const moved = known?.channel.place !== channel.place || channel.models !== "fetch";
      if (moved) this.#listed.delete(channel.id);
      return new ChannelState(channel, this.#context.limits, known);
    });
    const ids = new Set(channels.map(({ id }) => id));
    for (const id of this.#listed.keys()) if (!ids.has(id)) this.#listed.delete(id);
    this.#rebuild();
  }

  /** The keys of a channel may be tried again, at once. False when there is no such channel. */
  revive(channelId: string): boolean {
    const state = this.#states.find(({ channel }) => channel.id === channelId);
    state?.revive();
    return state !== undefined;
  }

  /** What the vendor lists, or what is known to be served before it has been asked. */
  #match(channel: Channel): MatchedModels {
    const { models } = channel;
    if (typeof models !== "string") return namedModels(this.#catalogue, channel, models);
    const listed = this.#listed.get(channel.id);
    return listed
      ? listedModels(this.#catalogue, channel, listed)
      : cataloguedModels(this.#catalogue, channel);
  }

  #rebuild(): void {
    this.#matched = new Map(
      this.#states.map(({ channel }) => [channel.id, this.#match(channel)] as const),
    );
    const states = this.#states
      .filter(({ channel }) => channel.enabled)
      .sort((a, b) => b.channel.priority - a.channel.priority);
    const candidates = new Map<string, readonly ServingChannel[]>();
    for (const model of this.#catalogue.all()) {
      const found = states.flatMap((state) => this.#candidate(state, model) ?? []);
      if (found.length > 0) candidates.set(model.id, found);
    }
    this.#candidates = candidates;
    this.#models = [...this.#catalogue.all()].filter(({ id }) => candidates.has(id));
  }

  /** The models that have an enabled channel, cooled or not. */
  models(): readonly Model[] {
    return this.#models;
  }

  /** Whether a vendor of the model takes any of our keys, be it later. */
  canServe(model: Pick<Model, "id">): boolean {
    const candidates = this.#candidates.get(model.id) ?? [];
    return candidates.some(({ state }) => !state.credentials.refused);
  }

  /** One channel of the model, if there is any. It may be cooled; a plan says where to go. */
  find(model: Pick<Model, "id">): Route | undefined {
    return this.#candidates.get(model.id)?.[0];
  }

  /** Whether every vendor that may serve the model stops, and bills no more, when it is hung up on. */
  stopsWithUs(model: Pick<Model, "id">): boolean {
    const candidates = this.#candidates.get(model.id) ?? [];
    return candidates.every(({ channel }) => channel.onDisconnect === "abort");
  }

  /** The most that any vendor of the model would cost for what a request asks beyond the lists. */
  feeOf(model: Pick<Model, "id">, body: JsonObject): NanoUsd {
    let most = 0n;
    for (const { channel } of this.#candidates.get(model.id) ?? []) {
      const fee = channel.allows.fee(body);
      if (fee > most) most = fee;
    }
    return most;
  }

  plan(model: Pick<Model, "id">, options: PlanOptions): Plan {
    return new Plan(model.id, this.#candidates.get(model.id) ?? [], options, this.#context);
  }

  /** The vendor of a channel has told which models it has. */
  learn(channel: Channel, listed: readonly string[]): void {
    // The channel may have been changed or removed while its vendor was asked.
    const current = this.#states.find((state) => state.channel.id === channel.id)?.channel;
    if (current?.place !== channel.place || typeof current.models !== "string") return;
    this.#listed.set(channel.id, listed);
    this.#rebuild();
  }

  /** What vendors have told that they have, by channel. */
  get listed(): ReadonlyMap<string, readonly string[]> {
    return this.#listed;
  }

  /** Whether the vendor of the channel has told which models it has. */
  hasLearnt(channelId: string): boolean {
    return this.#listed.has(channelId);
  }

  /** The models that a channel has, switched on or off. */
  modelsOf(channelId: string): readonly Model[] {
    const served = this.#matched.get(channelId)?.served;
    return served ? [...this.#catalogue.all()].filter(({ id }) => served.has(id)) : [];
  }

  /** How a model is had from one channel, switched on or off. */
  routeOn(channelId: string, model: Model): Route | undefined {
    const state = this.#states.find(({ channel }) => channel.id === channelId);
    return state && this.#candidate(state, model);
  }

  #candidate(state: ChannelState, model: Model): ServingChannel | undefined {
    const { channel } = state;
    const upstreamModel = this.#matched.get(channel.id)?.served.get(model.id);
    const endpoints = endpointsFor(model, channel);
    if (upstreamModel === undefined || endpoints.length === 0) return undefined;
    return { state, channel, upstreamModel, endpoints };
  }

  unpriced(): UnpricedModels[] {
    return [...this.#matched].flatMap(([channelId, { unpriced }]) =>
      unpriced.length > 0 ? [{ channelId, models: unpriced }] : [],
    );
  }

  /** The time by which channels are cooled and tried again, which nobody sets. */
  now(): number {
    return this.#context.clock();
  }

  /** For operators, with moments as `now` has them. It holds no key. */
  status(): ChannelStatus[] {
    const nowMs = this.now();
    return this.#states.map((state) => {
      const served = this.#matched.get(state.channel.id)?.served.values() ?? [];
      return state.status(nowMs, [...served]);
    });
  }
}
