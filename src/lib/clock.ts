/** Milliseconds since 1970. Passed in wherever time matters, so that tests can move it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** Runs `tick` every `periodMs` without keeping the process alive; returns the way to stop it. */
export function every(periodMs: number, tick: () => void): () => void {
  const timer = setInterval(tick, periodMs);
  timer.unref();
  return () => clearInterval(timer);
}
