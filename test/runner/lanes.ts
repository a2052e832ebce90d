import type { Step } from "./step.ts";

/** Runs every step, so many at once, longest first; what shares something waits for its turn. */
export async function inLanes(
  steps: readonly Step[],
  lanes: number,
  run: (step: Step) => Promise<void>,
): Promise<void> {
  const waiting = steps.toSorted((one, two) => two.seconds - one.seconds);
  const running = new Map<Step, Promise<void>>();
  while (waiting.length > 0 || running.size > 0) {
    const next = running.size < lanes ? takeNext(waiting, [...running.keys()]) : undefined;
    if (next)
      running.set(
        next,
        run(next).finally(() => void running.delete(next)),
      );
    else await Promise.race(running.values());
  }
}

function takeNext(waiting: Step[], running: readonly Step[]): Step | undefined {
  const taken = new Set(running.map(({ shares }) => shares));
  const index = waiting.findIndex(({ shares }) => shares === undefined || !taken.has(shares));
  return index < 0 ? undefined : waiting.splice(index, 1)[0];
}
