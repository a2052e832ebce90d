import { join } from "node:path";
import type { InnerSockets } from "./sockets.ts";

/** The variable by which a gate tells its office where it stands. */
const PLACE = "FAREGATE_OFFICE";
const ENTRY = join(import.meta.dir, "..", "..", "cli", "main.ts");

/** Where an office stands: its socket, its gate's, and the port that clients know. */
export interface OfficePlace extends Pick<InnerSockets, "gate" | "office"> {
  readonly port: number;
}

/** Undefined for a process that no gate has started. */
export function officePlace(env: Readonly<Record<string, string | undefined>>) {
  const text = env[PLACE];
  return text === undefined ? undefined : (JSON.parse(text) as OfficePlace);
}

/** The office, in a process that ends with this one: its fourth stream tells it, by ending. */
export function spawnOffice({ gate, office, port }: OfficePlace) {
  const place: OfficePlace = { gate, office, port };
  return Bun.spawn([process.execPath, ENTRY, "office"], {
    env: { ...process.env, [PLACE]: JSON.stringify(place), FAREGATE_LAUNCHER_FD: "3" },
    stdio: ["ignore", "pipe", "inherit", "pipe"],
  });
}

/** Has the tables of all rooms brought up to date by a process that knows them. */
export async function bringTables(): Promise<void> {
  const child = Bun.spawn([process.execPath, ENTRY, "office", "tables"], {
    env: { ...process.env, FAREGATE_LAUNCHER_FD: "3" },
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const words = await new Response(child.stderr).text();
  if ((await child.exited) === 0) return;
  throw new Error(`The tables of the console were not brought up to date. ${words.trim()}`);
}
