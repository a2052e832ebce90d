import type { Catalogue, Model } from "../../catalogue/models.ts";
import type { Channel } from "./channels.ts";

/** The vendor's name of each model that a channel serves, by ours. */
type ServedModels = ReadonlyMap<string, string>;

export interface MatchedModels {
  readonly served: ServedModels;
  /** What the channel has or is said to have, and nothing prices: it is not served. */
  readonly unpriced: readonly string[];
}

/** The name by which one of the channel's owners knows the model, the nearest owner first. */
function upstreamName(channel: Channel, model: Model): string | undefined {
  for (const owner of channel.owners) {
    const name = model.upstream[owner];
    if (name !== undefined) return name;
  }
  return undefined;
}

function hasPrice(model: Model | undefined): model is Model {
  return model !== undefined && model.prices.length > 0;
}

/** What the catalogue says of the channel's vendor. */
export function cataloguedModels(catalogue: Catalogue, channel: Channel): MatchedModels {
  const served = new Map<string, string>();
  for (const model of catalogue.all()) {
    const name = upstreamName(channel, model);
    if (name !== undefined && hasPrice(model)) served.set(model.id, name);
  }
  return { served, unpriced: [] };
}

/** What the operator names. */
export function namedModels(
  catalogue: Catalogue,
  channel: Channel,
  named: readonly { readonly id: string; readonly upstreamId: string | undefined }[],
): MatchedModels {
  const served = new Map<string, string>();
  const unpriced: string[] = [];
  for (const { id, upstreamId } of named) {
    const model = catalogue.find(id);
    if (hasPrice(model)) served.set(id, upstreamId ?? upstreamName(channel, model) ?? id);
    else unpriced.push(id);
  }
  return { served, unpriced };
}

/** By every name that a model has somewhere; this channel's own names for it come first. */
function namesIn(catalogue: Catalogue, channel: Channel): ReadonlyMap<string, Model> {
  const names = new Map<string, Model>();
  const models = [...catalogue.all()];
  const add = (name: string | undefined, model: Model) => {
    if (name !== undefined && !names.has(name)) names.set(name, model);
  };
  for (const model of models) add(upstreamName(channel, model), model);
  for (const model of models) add(model.id, model);
  for (const model of models) for (const alias of model.aliases) add(alias, model);
  for (const model of models) for (const name of Object.values(model.upstream)) add(name, model);
  return names;
}

/** What the vendor lists. */
export function listedModels(
  catalogue: Catalogue,
  channel: Channel,
  listed: readonly string[],
): MatchedModels {
  const names = namesIn(catalogue, channel);
  const served = new Map<string, string>();
  const unpriced: string[] = [];
  for (const name of listed) {
    const model = names.get(name);
    if (!hasPrice(model)) unpriced.push(name);
    else if (!served.has(model.id)) served.set(model.id, name);
  }
  return { served, unpriced };
}
