// A database works for the gateway in front of it, so its processes count as that gateway's.
import { readFileSync } from "node:fs";
import { treeOf } from "../process-cost.ts";

/** The servers of PostgreSQL that this process has started; their workers are in their trees. */
export function postgresRoots(): number[] {
  const servers = treeOf(process.pid).filter((pid) => nameOf(pid) === "postgres");
  const workers = new Set(servers.flatMap((pid) => treeOf(pid).slice(1)));
  return servers.filter((pid) => !workers.has(pid));
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
  } catch {
    return "";
  }
}
