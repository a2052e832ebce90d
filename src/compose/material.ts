import type { Guards } from "../accounts/guards.ts";
import type { PeopleServices } from "../accounts/services.ts";
import type { Config } from "../config/config.ts";
import { materialRoutes } from "../console/material/material-routes.ts";
import { MaterialThreads } from "../console/material/material-threads.ts";
import type { ConsoleSource } from "../http/files/console-files.ts";
import { materialPage } from "../http/files/static.ts";
import type { OpenPlatform } from "./platform.ts";

interface MaterialParts {
  readonly config: Config;
  readonly platform: OpenPlatform;
  readonly people: PeopleServices;
  readonly files: ConsoleSource;
  readonly guards: Guards;
}

/** The platform's page for people, where it is served: its document and what that asks for. */
export function openMaterial(parts: MaterialParts) {
  const { config, people, files, guards } = parts;
  const { on, controls } = config.platform;
  if (!on || !controls) return { routes: [], stop: async () => {} };
  const { memberships, accounts, audit, signIn } = people;
  const { platform, publishing, media, clock, sandbox } = parts.platform;
  const page = materialPage(files, async (incoming) => {
    const person = await signIn.session(incoming);
    return person?.cookies;
  });
  const threads = new MaterialThreads(config.limits);
  const routes = materialRoutes(
    {
      ...{ platform, publishing, media, threads, clock, audit },
      publicUrl: config.publicUrl,
      membershipsOf: (userId) => memberships.ofUser(userId),
      operatorAccountId: async () => (await accounts.operatorAccount())?.id,
      accountName: async (accountId) => (await accounts.findAccount(accountId))?.name,
      openHouse: async () => void (await sandbox()),
    },
    guards,
  );
  return { routes: [page, ...routes], stop: () => threads.close() };
}
