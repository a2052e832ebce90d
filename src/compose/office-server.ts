import { rmSync } from "node:fs";
import { version } from "../../package.json" with { type: "json" };
import type { Config } from "../config/config.ts";
import { unofferedFault } from "../gateway/routes/unoffered.ts";
import { gatewayRoutes } from "../gateway/routes.ts";
import { INNER_REVISION } from "../http/inner.ts";
import { openApiRoute } from "../http/openapi/route.ts";
import { HttpServer } from "../http/server.ts";
import { atMost, steadyClock, systemClock } from "../lib/clock.ts";
import type { Route } from "../lib/route.ts";
import { openVault } from "../lib/secrets/vault.ts";
import type { Store } from "../store/store.ts";
import { timedForPages } from "../store/timeouts/timed-store.ts";
import type { Log } from "../telemetry/log.ts";
import { ChannelSource } from "../upstream/channels/channels.ts";
import { openInstallation } from "./installation.ts";
import { openOffice } from "./office.ts";
import { BUSY_PATH } from "./processes/office-paths.ts";
import type { OfficeAddress } from "./processes/office-process.ts";
import { RemoteGate } from "./processes/remote-gate.ts";
import { closeToOthers } from "./processes/sockets.ts";
import { servicesOf } from "./services.ts";

/** Everything but the gate, behind the gate's door. */
export async function startOffice(config: Config, plain: Store, log: Log, place: OfficeAddress) {
  const store = timedForPages(plain, config.limits, log);
  const source = new ChannelSource(config);
  // What a gate has too, so that the pages show what it does. No request is relayed by these.
  const clocks = { clock: systemClock, steady: steadyClock };
  const services = servicesOf(config, store, source, log, clocks);
  const { catalogue, routes, wires, clock, tasks } = services;
  const gate = new RemoteGate(place.gates, routes);
  const fetched = { refreshNew: async () => void (await gate.facts()) };
  const vault = openVault(config.secret, config.dataDir);
  const installation = openInstallation({ config, store, services, source, fetched }, vault);
  const office = await openOffice({
    ...{ config, store, log, clock, tasks, installation, catalogue, routes, source, wires },
    ...{ gate, call: gate.call, port: () => place.port },
  });
  // Those of the gate are described here with the rest.
  const described = [...gatewayRoutes(services), ...office.routes];
  // The one before may have been killed, and its gate has only one at a time.
  rmSync(place.office, { force: true });
  const busy: Route = {
    ...{ method: "GET", path: BUSY_PATH },
    // Beside this very question.
    handle: async () => Response.json(server.running > 1 || office.isBusy()),
  };
  const server = new HttpServer({
    ...{ config, log, sockets: [], ready: () => store.ready() },
    routes: [...gate.asked(office.routes), openApiRoute(described, version), busy],
    ...{ socket: place.office, ownPort: place.port },
    unrouted: (_request, path) => ({ fault: unofferedFault("openai", path), face: undefined }),
    adorn: (headers) => headers.set(INNER_REVISION, String(installation.snapshot.revision)),
  });
  closeToOthers(place.office);
  office.start();
  const stopLooking = installation.start();
  return {
    async stop(drained = () => {}) {
      stopLooking();
      office.rest();
      await server.stop();
      drained();
      const waitMs = config.limits.shutdown_end_ms / 2;
      await Promise.all([atMost(server.finished(), waitMs), atMost(tasks.settled(), waitMs)]);
      await office.stop();
      await store.close();
    },
  };
}
