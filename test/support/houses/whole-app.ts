import { startApp } from "../../../src/compose/app.ts";
import { type Config, readConfig } from "../../../src/config/config.ts";
import type { Site } from "../../store/engines.ts";
import { SILENT } from "../logs.ts";
import { Parts } from "./house.ts";
import { STAND_INS } from "./stand-ins.ts";

/** The whole gateway in this process, as `faregate serve` composes it, but for its stand-ins. */
export async function wholeApp(
  parts: Parts,
  site: Site,
  env: Record<string, string> = {},
  /** What no setting says, such as where a payment provider stands that is not the real one. */
  change: (config: Config) => Config = (config) => config,
) {
  const config = change(readConfig({ ...site.settings, FAREGATE_PORT: "0", ...env }));
  const store = await site.open();
  const running = parts.use(new Parts());
  const { port, routes } = running.keep(await startApp(config, store, SILENT, STAND_INS));
  return {
    url: `http://127.0.0.1:${port}`,
    store,
    routes,
    /** The process ends; what it kept stays. */
    stop: () => running.disposeAsync(),
  };
}
