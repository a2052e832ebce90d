import type { Catalogue } from "../../catalogue/models.ts";
import { Fault } from "../../lib/faults.ts";
import type { ChannelState } from "../../upstream/channels/channel-state.ts";
import { type ChannelTest, testChannel } from "../../upstream/channels/channel-test.ts";
import { listingKey, listOf } from "../../upstream/channels/fetched-models.ts";
import { listedModels } from "../../upstream/channels/served-models.ts";
import type { Channels } from "./channels.ts";
import type { ListedName, ReadChannelForm } from "./contract/channels.ts";
import type { OperatorServices } from "./services.ts";

const LIST_MS = 15_000;
/** More than anybody picks from. */
const LISTED_MAX = 5_000;

interface ChannelTrial {
  readonly test: ChannelTest;
  /** Names in the vendor's list, and the models that they would be served as. Null where there is no list. */
  readonly listed: readonly ListedName[] | null;
}

async function namesOf(state: ChannelState): Promise<readonly string[] | undefined> {
  const key = listingKey(state);
  if (!key || !state.channel.list) return undefined;
  try {
    return (await listOf(state.channel, key, LIST_MS)).slice(0, LISTED_MAX);
  } catch {
    // Why, the test says, which asks the same vendor with the same key.
    return undefined;
  }
}

/** What has a price comes first, each in the vendor's order. */
function matched(catalogue: Catalogue, { channel }: ChannelState, names: readonly string[]) {
  const { served, unpriced } = listedModels(catalogue, channel, names);
  return [
    ...[...served].map(([model, name]): ListedName => ({ name, model })),
    ...unpriced.map((name): ListedName => ({ name, model: null })),
  ];
}

/** Tries a channel as it would be saved: nothing is stored, and no request of anybody goes there. */
export async function tryChannel(
  services: OperatorServices,
  channels: Channels,
  form: ReadChannelForm,
  by: string,
): Promise<ChannelTrial> {
  const { settings, catalogue } = await channels.described(form, by);
  const routes = services.routesTo({ ...settings, enabled: true }, catalogue);
  const [state] = routes.states;
  if (!state) throw new Error("a channel that was opened has no state");
  const names = await namesOf(state);
  if (names && settings.models === "fetch") routes.learn(state.channel, names);
  const test = await testChannel({ ...services, routes }, state);
  if (!test) {
    const message = "There is no model with a price to ask for, and no list of models either.";
    throw new Fault("invalid_value", message, { param: "models" });
  }
  if (test.credentials.every(({ ok }) => ok)) channels.proven.add(state.channel);
  return { test, listed: names ? matched(catalogue, state, names) : null };
}
