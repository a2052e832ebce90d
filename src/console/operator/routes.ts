import type { Guards } from "../../accounts/guards.ts";
import type { Catalogue } from "../../catalogue/models.ts";
import type { ConfigFile } from "../../config/file.ts";
import type { Route } from "../../lib/route.ts";
import { operatorAccountRoutes } from "./account-routes.ts";
import { channelRoutes } from "./channel-routes.ts";
import { healthRoutes } from "./health/health-routes.ts";
import { ledgerRoutes } from "./ledger-routes.ts";
import { mailRoutes } from "./mail-routes.ts";
import { type ModelOrigins, modelRoutes } from "./model-routes.ts";
import type { OperatorServices } from "./services.ts";
import { settingsRoutes } from "./settings-routes.ts";
import { systemRoutes } from "./system-routes.ts";

interface OperatorOptions {
  /** What ships, without anything of the operator's. */
  readonly shipped: Catalogue;
  readonly file: ConfigFile | undefined;
  /** Whoever asks may read the metrics; otherwise it takes an operator. */
  readonly metricsPublic: boolean;
}

function originsOf({ shipped, file }: OperatorOptions): ModelOrigins {
  const ofFile = (file?.models ?? []).map(({ id }) => [id, "faregate.yaml"] as const);
  return new Map([...ofFile, ...[...shipped.all()].map(({ id }) => [id, "shipped"] as const)]);
}

/** What whoever runs the installation sees and sets. */
export function operatorRoutes(
  services: OperatorServices,
  guards: Guards,
  options: OperatorOptions,
): readonly Route[] {
  const { shipped, file, metricsPublic } = options;
  const fileIds = new Set(file?.channels.map(({ id }) => id));
  return [
    ...channelRoutes(services, guards, fileIds),
    ...modelRoutes(services, guards, originsOf(options)),
    ...settingsRoutes(services, guards),
    ...operatorAccountRoutes(services, guards),
    ...ledgerRoutes(services, guards, (id) => shipped.find(id)),
    ...mailRoutes(services, guards),
    ...healthRoutes(services, guards),
    ...systemRoutes(services, guards, metricsPublic),
  ];
}
