import type { InstallationSettings, SettingsInForce } from "../accounts/settings.ts";
import type { Catalogue } from "../catalogue/models.ts";
import { type ModelWords, withStored } from "../catalogue/stored-models.ts";
import type { ConfigFile } from "../config/file.ts";
import { every } from "../lib/clock.ts";
import type { Vault } from "../lib/secrets/vault.ts";
import { Mutex } from "../lib/threads/mutex.ts";
import type { TaskGroup } from "../lib/threads/task-group.ts";
import type { Log } from "../telemetry/log.ts";
import type { ChannelSettings } from "../upstream/channels/channel-settings.ts";
import type { ChannelSource } from "../upstream/channels/channels.ts";
import type { FetchedModels } from "../upstream/channels/fetched-models.ts";
import { openStored } from "../upstream/channels/stored-channels.ts";
import type { Routes } from "../upstream/routing.ts";
import { readSettings } from "./settings.ts";
import type { OperatorSnapshot } from "./snapshot.ts";
import type { SnapshotRows } from "./tables/snapshot.ts";

/** How soon a process notices what was set through another one. */
const LOOK_MS = 1_000;

interface Parts {
  readonly store: SnapshotRows;
  readonly vault: Pick<Vault, "open" | "seal">;
  /** What ships, without markup and without anything of the operator's. */
  readonly shipped: Catalogue;
  readonly file: ConfigFile | undefined;
  readonly defaults: InstallationSettings;
  readonly source: ChannelSource;
  /** The two that the gateway looks at. They are kept current. */
  readonly catalogue: Catalogue;
  readonly routes: Routes;
  readonly fetched: Pick<FetchedModels, "refreshNew">;
  readonly tasks: TaskGroup;
  readonly log: Log;
}

/** What there is to call at the moment. */
interface ChannelsInForce {
  /** Nothing but the embedded vendor can be called: nobody pays anybody. */
  readonly sandboxOnly: boolean;
}

/** What was said of models, gathered by model. */
export function modelWords(snapshot: Pick<OperatorSnapshot, "models" | "prices">): ModelWords[] {
  const ids = new Set([
    ...snapshot.models.map(({ id }) => id),
    ...snapshot.prices.map(({ modelId }) => modelId),
  ]);
  return [...ids].map((id) => {
    const model = snapshot.models.find((each) => each.id === id);
    return {
      id,
      definition: model && JSON.parse(model.definition),
      prices: snapshot.prices
        .filter(({ modelId }) => modelId === id)
        .map(({ effectiveFromMs, price }) => ({ effectiveFromMs, words: JSON.parse(price) })),
    };
  });
}

/**
 * What operators have set, in force: channels, models, prices, settings. What is set here is seen by
 * the next request here, and within a second by the processes beside this one.
 */
export class Installation implements SettingsInForce {
  readonly #parts: Parts;
  readonly #mutex = new Mutex();
  #snapshot: OperatorSnapshot | undefined;
  #settings: InstallationSettings;
  #problems: ReadonlyMap<string, string> = new Map();
  #sandboxOnly: boolean | undefined;
  /** Called when it has become another state of affairs, and once at the start. */
  onChannelsChanged: (channels: ChannelsInForce) => Promise<void> = async () => {};

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#settings = parts.defaults;
  }

  get snapshot(): OperatorSnapshot {
    if (!this.#snapshot) throw new Error("what operators set has not been loaded yet");
    return this.#snapshot;
  }

  /** What could not be taken into force, by `channel <id>` or `model <id>`. */
  get problems(): ReadonlyMap<string, string> {
    return this.#problems;
  }

  get sandboxOnly(): boolean {
    return this.#sandboxOnly ?? false;
  }

  /** What the configuration says, where nothing is set. */
  get defaults(): InstallationSettings {
    return this.#parts.defaults;
  }

  current(): InstallationSettings {
    return this.#settings;
  }

  /** Takes into force what is stored now. Awaited once before the gateway serves. */
  reload(): Promise<void> {
    return this.#mutex.run(async () => this.#apply(await this.#parts.store.load()));
  }

  /** Takes into force what was set up to this revision, unless it is. */
  async reach(revision: number): Promise<void> {
    if (this.snapshot.revision < revision) await this.reload();
  }

  /** Looks from time to time whether another process has set something; returns the way to stop. */
  start(): () => void {
    let looking = false;
    return every(LOOK_MS, () => {
      if (looking) return;
      looking = true;
      this.#parts.tasks.run(
        this.#look().finally(() => {
          looking = false;
        }),
      );
    });
  }

  async #look(): Promise<void> {
    const { store, log } = this.#parts;
    try {
      if ((await store.revision()) !== this.#snapshot?.revision) await this.reload();
    } catch (thrown) {
      log.warn("operator_settings_not_read", { thrown });
    }
  }

  /** The catalogue as it would be. Problems are told by model. */
  catalogueOf(
    words: readonly ModelWords[],
    markupPercent: string | undefined,
    onProblem: (modelId: string, problem: Error) => void,
  ): Catalogue {
    const { shipped, file } = this.#parts;
    const base = shipped.withOverrides({
      channels: file?.channels ?? [],
      models: file?.models ?? [],
      markupPercent: Number(markupPercent ?? 0) > 0 ? markupPercent : undefined,
    });
    return withStored(base, words, onProblem);
  }

  #apply(snapshot: OperatorSnapshot): void {
    const { catalogue, routes, source, defaults, file, fetched, tasks } = this.#parts;
    const former = this.#snapshot;
    const problems = new Map<string, string>();
    const settings = readSettings(snapshot.settings, defaults);
    catalogue.become(
      this.catalogueOf(modelWords(snapshot), settings.markupPercent, (id, { message }) =>
        problems.set(`model ${id}`, message),
      ),
    );
    const described = [...(file?.channels ?? []), ...this.#stored(snapshot, problems)];
    const off = snapshot.switches.filter((each) => each.off).map((each) => each.channelId);
    const channels = source.channels(described, new Set(off));
    routes.replace(channels);
    this.#snapshot = snapshot;
    this.#settings = settings;
    this.#problems = problems;
    if (former) this.#revive(former, snapshot);
    tasks.run(fetched.refreshNew());
    const enabled = channels.filter((channel) => channel.enabled);
    this.#tell(enabled.length > 0 && enabled.every((channel) => channel.embedded));
  }

  #stored(snapshot: OperatorSnapshot, problems: Map<string, string>): ChannelSettings[] {
    return snapshot.channels.flatMap((channel) => {
      try {
        return openStored(channel, this.#parts.vault);
      } catch (thrown) {
        const { message } = thrown as Error;
        problems.set(`channel ${channel.id}`, message);
        this.#parts.log.warn("channel_not_opened", { channel: channel.id, message });
        return [];
      }
    });
  }

  /** Those for which somebody has asked since. */
  #revive(former: OperatorSnapshot, snapshot: OperatorSnapshot): void {
    const times = ({ channels, switches }: OperatorSnapshot) =>
      new Map([
        ...switches.map((each) => [each.channelId, each.revivedAtMs] as const),
        ...channels.map((each) => [each.id, each.revivedAtMs] as const),
      ]);
    const before = times(former);
    for (const [id, atMs] of times(snapshot)) {
      if (atMs > (before.get(id) ?? 0)) this.#parts.routes.revive(id);
    }
  }

  #tell(sandboxOnly: boolean): void {
    if (sandboxOnly === this.#sandboxOnly) return;
    this.#sandboxOnly = sandboxOnly;
    this.#parts.tasks.run(this.onChannelsChanged({ sandboxOnly }));
  }
}
