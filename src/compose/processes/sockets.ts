import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Config } from "../../config/config.ts";

/** Names of sockets are cut off beyond this by the system. */
const PATH_BYTES_MAX = 100;

/** Where gates and their office reach each other. Nobody but their own user does. */
export interface InnerSockets {
  readonly folder: string;
  /** One of each gate. */
  readonly gates: readonly string[];
  readonly office: string;
}

/** The same, with the way to leave nothing behind. */
export interface OwnSockets extends InnerSockets {
  remove(): void;
}

/** Those in a folder, of so many gates. */
export function socketsIn(folder: string, gates: number): InnerSockets {
  const names = Array.from({ length: gates }, (_, index) => `gate-${index}.sock`);
  return {
    folder,
    gates: names.map((name) => join(folder, name)),
    office: join(folder, "office.sock"),
  };
}

/**
 * In the data folder, which one server has to itself; else, where several may share it or its name is too
 * long for a socket, in a folder of their own.
 */
export function openSockets({ dataDir, databaseUrl, workers }: Config): OwnSockets {
  const inData = socketsIn(resolve(dataDir), workers);
  const fits = Buffer.byteLength(inData.office) <= PATH_BYTES_MAX;
  if (databaseUrl === undefined && fits) {
    const remove = () => {
      for (const path of [...inData.gates, inData.office]) rmSync(path, { force: true });
    };
    // Those of a server that was killed are still there.
    remove();
    return { ...inData, remove };
  }
  const folder = mkdtempSync(join(tmpdir(), "faregate-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { ...socketsIn(folder, workers), remove };
}

/** Lets only the user of this process connect, whatever its mask is. Windows has no modes; the folder decides there. */
export function closeToOthers(path: string): void {
  if (process.platform === "win32") return;
  chmodSync(path, 0o600);
}
