// What a process has cost so far, as the Linux kernel counts it.
import { readFileSync } from "node:fs";

/** The unit of the processor times in /proc; Linux has shown 100 to programs on every platform. */
const TICK_MS = 10;

/** User and system time of all threads of the process, those that ended included. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in field 2 may hold spaces and brackets, so counting starts behind the last bracket.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
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
