/** A terminal and a launcher may both pass on the same signal within this time. */
const SAME_SIGNAL_MS = 1_000;

/** Whoever asks again does not want to wait. Returns how to listen no longer. */
export function onSignals(
  signals: readonly NodeJS.Signals[],
  first: () => void,
  again: () => void,
): () => void {
  let toldAtMs: number | undefined;
  const told = () => {
    const nowMs = performance.now();
    if (toldAtMs === undefined) {
      toldAtMs = nowMs;
      first();
    } else if (nowMs - toldAtMs > SAME_SIGNAL_MS) again();
  };
  for (const signal of signals) process.on(signal, told);
  return () => {
    for (const signal of signals) process.off(signal, told);
  };
}
