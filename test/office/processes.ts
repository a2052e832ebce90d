// Processes as the system sees them.
import { readdirSync, readFileSync } from "node:fs";

/** Those that a process has started and that are there now. */
export function childrenOf(pid: number): readonly number[] {
  const words = listedChildren(pid) ?? Bun.spawnSync(["pgrep", "-P", String(pid)]).stdout;
  return words.toString().split(/\s+/).filter(Boolean).map(Number);
}

/** As Linux lists them by the threads that started them; to ask a program takes far longer, and some ask often. */
function listedChildren(pid: number): string | undefined {
  try {
    const threads = `/proc/${pid}/task`;
    const lists = readdirSync(threads).map((id) => `${threads}/${id}/children`);
    return lists.map((path) => readFileSync(path, "utf8")).join(" ");
  } catch {
    return undefined;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** How far a thread stands back, which is the first of its process unless told: 0 for one that does not. */
export function nicenessOf(pid: number, thread: string | number = pid): number {
  const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8");
  // The 19th field; the name in the second may hold spaces and brackets.
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
}
