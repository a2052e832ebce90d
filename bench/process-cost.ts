// What a process has cost so far, as the Linux kernel counts it.
import { readdirSync, readFileSync } from "node:fs";

/** The unit of the processor times in /proc; Linux has shown 100 to programs on every platform. */
const TICK_MS = 10;

/** The fields of /proc/PID/stat from the third on, of which the kernel's manual says what they are. */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in field 2 may hold spaces and brackets, so counting starts behind the last bracket.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** User and system time of all threads of the process, those that ended included. */
export function cpuMs(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The process and all that it started, in turn. One that has ended is left out. */
export function treeOf(root: number): number[] {
  const childrenOf = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = unlessGone(() => Number(statOf(Number(name))[1]));
    if (parent === undefined) continue;
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), Number(name)]);
  }
  const tree = unlessGone(() => statOf(root)) === undefined ? [] : [root];
  for (const pid of tree) tree.push(...(childrenOf.get(pid) ?? []));
  return tree;
}

/** The time of a whole tree, with that of the children which have ended and were waited for. */
export function treeCpuMs(root: number): number {
  const ticks = treeOf(root).map((pid) => {
    const fields = unlessGone(() => statOf(pid)) ?? [];
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  });
  return ticks.reduce((sum, one) => sum + one, 0) * TICK_MS;
}

/** Resident memory of a whole tree. Pages that two of its processes share count twice. */
export function treeMemoryMb(root: number): number {
  const each = treeOf(root).map((pid) => unlessGone(() => memoryMb(pid).now) ?? 0);
  return each.reduce((sum, one) => sum + one, 0);
}

/** A process may end between being listed and being read. */
function unlessGone<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Resident memory now and at its highest so far. */
export function memoryMb(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
  return { now: megabytes("VmRSS"), peak: megabytes("VmHWM") };
}

/** How many files the process may open, and how far it may raise that itself. */
export function openFilesLimit(pid: number | "self"): { soft: number; hard: number } {
  const limits = readFileSync(`/proc/${pid}/limits`, "utf8");
  const found = /^Max open files\s+(\d+|unlimited)\s+(\d+|unlimited)/m.exec(limits);
  const count = (text: string | undefined) =>
    text === "unlimited" ? Number.POSITIVE_INFINITY : Number(text);
  return { soft: count(found?.[1]), hard: count(found?.[2]) };
}
