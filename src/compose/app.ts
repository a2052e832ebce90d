import { version } from "../../package.json" with { type: "json" };
import type { Config } from "../config/config.ts";
import { openApiRoute } from "../http/openapi/route.ts";
import { HttpServer } from "../http/server.ts";
import { atMost } from "../lib/clock.ts";
import type { Store } from "../store/store.ts";
import type { Log } from "../telemetry/log.ts";
import type { StandIns } from "./console.ts";
import { openGate } from "./gate.ts";
import { openOffice } from "./office.ts";
import { announce, ownOrigin } from "./own-origin.ts";

/**
 * Gate and office in one process behind one door: for commands that need a server for a moment, for whoever
 * works on the pages, and for suites that ask nothing about processes.
 */
export async function startApp(config: Config, plain: Store, log: Log, standIns: StandIns = {}) {
  const gate = await openGate(config, plain, log);
  const { store, services, installation, source } = gate;
  const { catalogue, routes, wires, clock, tasks } = services;
  let http: HttpServer | undefined;
  const office = await openOffice({
    ...{ config, store, log, clock, tasks, installation, catalogue, routes, source, wires },
    ...{ gate: gate.view, call: gate.call },
    ...standIns,
    port: () => http?.port ?? config.port,
  });
  await gate.recallHealth();
  const mounted = [...gate.routes, ...office.routes];
  try {
    http = new HttpServer({
      ...{ config, log, sockets: gate.sockets, unrouted: gate.unrouted },
      routes: [...mounted, openApiRoute(mounted, version)],
      ready: () => store.ready(),
    });
  } catch (thrown) {
    // A door that does not open must not leave the office's threads, which keep a process alive.
    await office.stop();
    throw thrown;
  }
  const server = http;
  const withdraw = await announce(store, ownOrigin(config, server.port));
  gate.start();
  office.start();
  return {
    port: server.port,
    routes: server.routes,
    services,
    async stop() {
      gate.rest();
      office.rest();
      await server.stop();
      const { shutdown_drain_ms } = config.limits;
      await Promise.all([
        atMost(server.finished(), shutdown_drain_ms),
        gate.settled(shutdown_drain_ms),
      ]);
      await gate.keepHealth();
      await gate.closeTraces();
      await withdraw();
      await office.stop();
      await store.close();
    },
  };
}
