// What all processes of the machine have used of its cores. A run that takes long has done much, or was kept waiting by
// whoever else has the machine; on a virtual one that is not seen from within, but counted.
import { readFileSync } from "node:fs";

/** Seconds of all cores since the machine began. */
export interface MachineTime {
  readonly used: number;
  /** In which something wanted to run here, and the host let somebody else. */
  readonly taken: number;
}

const TICKS_PER_SECOND = 100;

/** From what Linux writes into `/proc/stat`. */
export function readMachineTime(stat: string): MachineTime {
  const line = stat.slice(0, stat.indexOf("\n"));
  const [, user, nice, system, , , irq, softIrq, taken] = line.split(/\s+/).map(Number);
  const used = [user, nice, system, irq, softIrq].reduce<number>(
    (sum, ticks = 0) => sum + ticks,
    0,
  );
  return { used: used / TICKS_PER_SECOND, taken: (taken ?? 0) / TICKS_PER_SECOND };
}

/** Nothing where the system does not tell. */
export function machineTime(): MachineTime | undefined {
  try {
    return readMachineTime(readFileSync("/proc/stat", "utf8"));
  } catch {
    return undefined;
  }
}
