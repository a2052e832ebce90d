import { useSyncExternalStore } from "react";

const TICK_MS = 10_000;

/** One clock for all the relative times of a page. */
let nowMs = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  nowMs = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time, in steps of some seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}
