// The pipeline with all that stands between it and a store in a gate: what guards, counts and seals.
import { servicesOf } from "../../../src/compose/services.ts";
import { readConfig } from "../../../src/config/config.ts";
import { STORED_ANSWERS } from "../../../src/conversations/sealing.ts";
import { createByteSeal } from "../../../src/lib/secrets/byte-seal.ts";
import { openVault } from "../../../src/lib/secrets/vault.ts";
import type { Watchdog } from "../../../src/lib/threads/watchdog.ts";
import { measuredStore } from "../../../src/store/reads/measured.ts";
import type { Store } from "../../../src/store/store.ts";
import { timedStore } from "../../../src/store/timeouts/timed-store.ts";
import { Metrics } from "../../../src/telemetry/metrics.ts";
import { ChannelSource } from "../../../src/upstream/channels/channels.ts";
import { SILENT } from "../logs.ts";
import { gateway } from "./pipeline.ts";

const CONFIG = readConfig({ FAREGATE_SECRET: "a-secret-of-more-than-32-characters" });
export const { limits: TIMED_LIMITS } = CONFIG;

/** What its stored bodies are sealed with. */
export const SEAL = createByteSeal(openVault(CONFIG.secret, CONFIG.dataDir), STORED_ANSWERS);

type Setting = Parameters<typeof gateway>[0];

/** A gateway over this store, which is waited for by the watchdog of the test. */
export function timedGateway(plain: Store, watchdog: Watchdog, setting?: Setting) {
  const house = gateway(setting);
  const steady = () => house.services.watchdog.now();
  const metrics = new Metrics();
  const guarded = timedStore(plain, CONFIG.limits, SILENT, metrics, watchdog);
  const store = measuredStore(guarded, metrics, steady);
  const clocks = { clock: house.services.clock, steady };
  const source = new ChannelSource(CONFIG);
  const services = servicesOf(CONFIG, store, source, SILENT, clocks);
  const { accounts, admission, turns, idempotency, ledger, books, limits, tasks } = services;
  Object.assign(house.services, {
    ...{ accounts, admission, turns, idempotency, ledger, books, limits, tasks },
  });
  return { ...house, store };
}

/** The key that every request of the house shows. */
export const HOUSE_KEY = gateway().services.accounts.findKey("");
