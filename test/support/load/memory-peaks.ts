import { existsSync, readFileSync } from "node:fs";
import { childrenOf } from "../../office/processes.ts";

const EVERY_MS = 50;

/** Whether the system tells the highest resident memory of a process. */
export const tellsMemory = existsSync("/proc/self/status");

/** The most memory that each process of a server had, in megabytes. */
export interface MemoryPeaks {
  gate: number;
  office: number;
}

function peakOf(pid: number): number {
  const [, kilobytes = "0"] =
    /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.ceil(Number(kilobytes) / 1024);
}

/** Reads the memory of a gate and of its offices every 50 ms, until it is told to stop. */
export function sampleMemory(gate: number): { stop(): MemoryPeaks } {
  const peaks: MemoryPeaks = { gate: 0, office: 0 };
  const look = () => {
    peaks.gate = Math.max(peaks.gate, peakOf(gate));
    for (const pid of childrenOf(gate)) {
      try {
        peaks.office = Math.max(peaks.office, peakOf(pid));
      } catch {
        // It has ended since it was listed.
      }
    }
  };
  look();
  const timer = setInterval(look, EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      look();
      return peaks;
    },
  };
}
