import { isFreeAt, type Model, priceAt } from "../catalogue/models.ts";
import type { Config } from "../config/config.ts";
import { systemClock } from "../lib/clock.ts";
import { findOwnSecret } from "../lib/secrets/secret-file.ts";
import { createVault } from "../lib/secrets/vault.ts";
import { TaskGroup } from "../lib/threads/task-group.ts";
import { openWires } from "../protocols/wires.ts";
import type { Store } from "../store/store.ts";
import type { Log } from "../telemetry/log.ts";
import { ChannelSource } from "../upstream/channels/channels.ts";
import { checkKeys, type KeyCheck } from "../upstream/channels/key-checks.ts";
import { checkLive, type LiveCall, type LivePlan } from "../upstream/live/live-check.ts";
import { Routes } from "../upstream/routing.ts";
import { catalogueOf } from "./catalogue.ts";
import { openInstallation } from "./installation.ts";

/** When the price of a model was last held against its vendor's list, or set. */
interface PriceDate {
  readonly model: string;
  /** Undefined of a price of `faregate.yaml` that names no day. */
  readonly checkedMs: number | undefined;
}

interface VendorExamination {
  readonly keys: readonly KeyCheck[];
  readonly prices: readonly PriceDate[];
  /** Channels and models that operators have set and that are not in force, with the reason. */
  readonly closed: ReadonlyMap<string, string>;
  /** The calls that were made where somebody asked for them. */
  readonly live: readonly LiveCall[];
}

/** Keys that operators entered are sealed; without the secret only those of the settings are known. */
async function takeStored(
  config: Config,
  store: Pick<Store, "sql">,
  parts: { source: ChannelSource; routes: Routes; catalogue: ReturnType<typeof catalogueOf> },
  log: Log,
): Promise<ReadonlyMap<string, string>> {
  const secret = config.secret ?? findOwnSecret(config.dataDir);
  if (secret === undefined) return new Map();
  const { source, routes, catalogue } = parts;
  const tasks = new TaskGroup(() => {});
  const services = { catalogue, routes, tasks, log };
  const fetched = { refreshNew: async () => {} };
  const installation = openInstallation(
    { config, store, services, source, fetched },
    createVault(secret),
  );
  await installation.reload();
  await tasks.settled();
  return installation.problems;
}

function priceDate(model: Model, nowMs: number): PriceDate[] {
  const price = priceAt(model, nowMs);
  const listed = model.prices.find(({ effectiveFromMs }) => effectiveFromMs <= nowMs);
  if (isFreeAt(model, nowMs) || !price || !listed) return [];
  // One that names no day is in force since ever, which says nothing of when somebody looked it up.
  const setMs = listed.effectiveFromMs === 0 ? undefined : listed.effectiveFromMs;
  const checkedMs = listed.checkedAt ? Date.parse(listed.checkedAt) : setMs;
  return [{ model: model.id, checkedMs }];
}

/**
 * Examines what is in force towards vendors, and asks them about each key. The database is optional. With `onPlan`, it
 * also makes calls that vendors bill, and tells `onPlan` before it does.
 */
export async function examineVendors(
  config: Config,
  store: Pick<Store, "sql"> | undefined,
  log: Log,
  onPlan?: (plan: LivePlan) => void,
): Promise<VendorExamination> {
  const source = new ChannelSource(config);
  const catalogue = catalogueOf(config);
  const channels = source.channels(config.file?.channels ?? []);
  const routes = new Routes(catalogue, channels, config.limits, systemClock);
  const closed = store
    ? await takeStored(config, store, { source, routes, catalogue }, log)
    : new Map<string, string>();
  const enabled = routes.states.map(({ channel }) => channel).filter((channel) => channel.enabled);
  const asked = enabled.filter(({ embedded }) => !embedded);
  const served = new Map(
    asked.flatMap(({ id }) => routes.modelsOf(id).map((model) => [model.id, model] as const)),
  );
  const nowMs = systemClock();
  return {
    keys: await checkKeys(asked, config.limits.models_fetch_ms),
    prices: [...served.values()].flatMap((model) => priceDate(model, nowMs)),
    closed,
    live: onPlan
      ? await checkLive(enabled, {
          ...{ routes, onPlan, limits: config.limits, clock: systemClock },
          wires: openWires(config.limits),
        })
      : [],
  };
}
