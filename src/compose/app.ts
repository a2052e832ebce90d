import { version } from "../../package.json" with { type: "json" };
import { Admission } from "../admission/admission.ts";
import { Arrivals } from "../admission/arrivals.ts";
import { type Catalogue, shippedCatalogue } from "../catalogue/models.ts";
import type { Config } from "../config/config.ts";
import { playgroundRoutes } from "../console/playground-routes.ts";
import { Conversations } from "../conversations/conversations.ts";
import { KeptAnswers } from "../conversations/kept-answers.ts";
import { STORED_ANSWERS, sealedAnswers, sealedConversations } from "../conversations/sealing.ts";
import { BodyReader } from "../gateway/arriving/body.ts";
import { Idempotency } from "../gateway/idempotency/idempotency.ts";
import { gatewayRoutes, gatewaySockets, gatewayUnrouted } from "../gateway/routes.ts";
import type { Services } from "../gateway/services.ts";
import { openApiRoute } from "../http/openapi/route.ts";
import { HttpServer } from "../http/server.ts";
import { Ledger } from "../ledger/ledger.ts";
import { type Clock, every, systemClock } from "../lib/clock.ts";
import { createByteSeal } from "../lib/secrets/byte-seal.ts";
import { openVault } from "../lib/secrets/vault.ts";
import { TaskGroup } from "../lib/threads/task-group.ts";
import { Watchdog } from "../lib/threads/watchdog.ts";
import { openWires } from "../protocols/wires.ts";
import { measuredStore } from "../store/reads/measured.ts";
import type { Store } from "../store/store.ts";
import type { Log } from "../telemetry/log.ts";
import { Metrics } from "../telemetry/metrics.ts";
import { ChannelSource } from "../upstream/channels/channels.ts";
import { FetchedModels } from "../upstream/channels/fetched-models.ts";
import { Drains } from "../upstream/drains.ts";
import { Probes } from "../upstream/probes.ts";
import { Routes } from "../upstream/routing.ts";
import { openConsole, type StandIns } from "./console.ts";
import { openDrafts } from "./drafts.ts";
import { openMaterial } from "./material.ts";
import { openPlatform } from "./platform.ts";

/** How often expired responses and answers are forgotten and holds of dead instances looked for. */
const HOUSEKEEPING_MS = 10_000;

/**
 * The engine collects garbage by how much it has allocated, not by what thousands of open sockets
 * already weigh, and lets a quarter more pile up. From so many running requests on it is asked to
 * collect at a fixed pace; a collection takes some tens of milliseconds then, whoever asks for it.
 */
const COLLECT_MS = 3_000;
const COLLECT_WATCHES = 4_000;

/** What ships, with what the operator's file adds and changes. */
function catalogueOf({ file }: Config): Catalogue {
  const shipped = shippedCatalogue();
  return file ? shipped.withOverrides(file) : shipped;
}

/** What the gateway works with. */
export function servicesOf(
  config: Config,
  store: Store,
  source: ChannelSource,
  log: Log,
  clock: Clock,
): Services {
  const { limits } = config;
  const catalogue = catalogueOf(config);
  const channels = source.channels(config.file?.channels ?? []);
  const seal = createByteSeal(openVault(config.secret, config.dataDir), STORED_ANSWERS);
  const conversations = new Conversations(
    sealedConversations(store.conversations, seal),
    limits,
    clock,
    config.storeResponses,
  );
  const tasks = new TaskGroup((thrown) => log.error("task_failed", { thrown }));
  const admission = new Admission(store.admission, limits, clock);
  const ledger = new Ledger(store.ledger, limits, clock, tasks);
  ledger.onRelease = (...scopeIds) => admission.released(...scopeIds);
  const arrivals = new Arrivals(clock);
  ledger.onRateSpent = (keyId, max, waitMs) => arrivals.close(keyId, max, waitMs);
  const watchdog = new Watchdog(clock);
  const sealed = sealedAnswers(store.keptAnswers, seal);
  const answers = new KeptAnswers(sealed, limits, clock, config.storeResponses);
  const books = store.ledger;
  return {
    accounts: store.accounts,
    admission,
    arrivals,
    ledger,
    books,
    conversations,
    turns: conversations,
    idempotency: new Idempotency({ answers, books, limits, clock, watchdog, tasks }),
    catalogue,
    routes: new Routes(catalogue, channels, limits, clock),
    wires: openWires(limits),
    drains: new Drains(limits.drains_max),
    bodies: new BodyReader(limits),
    limits,
    clock,
    watchdog,
    tasks,
    log,
  };
}

