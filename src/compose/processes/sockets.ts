import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Config } from "../../config/config.ts";

/** Names of sockets are cut off beyond this by the system. */
const PATH_BYTES_MAX = 100;

/** Where gate and office reach each other. Nobody but their own user does. */
export interface InnerSockets {
  readonly gate: string;
  readonly office: string;
  remove(): void;
}

/**
 * In the data folder, which one server has to itself; else, where several may share it or its name is too
 * long for a socket, in a folder of their own.
 */
export function innerSockets({ dataDir, databaseUrl }: Config): InnerSockets {
  const folder = resolve(dataDir);
  const fits = Buffer.byteLength(join(folder, "office.sock")) <= PATH_BYTES_MAX;
  const own = databaseUrl === undefined && fits ? undefined : privateFolder();
  const [gate, office] = ["gate.sock", "office.sock"].map((name) => join(own ?? folder, name));
  const sockets = [gate ?? "", office ?? ""];
  // Those of a server that was killed are still there.
  for (const path of sockets) rmSync(path, { force: true });
  const remove = () => {
    for (const path of own ? [own] : sockets) rmSync(path, { recursive: true, force: true });
  };
  return { gate: gate ?? "", office: office ?? "", remove };
}

function privateFolder(): string {
  return mkdtempSync(join(tmpdir(), "faregate-"));
}

/** For its own user only, whatever the mask of the process is. */
export function closeToOthers(path: string): void {
  chmodSync(path, 0o600);
}
