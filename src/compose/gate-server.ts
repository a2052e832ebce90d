import { rmSync } from "node:fs";
import type { Config } from "../config/config.ts";
import { HttpServer } from "../http/server.ts";
import { every, systemClock } from "../lib/clock.ts";
import { officeHasWork } from "../store/reads/office-work.ts";
import type { Store } from "../store/store.ts";
import type { Log } from "../telemetry/log.ts";
import { type Gate, openGate } from "./gate.ts";
import { announce, ownOrigin } from "./own-origin.ts";
import { gateRoutes } from "./processes/gate-routes.ts";
import type { OfficeAccess } from "./processes/office-access.ts";
import { OfficeDoor } from "./processes/office-door.ts";
import { OfficeKeeper } from "./processes/office-keeper.ts";
import { METRICS_PATH, OFFICE_PATHS } from "./processes/office-paths.ts";
import { askBusy, spawnOffice } from "./processes/office-process.ts";
import { publicMetrics } from "./processes/public-metrics.ts";
import { closeToOthers, openSockets, socketsIn } from "./processes/sockets.ts";
import { SupervisedOffice } from "./processes/supervised-office.ts";
import type { WorkerPlace } from "./processes/worker-words.ts";

/** Requests that ended within this time may have moved a balance of which nobody was told yet. */
const ACTIVE_MS = 180_000;

/** What is known here of whether the office has something to do. */
class OfficeWork {
  readonly #gate: Gate;
  readonly #config: Config;
  #ended = 0;
  #activeAtMs = Number.NEGATIVE_INFINITY;
  #isReal = false;

  constructor(gate: Gate, config: Config) {
    this.#gate = gate;
    this.#config = config;
    gate.installation.onChannelsChanged = async ({ sandboxOnly }) => {
      this.#isReal = !sandboxOnly;
    };
  }

  async isThere(): Promise<boolean> {
    const { store, view } = this.#gate;
    const nowMs = systemClock();
    const { ended, channels } = await view.facts();
    if (ended !== this.#ended) this.#activeAtMs = nowMs;
    this.#ended = ended;
    const isThere = await officeHasWork(store.sql, {
      nowMs,
      active: nowMs - this.#activeAtMs < ACTIVE_MS,
      vendorDown: channels.some(
        ({ enabled, state }) => enabled && (state === "cooled" || state === "refused"),
      ),
      realChannels: this.#isReal,
      checkoutRestMs: this.#config.limits.checkout_look_rest_ms,
    });
    // The office looks at what was credited for trying things out whenever it starts.
    if (isThere) this.#isReal = false;
    return isThere;
  }
}

/** Opens the gate's doors: the port, and the socket on which its office asks. */
export async function startGate(config: Config, plain: Store, log: Log, worker?: WorkerPlace) {
  const gate = await openGate(config, plain, log, worker?.index);
  const { store, services, installation } = gate;
  const { limits } = config;
  const index = worker?.index ?? 0;
  const sockets = worker
    ? { ...socketsIn(worker.folder, config.workers), remove() {} }
    : openSockets(config);
  const own = sockets.gates[index] ?? "";
  const work = new OfficeWork(gate, config);
  await installation.reload();
  let http: HttpServer | undefined;
  const hasWork = () => work.isThere();
  const keeper: OfficeAccess = worker
    ? new SupervisedOffice(hasWork)
    : new OfficeKeeper({
        ...{ limits, log, hasWork, isBusy: () => askBusy(sockets.office) },
        spawn: () => spawnOffice({ ...sockets, port: http?.port ?? config.port }),
      });
  const shared = { config, log, unrouted: gate.unrouted, ready: () => store.ping() };
  const elsewhere = new OfficeDoor({
    ...{ keeper, socket: sockets.office, gate: index },
    paths: [...OFFICE_PATHS, ...(config.metricsPublic ? [] : [METRICS_PATH])],
    takeRevision: (revision) => installation.reach(revision),
  });
  const metrics = config.metricsPublic
    ? [publicMetrics(gate.view, keeper, sockets.office, index)]
    : [];
  const routes = [...gate.routes, ...metrics];
  const sharesPort = worker !== undefined;
  const server = new HttpServer({
    ...{ ...shared, routes, sockets: gate.sockets, elsewhere, sharesPort },
  });
  http = server;
  // That of a worker that was killed is still there.
  rmSync(own, { force: true });
  const inner = new HttpServer({
    ...{ ...shared, socket: own, ownPort: server.port, sockets: [] },
    routes: [...gate.routes, ...gateRoutes(gate.view)],
  });
  closeToOthers(own);
  const withdraw = await announce(store, ownOrigin(config, server.port));
  gate.start();
  const stopLooking = every(limits.office_look_ms, () => services.tasks.run(keeper.look()));
  return {
    port: server.port,
    services,
    async stop() {
      gate.rest();
      stopLooking();
      await server.stop();
      await keeper.close();
      await inner.stop();
      await gate.settled();
      await withdraw();
      sockets.remove();
      await store.close();
    },
  };
}
