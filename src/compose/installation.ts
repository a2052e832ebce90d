import { shippedCatalogue } from "../catalogue/models.ts";
import { parseUsd } from "../catalogue/money.ts";
import type { Config } from "../config/config.ts";
import type { Services } from "../gateway/services.ts";
import { Installation } from "../installation/installation.ts";
import { SnapshotRows } from "../installation/tables/snapshot.ts";
import type { Vault } from "../lib/secrets/vault.ts";
import type { Store } from "../store/store.ts";
import type { ChannelSource } from "../upstream/channels/channels.ts";
import type { FetchedModels } from "../upstream/channels/fetched-models.ts";

interface InstallationParts {
  readonly config: Config;
  readonly store: Pick<Store, "sql">;
  readonly source: ChannelSource;
  /** What is kept current. */
  readonly services: Pick<Services, "catalogue" | "routes" | "tasks" | "log">;
  readonly fetched: Pick<FetchedModels, "refreshNew">;
}

/** What operators have set, kept current in this process. */
export function openInstallation(parts: InstallationParts, vault: Vault): Installation {
  const { config, store, services, source, fetched } = parts;
  const { catalogue, routes, tasks, log } = services;
  return new Installation({
    store: new SnapshotRows(store.sql),
    vault,
    shipped: shippedCatalogue(),
    file: config.file,
    defaults: {
      signup: config.signup,
      signupCredit: parseUsd(config.signupCredit) ?? 0n,
      displayCurrency: undefined,
      markupPercent: config.file?.markupPercent,
    },
    ...{ source, catalogue, routes, fetched, tasks, log },
  });
}
