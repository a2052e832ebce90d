import { join } from "node:path";
import { newId } from "../../lib/ids.ts";
import { UnfitDatabaseError } from "../../store/store.ts";
import { askInner } from "./inner-call.ts";
import { BUSY_PATH } from "./office-paths.ts";
import type { InnerSockets } from "./sockets.ts";

/** The variable by which an office is told where it stands. */
const PLACE = "FAREGATE_OFFICE";
const ENTRY = join(import.meta.dir, "..", "..", "cli", "main.ts");

/** By which a command says that its words are meant for whoever started it. */
export const MISTAKE_EXIT = 2;

/** Where an office stands: its socket, those of its gates, and the port that clients know. */
export interface OfficePlace extends Pick<InnerSockets, "gates" | "office"> {
  readonly port: number;
}

/** Undefined for a process that nobody has started as an office. */
export function officePlace(env: Readonly<Record<string, string | undefined>>) {
  const text = env[PLACE];
  return text === undefined ? undefined : (JSON.parse(text) as OfficePlace);
}

/** The office, in a process that ends with this one: its fourth stream tells it, by ending. */
export function spawnOffice({ gates, office, port }: OfficePlace) {
  const place: OfficePlace = { gates, office, port };
  return Bun.spawn([process.execPath, ENTRY, "office"], {
    env: { ...process.env, [PLACE]: JSON.stringify(place), FAREGATE_LAUNCHER_FD: "3" },
    stdio: ["ignore", "pipe", "inherit", "pipe"],
  });
}

/** Whether an office would lose something by ending. */
export async function askBusy(socket: string): Promise<boolean> {
  const url = `http://localhost${BUSY_PATH}`;
  const call = { method: "GET", url, headers: new Headers(), body: null };
  const caller = { requestId: newId("req_"), address: () => "" };
  return (await (await askInner(socket, call, caller)).json()) as boolean;
}

/** Has the tables of all rooms brought up to date by a process that knows them. */
export async function bringTables(): Promise<void> {
  const child = Bun.spawn([process.execPath, ENTRY, "office", "tables"], {
    env: { ...process.env, FAREGATE_LAUNCHER_FD: "3" },
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const words = await new Response(child.stderr).text();
  const code = await child.exited;
  if (code === 0) return;
  const why = `The tables of the console were not brought up to date. ${words.trim().replace(/^faregate: /, "")}`;
  throw code === MISTAKE_EXIT ? new UnfitDatabaseError(why) : new Error(why);
}
