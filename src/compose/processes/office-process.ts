import type { Config } from "../../config/config.ts";
import { steadyClock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import { UnfitDatabaseError } from "../../store/store.ts";
import type { Log } from "../../telemetry/log.ts";
import { askInner } from "./inner-call.ts";
import { BUSY_PATH } from "./office-paths.ts";
import { ownProgram } from "./own-program.ts";
import { Restarts } from "./restarts.ts";
import type { InnerSockets } from "./sockets.ts";

/** The variable by which an office is told where it stands. */
const PLACE = "FAREGATE_OFFICE";

/** By which a command says that its words are meant for whoever started it. */
export const MISTAKE_EXIT = 2;

/** Where an office stands: its socket, those of its gates, and the port that clients know. */
export interface OfficeAddress extends Pick<InnerSockets, "gates" | "office"> {
  readonly port: number;
}

/** Undefined for a process that nobody has started as an office. */
export function officeAddress(env: Readonly<Record<string, string | undefined>>) {
  const text = env[PLACE];
  return text === undefined ? undefined : (JSON.parse(text) as OfficeAddress);
}

/** The office, in a process that ends with this one. */
export function spawnOffice(config: Config, { gates, office, port }: OfficeAddress) {
  const place: OfficeAddress = { gates, office, port };
  const told = { [PLACE]: JSON.stringify(place) };
  const { command, env, stdin } = ownProgram(config, ["office"], told);
  return Bun.spawn(command, { env, stdio: [stdin, "pipe", "inherit", "pipe"] });
}

/** Whether an office would lose something by ending. */
export async function askBusy(socket: string): Promise<boolean> {
  const url = `http://localhost${BUSY_PATH}`;
  const call = { method: "GET", url, headers: new Headers(), body: null };
  const caller = { requestId: newId("req_"), address: () => "" };
  return (await (await askInner(socket, call, caller)).json()) as boolean;
}

/** Has the tables of all rooms brought up to date by a process that knows them; by another one where that is killed. */
export async function bringTables(config: Config, log: Log): Promise<void> {
  const restarts = new Restarts(config.limits);
  for (;;) {
    const startedAtMs = steadyClock();
    const { command, env, stdin } = ownProgram(config, ["office", "tables"]);
    const child = Bun.spawn(command, { env, stdio: [stdin, "ignore", "pipe", "pipe"] });
    const words = await new Response(child.stderr).text();
    const code = await child.exited;
    if (code === 0) return;
    const { pid, signalCode } = child;
    if (signalCode === null) throw tablesError(code, words);
    const restMs = restarts.pauseAfter(steadyClock() - startedAtMs);
    log.warn("tables_process_died", { pid, signal: signalCode, restMs });
    await Bun.sleep(restMs);
  }
}

function tablesError(code: number, words: string): Error {
  const why = `The tables of the console were not brought up to date. ${words.trim().replace(/^faregate: /, "")}`;
  return code === MISTAKE_EXIT ? new UnfitDatabaseError(why) : new Error(why);
}
