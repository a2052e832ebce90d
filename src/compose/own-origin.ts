import type { Config } from "../config/config.ts";
import { ServingRow } from "../store/serving-row.ts";
import type { Store } from "../store/store.ts";

/** Where a server is reached from the machine it runs on. */
export function ownOrigin({ host: listens }: Pick<Config, "host">, port: number): string {
  const everywhere = listens === "0.0.0.0" || listens === "::";
  const host = everywhere ? "127.0.0.1" : listens;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Tells commands that are typed beside the server where it is; returns the way to take that back. */
export async function announce({ sql }: Pick<Store, "sql">, origin: string) {
  const row = new ServingRow(sql);
  await row.save(origin);
  return async () => {
    try {
      await row.clear(origin);
    } catch {
      // It then names a server that does not answer, as that of one that was killed does.
    }
  };
}
