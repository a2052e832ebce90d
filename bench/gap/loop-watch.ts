// Loaded into the gateway before its program: keeps the longest time for which its loop did nothing else, in a file
// that whoever measures has mapped too. A gap is over when a timer that is due comes.
import { closeSync, ftruncateSync, openSync, readSync } from "node:fs";
import { GAP_NUMBERS, gapFile, TICK_MS } from "./gap-file.ts";

const path = gapFile(process.env.GAP_FOLDER ?? "", process.pid);
const file = openSync(path, "w");
ftruncateSync(file, GAP_NUMBERS * Float64Array.BYTES_PER_ELEMENT);
closeSync(file);
const longest = new Float64Array(Bun.mmap(path, { shared: true }).buffer);

/** What this thread has had of a processor: on a busy machine it also waits, which is none of its doing. */
const schedule = openSync("/proc/thread-self/schedstat", "r");
const line = Buffer.alloc(64);
function workedMs(): number {
  const length = readSync(schedule, line, 0, line.length, 0);
  return Number(line.toString("latin1", 0, length).split(" ", 1)[0]) / 1_000_000;
}

let last = performance.now();
let lastWorked = workedMs();
setInterval(() => {
  const now = performance.now();
  const worked = workedMs();
  longest[0] = Math.max(longest[0] ?? 0, now - last - TICK_MS);
  longest[1] = Math.max(longest[1] ?? 0, worked - lastWorked);
  last = now;
  lastWorked = worked;
}, TICK_MS).unref();
