import type { Config } from "../../config/config.ts";
import { isHere } from "../../lib/net/direct.ts";
import { mistake, mistakeOf } from "../terminal/arguments.ts";

/** A server to talk to, and who talks. */
export interface DraftServer {
  readonly origin: string;
  readonly key: string;
  /** Whether the key is the one that the installation keeps for commands. */
  readonly isKept: boolean;
  /** Whether it stands on this machine, to which no proxy has a way. */
  readonly isHere: boolean;
  close(): Promise<void>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Somewhere else, as the environment says. */
function namedServer(address: string, env: Environment): DraftServer {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw mistake("notServerUrl");
  }
  const key = env.FAREGATE_API_KEY;
  if (!key) throw mistakeOf("missing_api_key", "serverKeyMissing");
  const origin = url.href.replace(/\/+$/, "").replace(/\/v1$/, "");
  return { origin, key, isKept: false, isHere: isHere(url), close: async () => {} };
}

/** The server that is named, or runs here, or is started for this command alone. */
export async function findServer(config: Config, env: Environment): Promise<DraftServer> {
  if (env.FAREGATE_URL) return namedServer(env.FAREGATE_URL, env);
  // The tables of this machine, which a command to another one need not wait for.
  const running = await (await import("./running-server.ts")).runningServer(config, env);
  if (running) return running;
  // A whole gateway, which a command beside one need not wait for.
  return (await import("./own-server.ts")).ownServer(config, env);
}
