import type { Catalogue, Model } from "../catalogue/models.ts";
import type { Limits } from "../config.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { ChannelState, type ChannelStatus } from "./channel-state.ts";
import type { Channel } from "./channels.ts";
import { type Candidate, Plan, type PlanContext, type PlanOptions } from "./plan.ts";
import { RetryBudget } from "./retry-budget.ts";
import {
  cataloguedModels,
  listedModels,
  type MatchedModels,
  namedModels,
} from "./served-models.ts";
import { StickyPlaces } from "./sticky.ts";
import type { VendorEndpoint } from "./vendors.ts";

/** A channel that serves a model, and the vendor's name of the model there. */
export type Route = Pick<Candidate, "channel" | "upstreamModel" | "endpoints">;

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
  readonly #matched = new Map<string, MatchedModels>();
  #candidates: ReadonlyMap<string, readonly Candidate[]> = new Map();
  #models: readonly Model[] = [];
  /** Also of channels that are switched off, so that operators see them. */
  readonly states: readonly ChannelState[];

  constructor(
    catalogue: Catalogue,
    channels: readonly Channel[],
    limits: Limits,
    clock: Clock = systemClock,
    random: () => number = systemRandom,
  ) {
    this.#catalogue = catalogue;
    this.states = channels.map((channel) => new ChannelState(channel, limits));
    const budget = new RetryBudget(limits);
    this.#context = { limits, clock, random, budget, sticky: new StickyPlaces(limits) };
    for (const channel of channels) this.#matched.set(channel.id, this.#known(channel));
    this.#rebuild();
  }

  /** What is known to be served before the vendor has been asked. */
  #known(channel: Channel): MatchedModels {
    const { models } = channel;
    return typeof models === "string"
      ? cataloguedModels(this.#catalogue, channel)
      : namedModels(this.#catalogue, channel, models);
  }

  #rebuild(): void {
    const states = this.states
      .filter(({ channel }) => channel.enabled)
      .sort((a, b) => b.channel.priority - a.channel.priority);
    const candidates = new Map<string, readonly Candidate[]>();
    for (const model of this.#catalogue.all()) {
      const found = states.flatMap((state): Candidate[] => {
        const { channel } = state;
        const upstreamModel = this.#matched.get(channel.id)?.served.get(model.id);
        const endpoints = endpointsFor(model, channel);
        if (upstreamModel === undefined || endpoints.length === 0) return [];
        return [{ state, channel, upstreamModel, endpoints }];
      });
      if (found.length > 0) candidates.set(model.id, found);
    }
    this.#candidates = candidates;
    this.#models = [...this.#catalogue.all()].filter(({ id }) => candidates.has(id));
  }

  /** The models that have an enabled channel, cooled or not. */
  models(): readonly Model[] {
    return this.#models;
  }

  /** One channel of the model, if there is any. It may be cooled; a plan says where to go. */
  find(model: Pick<Model, "id">): Route | undefined {
    return this.#candidates.get(model.id)?.[0];
  }

  plan(model: Pick<Model, "id">, options: PlanOptions): Plan {
    return new Plan(model.id, this.#candidates.get(model.id) ?? [], options, this.#context);
  }

  /** The vendor of a channel has told which models it has. */
  learn(channel: Channel, listed: readonly string[]): void {
    this.#matched.set(channel.id, listedModels(this.#catalogue, channel, listed));
    this.#rebuild();
  }

  unpriced(): UnpricedModels[] {
    return [...this.#matched].flatMap(([channelId, { unpriced }]) =>
      unpriced.length > 0 ? [{ channelId, models: unpriced }] : [],
    );
  }

  /** For operators. It holds no key. */
  status(): ChannelStatus[] {
    const nowMs = this.#context.clock();
    return this.states.map((state) => state.status(nowMs));
  }
}
