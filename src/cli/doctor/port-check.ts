import { ownOrigin } from "../../compose/own-origin.ts";
import type { Config } from "../../config/config.ts";
import { type Finding, found } from "./finding.ts";

const CHECK = "port";

/** Why it cannot be listened on; undefined where it can. */
function refusal(hostname: string, port: number): { code: string; message: string } | undefined {
  try {
    Bun.listen({ hostname, port, exclusive: true, socket: { data() {} } }).stop(true);
    return undefined;
  } catch (thrown) {
    const { code = "", message } = thrown as Error & { code?: string };
    return { code, message };
  }
}

/** Whether the port is free, or held by the server that is known to run on this database. */
export function portCheck({ host, port }: Config, origin: string | undefined): Finding {
  if (port === 0) return found(CHECK, "ok", "portAny");
  const place = new URL(ownOrigin({ host }, port)).host;
  const refused = refusal(host, port);
  if (!refused) return found(CHECK, "ok", "portFree", { place });
  if (refused.code !== "EADDRINUSE") {
    return found(CHECK, "problem", "portRefused", { place, reason: refused.message });
  }
  const isOurs = origin === ownOrigin({ host }, port);
  return isOurs
    ? found(CHECK, "ok", "portOurs", { place })
    : found(CHECK, "problem", "portTaken", { place });
}
