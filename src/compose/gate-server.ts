import { rmSync } from "node:fs";
import type { Config } from "../config/config.ts";
import { HttpServer } from "../http/server.ts";
import { atMost, every, systemClock } from "../lib/clock.ts";
import { officeHasWork } from "../store/reads/office-work.ts";
import type { Store } from "../store/store.ts";
import { isBurst } from "../telemetry/calls.ts";
import type { Log } from "../telemetry/log.ts";
import { type Gate, openGate } from "./gate.ts";
import { announce, ownOrigin } from "./own-origin.ts";
import { gateRoutes } from "./processes/gate-routes.ts";
import type { OfficeAccess } from "./processes/office-access.ts";
import { OfficeDoor } from "./processes/office-door.ts";
import { METRICS_PATH, OFFICE_PATHS } from "./processes/office-paths.ts";
import { askBusy, spawnOffice } from "./processes/office-process.ts";
import { OfficeSupervisor } from "./processes/office-supervisor.ts";
import { publicMetrics } from "./processes/public-metrics.ts";
import { closeToOthers, type InnerSockets, openSockets, socketsIn } from "./processes/sockets.ts";
import { SupervisedOffice } from "./processes/supervised-office.ts";
import type { WorkerIdentity } from "./processes/worker-words.ts";

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
    const { limits } = this.#config;
    const { ended, channels, uptimeMs } = await view.facts();
    if (ended !== this.#ended) this.#activeAtMs = uptimeMs;
    this.#ended = ended;
    const isThere = await officeHasWork(store.sql, {
      nowMs: systemClock(),
      active: uptimeMs - this.#activeAtMs < ACTIVE_MS,
      vendorDown: channels.some(
        ({ enabled, state, recent }) =>
          enabled && (state === "cooled" || state === "refused" || isBurst(recent)),
      ),
      realChannels: this.#isReal,
      checkoutRestMs: limits.checkout_look_rest_ms,
      noticeWaitMs:
        limits.notice_lease_ms + Math.max(limits.notice_lease_ms, limits.notice_retry_ms_max),
    });
    // The office looks at what was credited for trying things out whenever it starts.
    if (isThere) this.#isReal = false;
    return isThere;
  }
}

interface Doors {
  readonly config: Config;
  readonly log: Log;
  readonly gate: Gate;
  readonly office: OfficeAccess;
  readonly sockets: InnerSockets;
  /** Which of the gates this is, and whether there are others. */
  readonly index: number;
  readonly sharesPort: boolean;
}

/** The port, where what is the office's is passed on to it. */
function openPort({ config, log, gate, office, sockets, index, sharesPort }: Doors): HttpServer {
  const { store, installation, view } = gate;
  const { metricsPublic } = config;
  const remote = new OfficeDoor({
    ...{ office, socket: sockets.office, gate: index },
    paths: [...OFFICE_PATHS, ...(metricsPublic ? [] : [METRICS_PATH])],
    takeRevision: (revision) => installation.reach(revision),
  });
  const metrics = metricsPublic ? [publicMetrics(view, office, sockets.office, index)] : [];
  return new HttpServer({
    ...{ config, log, remote, sharesPort, sockets: gate.sockets, unrouted: gate.unrouted },
    routes: [...gate.routes, ...metrics],
    ready: () => store.ready(),
  });
}

/** The socket on which the office asks. */
function openSocket({ config, log, gate, sockets, index }: Doors, ownPort: number): HttpServer {
  const socket = sockets.gates[index] ?? "";
  // That of a worker that was killed is still there.
  rmSync(socket, { force: true });
  const server = new HttpServer({
    ...{ config, log, socket, ownPort, sockets: [], unrouted: gate.unrouted },
    routes: [...gate.routes, ...gateRoutes(gate.view)],
    ready: () => gate.store.ready(),
  });
  closeToOthers(socket);
  return server;
}

/** Opens a gate and its doors: the whole server but for its office, or one of several on one port. */
export async function startGate(config: Config, plain: Store, log: Log, worker?: WorkerIdentity) {
  const gate = await openGate(config, plain, log, worker?.index);
  const { store, services, installation } = gate;
  const { limits, workers } = config;
  const work = new OfficeWork(gate, config);
  const hasWork = () => work.isThere();
  await installation.reload();
  await gate.recallHealth();
  const sockets = worker
    ? { ...socketsIn(worker.folder, workers), remove() {} }
    : openSockets(config);
  let port = config.port;
  const office: OfficeAccess = worker
    ? new SupervisedOffice(hasWork)
    : new OfficeSupervisor({
        ...{ limits, log, hasWork, isBusy: () => askBusy(sockets.office) },
        spawn: () => spawnOffice(config, { ...sockets, port }),
      });
  const index = worker?.index ?? 0;
  const doors = { config, log, gate, office, sockets, index, sharesPort: worker !== undefined };
  let server: HttpServer;
  try {
    server = openPort(doors);
  } catch (thrown) {
    sockets.remove();
    throw thrown;
  }
  port = server.port;
  const inner = openSocket(doors, port);
  const withdraw = await announce(store, ownOrigin(config, port));
  gate.start();
  const stopLooking = every(limits.office_look_ms, () => services.tasks.run(office.look()));
  return {
    ...{ port, services },
    async stop(drained = () => {}) {
      gate.rest();
      stopLooking();
      await server.stop();
      // From here on no client waits for an answer.
      drained();
      const endsAtMs = performance.now() + limits.shutdown_end_ms;
      /** Half of the time that is left: a step that hangs leaves time for those after it. */
      const share = () => Math.max(0, endsAtMs - performance.now()) / 2;
      const settled = () =>
        Promise.all([atMost(server.finished(), share()), gate.settled(share())]);
      const officeEnded = office.close(share());
      await settled();
      // What clients have left and vendors have not finished by now is charged by what is known of it.
      gate.hangUp();
      await settled();
      await officeEnded;
      await inner.stop(share());
      await gate.settled(share());
      await atMost(gate.keepHealth(), share());
      await atMost(gate.closeTraces(), share());
      // Its row is written in this very thread, which a disk that does not answer would hold.
      await atMost(
        store.ping().then(withdraw, () => {}),
        share(),
      );
      sockets.remove();
      await store.close();
    },
    /** Leaves no process behind, whatever it is at. */
    abandon() {
      office.abandon();
      sockets.remove();
    },
  };
}
