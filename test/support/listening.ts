import { type Config, readConfig } from "../../src/config/config.ts";
import { HttpServer } from "../../src/http/server.ts";
import type { Route } from "../../src/lib/route.ts";
import type { Log } from "../../src/telemetry/log.ts";
import type { Parts } from "./houses/house.ts";
import { SILENT } from "./logs.ts";

interface Listening {
  readonly config?: Config;
  readonly log?: Log;
}

/** Serves routes over real HTTP; the address without a slash at its end. */
export function listen(
  parts: Parts,
  routes: readonly Route[],
  { config = readConfig({ FAREGATE_PORT: "0" }), log = SILENT }: Listening = {},
): string {
  const ready = async () => {};
  const server = parts.keep(new HttpServer({ config, log, routes, sockets: [], ready }));
  return `http://127.0.0.1:${server.port}`;
}
