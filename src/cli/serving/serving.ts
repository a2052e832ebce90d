import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { checkedVault } from "../../compose/check-secret.ts";
import type { Config } from "../../config/config.ts";
import { tighten } from "../../lib/secrets/private-files.ts";
import type { Store } from "../../store/store.ts";
import type { Log } from "../../telemetry/log.ts";
import { portMistake } from "./refused-port.ts";

/** A launcher that is killed closes its end of this stream; the server goes with it. */
export function endWithLauncher(): void {
  const fd = Number(process.env.FAREGATE_LAUNCHER_FD);
  if (!Number.isInteger(fd) || fd < 3) return;
  const stream = createReadStream("", { fd });
  stream.on("close", () => process.exit(1));
  stream.on("error", () => process.exit(1));
  stream.resume();
}

/** Where a server is reached. */
export function urlOf(config: Config, port: number): string {
  if (config.publicUrl !== undefined) return config.publicUrl;
  const everywhere = config.host === "0.0.0.0" || config.host === "::";
  const host = everywhere ? "127.0.0.1" : config.host;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** What earlier versions left readable is closed; what cannot be is told of, once. */
function closeDataFolder({ dataDir }: Config, log: Log): void {
  const open = tighten(resolve(dataDir));
  if (open.length === 0) return;
  const fix = `others on this machine may read it; run: chmod go-rwx ${open.join(" ")}`;
  log.warn("data_folder_is_open", { open, fix });
}

/** Opens the door; one that does not open closes the store again. */
export async function listening<T>(
  config: Config,
  store: Store,
  start: () => Promise<T>,
  log: Log,
): Promise<T> {
  try {
    closeDataFolder(config, log);
    await checkedVault(store, config);
    return await start();
  } catch (thrown) {
    await store.close();
    throw portMistake(config, thrown);
  }
}
