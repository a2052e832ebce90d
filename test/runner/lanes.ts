import type { Step } from "./step.ts";

/** Runs every step, so many at once, longest first. */
export async function inLanes(
  steps: readonly Step[],
  lanes: number,
  run: (step: Step) => Promise<void>,
): Promise<void> {
  const waiting = steps.toSorted((one, two) => two.seconds - one.seconds);
  const running = new Map<Step, Promise<void>>();
  while (waiting.length > 0 || running.size > 0) {
    const next = running.size < lanes ? waiting.shift() : undefined;
    if (next)
      running.set(
        next,
        run(next).finally(() => void running.delete(next)),
      );
    else await Promise.race(running.values());
  }
}
