import type { Config } from "../config/config.ts";
import { OwnGate } from "../gateway/inner/gate-view.ts";
import { callsOf } from "../gateway/inner/model-calls.ts";
import { otherAddresses } from "../gateway/routes/other-addresses.ts";
import { gatewayRoutes, gatewaySockets, gatewayUnrouted } from "../gateway/routes.ts";
import type { Services } from "../gateway/services.ts";
import { ChannelMemory } from "../installation/channel-memory.ts";
import { atMost, every, steadyClock, systemClock, tickClock } from "../lib/clock.ts";
import { StorageError } from "../lib/faults.ts";
import { openVault } from "../lib/secrets/vault.ts";
import { measuredStore } from "../store/reads/measured.ts";
import type { Store } from "../store/store.ts";
import { timedStore } from "../store/timeouts/timed-store.ts";
import type { Log } from "../telemetry/log.ts";
import { watchLoop } from "../telemetry/loop-delay.ts";
import { Metrics } from "../telemetry/metrics.ts";
import { ChannelSource } from "../upstream/channels/channels.ts";
import { FetchedModels } from "../upstream/channels/fetched-models.ts";
import { Probes } from "../upstream/probes.ts";
import { openInstallation } from "./installation.ts";
import { servicesOf } from "./services.ts";

/** How often expired responses and answers are forgotten. */
const HOUSEKEEPING_MS = 10_000;

/**
 * The engine collects garbage by how much it has allocated, not by what thousands of open sockets
 * already weigh, and lets a quarter more pile up. From so many running requests on it is asked to
 * collect at a fixed pace; a collection takes some tens of milliseconds then, whoever asks for it.
 */
const COLLECT_MS = 3_000;
const COLLECT_WATCHES = 4_000;

export type Gate = Awaited<ReturnType<typeof openGate>>;

function tellOfGoneSettings({ gone }: Config, log: Log): void {
  for (const [setting, instead] of Object.entries(gone)) {
    log.warn("setting_is_gone", { setting, instead });
  }
}

/** Gives back what instances held that are gone. */
async function recover({ ledger }: Store, log: Log): Promise<void> {
  for (const { instance, holds } of await ledger.recover()) {
    log.warn("holds_recovered", { instance, holds });
  }
}

/**
 * Somebody may have the rows of an account locked whose holds were left. That is no reason to serve nobody: what
 * could not be given back is found again by the next look.
 */
async function recoverAtStart(store: Store, log: Log): Promise<void> {
  try {
    await recover(store, log);
  } catch (thrown) {
    if (!(thrown instanceof StorageError)) throw thrown;
    log.warn("holds_not_recovered", { thrown });
  }
}

/** What is looked after now and then, beside the requests. */
function keepHouse(services: Services, store: Store): readonly (() => void)[] {
  const { tasks, watchdog, conversations, idempotency, limits, log } = services;
  return [
    every(COLLECT_MS, () => {
      if (watchdog.size >= COLLECT_WATCHES) Bun.gc(true);
    }),
    every(HOUSEKEEPING_MS, () => {
      tasks.run(conversations.sweep());
      tasks.run(idempotency.sweep());
    }),
    every(limits.instance_lease_ms / 2, () => tasks.run(recover(store, log))),
  ];
}

/**
 * What relays, and nothing else: the routes of models with all that they need. What operators have set is
 * not in force before `installation` is loaded for the first time.
 */
export async function openGate(config: Config, plain: Store, log: Log, worker?: number) {
  tellOfGoneSettings(config, log);
  await recoverAtStart(plain, log);
  const startedAtMs = systemClock();
  const metrics = new Metrics();
  const store = measuredStore(timedStore(plain, config.limits, log, metrics), metrics, tickClock);
  const source = new ChannelSource(config);
  // Most have no collector, and do without the room that it takes.
  const tracing =
    config.traces && (await import("./traces.ts")).openTraces(config.traces, config, metrics, log);
  const clocks = { clock: systemClock, steady: tickClock };
  const services = servicesOf(config, store, source, log, clocks, tracing?.traces);
  const { routes: plans, limits, tasks } = services;
  const fetched = new FetchedModels(plans, limits, (channel, thrown) =>
    log.warn("models_not_fetched", { channel, thrown }),
  );
  const vault = openVault(config.secret, config.dataDir);
  const installation = openInstallation({ config, store, services, source, fetched }, vault);
  const { clock, log: calm } = services;
  const memory = new ChannelMemory({ sql: store.sql, routes: plans, clock, log: calm });
  const routes = [...gatewayRoutes(services), ...otherAddresses(services)];
  const stops: (() => void)[] = [];
  return {
    ...{ store, services, source, installation, routes },
    sockets: gatewaySockets(services),
    unrouted: gatewayUnrouted(services),
    view: new OwnGate({
      services,
      metrics,
      startedAtMs,
      worker,
      reload: () => installation.reload(),
    }),
    call: callsOf(routes),
    /** Takes over the health of channels from the gate that ran last, once they are in force. */
    recallHealth: () => memory.recall(),
    /** Begins what runs beside the requests. */
    start() {
      stops.push(
        ...keepHouse(services, store),
        watchLoop(metrics.loopDelayMs),
        fetched.start(tasks),
        new Probes(plans, limits, steadyClock).start(tasks),
        installation.start(),
        memory.start(tasks),
      );
    },
    /** Ends that; requests are none of its business. */
    rest() {
      for (const stop of stops.splice(0)) stop();
    },
    /** Work that waits for storage must not keep a process from ending; recovery voids its holds. */
    settled: (waitMs: number) => atMost(tasks.settled(), waitMs),
    /** The health of channels is kept for the next process. */
    keepHealth: () => memory.keep(),
    /** Ends the calls to vendors for which no client waits. */
    hangUp: () => services.drains.close(),
    /** What was traced goes to its collector, as far as that takes it in time. */
    closeTraces: async () => tracing?.close(),
  };
}
