import { useSyncExternalStore } from "react";

// The one place that knows what time it is. Times in answers are the server's, so what is relative to
// them is told by the server's clock, which every answer carries, and not by that of the machine in
// front of which somebody sits.

export const TIME_HEADER = "x-faregate-time";

const TICK_MS = 10_000;
/** Nobody reads less than this; several answers at once are one moment. */
const STEP_MS = 1_000;

/** How far the server's clock is ahead of ours, as the last answer has it. */
let aheadMs = 0;
/** The same for all relative times of a page, so that they agree. */
let nowMs = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  const ms = Date.now() + aheadMs;
  if (Math.abs(ms - nowMs) < STEP_MS) return;
  nowMs = ms;
  for (const listener of listeners) listener();
}

/** Takes the time of an answer. What has just happened there is not in the future here. */
export function hearTime(headers: Pick<Headers, "get">): void {
  const serverMs = Date.parse(headers.get(TIME_HEADER) ?? "");
  if (Number.isNaN(serverMs)) return;
  aheadMs = serverMs - Date.now();
  tick();
}

/** Whoever comes after a time without listeners finds a clock that stood still. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  tick();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

export function currentMs(): number {
  return nowMs;
}

/** The server's time, in steps of some seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, currentMs);
}