function tellOfGoneSettings({ gone }: Config, log: Log): void {
  for (const [setting, instead] of Object.entries(gone)) {
    log.warn("setting_is_gone", { setting, instead });
  }
}

/** What is looked after now and then, beside the requests. */
function keepHouse(services: Services, store: Store): readonly (() => void)[] {
  const { tasks, watchdog, conversations, idempotency } = services;
  return [
    every(COLLECT_MS, () => {
      if (watchdog.size >= COLLECT_WATCHES) Bun.gc(true);
    }),
    every(HOUSEKEEPING_MS, () => {
      tasks.run(store.ledger.recover());
      tasks.run(conversations.sweep());
      tasks.run(idempotency.sweep());
    }),
  ];
}

/** Puts the parts together and opens the door. The one place that knows all of them. */
export async function startApp(config: Config, plain: Store, log: Log, standIns: StandIns = {}) {
  tellOfGoneSettings(config, log);
  const recovered = await plain.ledger.recover();
  if (recovered > 0) log.warn("holds_recovered", { holds: recovered });
  const metrics = new Metrics();
  const store = measuredStore(plain, metrics, systemClock);
  const source = new ChannelSource(config);
  const services = servicesOf(config, store, source, log, systemClock);
  const { routes, limits, clock, tasks } = services;
  const fetched = new FetchedModels(routes, limits, (channel, thrown) =>
    log.warn("models_not_fetched", { channel, thrown }),
  );
  let http: HttpServer | undefined;
  const parts = { config, store, services, source, fetched, metrics };
  const port = () => http?.port ?? config.port;
  const shipped = shippedCatalogue();
  const pages = await openConsole({ ...parts, ...standIns, shipped, version, port });
  const { guards, audit, people, files, personalKeys } = pages;
  const gateway = gatewayRoutes(services);
  const platform = openPlatform({ config, store, clock, log, tasks });
  const drafts = openDrafts({
    ...{ config, store, services, metrics, version, gateway, guards, audit, port },
    ...{ sandbox: platform.sandbox, rights: people.keyRights, personalKeys },
  });
  const material = openMaterial({ config, platform, people, files, guards });
  const mounted = [
    ...gateway,
    ...pages.routes,
    ...playgroundRoutes({ keys: personalKeys, gateway }, guards),
    ...platform.routes(guards),
    ...material.routes,
    ...drafts.routes,
  ];
  try {
    http = new HttpServer({
      config,
      log,
      routes: [...mounted, openApiRoute(mounted, version)],
      ...{ sockets: gatewaySockets(services), unrouted: gatewayUnrouted(services) },
      ready: () => store.ping(),
    });
  } catch (thrown) {
    // A door that does not open must not leave the console's threads, which keep a process alive.
    await pages.stop();
    throw thrown;
  }
  const stops = [
    ...keepHouse(services, store),
    fetched.start(tasks),
    new Probes(routes, limits, clock).start(tasks),
    platform.start(),
    drafts.start(),
  ];
  pages.start();
  return {
    port: http.port,
    routes: http.routes,
    services,
    stop: () => stop(http, [drafts, material, platform, pages], services, store, stops),
  };
}

async function stop(
  http: HttpServer | undefined,
  rooms: readonly { stop(): Promise<void> }[],
  { tasks, limits }: Services,
  store: Store,
  stops: readonly (() => void)[],
): Promise<void> {
  for (const each of stops) each();
  await http?.stop();
  // Work that waits for storage must not keep a process from ending; recovery voids its holds.
  await Promise.race([tasks.settled(), Bun.sleep(limits.shutdown_drain_ms)]);
  for (const room of rooms) await room.stop();
  await store.close();
}
