// Thousands of streams that are open at the same time and say one word per second.
import { requestBody, SLOW_STREAM_GAP_MS, SLOW_STREAM_TOKENS } from "./answer.ts";
import { checkStream } from "./check-answer.ts";
import { postRequest, runLoad } from "./load.ts";
import { cpuMs, memoryMb, openFilesLimit } from "./process-cost.ts";
import { modelFrom, type Server, type ServerName } from "./rounds.ts";

export interface SlowStreams {
  server: ServerName;
  streams: number;
  /** The most streams that had begun and not ended at one time. */
  openPeak: number;
  idleMb: number;
  peakMb: number;
  elapsedMs: number;
  cpuMs: number;
}

const DEADLINE_MS = SLOW_STREAM_TOKENS * SLOW_STREAM_GAP_MS + 60_000;
/** Files of a server beside its connections: database, logs, libraries. */
const OTHER_FILES = 500;

/** Says why the machine cannot hold so many streams, or null when it can. */
export function whyTooMany(streams: number): string | null {
  // The gateway has the most: one connection to the client and one to the vendor for each stream.
  const needed = 2 * streams + OTHER_FILES;
  const { hard } = openFilesLimit("self");
  if (hard >= needed) return null;
  return `${streams} streams need ${needed} open files and the hard limit is ${hard} (ulimit -Hn)`;
}

/** Opens all streams through one server, waits for all to end and reports its highest memory. */
export async function runSlowStreams(server: Server, streams: number): Promise<SlowStreams> {
  const idleMb = memoryMb(server.pid).now;
  const cpuBefore = cpuMs(server.pid);
  const expected = { model: modelFrom(server.name), tokens: SLOW_STREAM_TOKENS };
  const result = await runLoad({
    name: server.name,
    port: server.port,
    request: postRequest(server.port, "/v1/chat/completions", server.key, requestBody(true)),
    connections: streams,
    requests: streams,
    deadlineMs: DEADLINE_MS,
    check: (response) => checkStream(response, expected),
  });
  if (result.answeringPeak < streams) {
    throw new Error(`only ${result.answeringPeak} of ${streams} streams were open at one time`);
  }
  return {
    server: server.name,
    streams,
    openPeak: result.answeringPeak,
    idleMb,
    // The kernel keeps the highest value itself, so no sample can miss it.
    peakMb: memoryMb(server.pid).peak,
    elapsedMs: result.elapsedMs,
    cpuMs: cpuMs(server.pid) - cpuBefore,
  };
}
