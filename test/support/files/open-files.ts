import { readdirSync } from "node:fs";

/** How many files and sockets this process, or another, has open. */
export function openFiles(pid: number | "self" = "self"): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
