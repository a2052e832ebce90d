import { join } from "node:path";
import { version } from "../../package.json" with { type: "json" };
import { Accounts } from "../accounts/accounts.ts";
import { createPeople } from "../accounts/people/people.ts";
import { peopleStores } from "../accounts/tables/open.ts";
import { parseUsd } from "../catalogue/money.ts";
import type { Config } from "../config/config.ts";
import { ConsoleFiles } from "../http/files/console-files.ts";
import { consolePages } from "../http/files/static.ts";
import { openApiRoute } from "../http/openapi/route.ts";
import { HttpServer } from "../http/server.ts";
import { atMost, systemClock } from "../lib/clock.ts";
import { openVault } from "../lib/secrets/vault.ts";
import { TaskGroup } from "../lib/threads/task-group.ts";
import type { Store } from "../store/store.ts";
import { timedForPages } from "../store/timeouts/timed-store.ts";
import type { Log } from "../telemetry/log.ts";
import { openMaterial } from "./material.ts";
import { openPlatform, type PlatformParts } from "./platform.ts";

const WEB_DIR = join(import.meta.dir, "..", "..", "web");

/** The people of an installation that serves nothing else: they sign in to see the material. */
function openPeople(
  { config, store, clock, log, tasks }: PlatformParts & { readonly store: Store },
  port: () => number,
) {
  return createPeople({
    config,
    stores: peopleStores(store.sql, clock),
    accountsStore: store.accounts,
    accounts: Accounts.within(store.accounts, clock, config.limits),
    vault: openVault(config.secret, config.dataDir),
    clock,
    log,
    port,
    terms: async () => ({
      policy: config.signup,
      credit: parseUsd(config.signupCredit) ?? 0n,
    }),
    credit: (credit) => store.ledger.credit(credit),
    balanceOf: async (id) => {
      const balance = await store.ledger.balance(id);
      return balance ? balance.credited - balance.charged : 0n;
    },
    namesOf: async () => new Map(),
    facts: async () => ({ displayCurrency: null, testPayment: false }),
    background: (work) => tasks.run(work),
  });
}

export type PlatformApp = Awaited<ReturnType<typeof startPlatform>>;

/** Serves the platform without the gateway, with the console's sign-in. */
export async function startPlatform(config: Config, plain: Store, log: Log) {
  const store = timedForPages(plain, config.limits, log);
  const tasks = new TaskGroup((thrown) => log.error("task_failed", { thrown }));
  const parts = { config, store, clock: systemClock, log, tasks };
  const open = openPlatform(parts);
  let http: HttpServer | undefined;
  const { services: people, routes, guards } = openPeople(parts, () => http?.port ?? config.port);
  const files = new ConsoleFiles(WEB_DIR);
  const material = openMaterial({ config, platform: open, people, files, guards });
  const mounted = [
    ...consolePages(files),
    ...routes,
    ...open.routes(guards),
    ...open.rootRoutes(),
    ...material.routes,
  ];
  http = new HttpServer({
    config,
    log,
    routes: [...mounted, openApiRoute(mounted, version)],
    sockets: [],
    ready: () => store.ready(),
  });
  const stopWork = open.start();
  const server = http;
  return {
    port: server.port,
    open,
    async stop(drained = () => {}) {
      stopWork();
      await server.stop();
      drained();
      const waitMs = config.limits.shutdown_end_ms / 2;
      await Promise.all([atMost(server.finished(), waitMs), atMost(tasks.settled(), waitMs)]);
      await material.stop();
      await open.stop();
      await store.close();
    },
  };
}
