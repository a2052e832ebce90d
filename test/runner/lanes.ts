import type { Step } from "./step.ts";

/** Runs every step, so many at once, longest first; one that is behind another begins when that has ended. */
export async function inLanes(
  steps: readonly Step[],
  lanes: number,
  run: (step: Step) => Promise<void>,
): Promise<void> {
  const waiting = steps.toSorted((one, two) => two.seconds - one.seconds);
  const running = new Map<Step, Promise<void>>();
  while (waiting.length > 0 || running.size > 0) {
    const next = running.size < lanes ? takeNext(waiting, running) : undefined;
    if (next)
      running.set(
        next,
        run(next).finally(() => void running.delete(next)),
      );
    else await Promise.race(running.values());
  }
}

function takeNext(waiting: Step[], running: ReadonlyMap<Step, unknown>): Step | undefined {
  const open = (step: Step) => waiting.includes(step) || running.has(step);
  const index = waiting.findIndex(({ behind }) => behind === undefined || !open(behind));
  return index < 0 ? undefined : waiting.splice(index, 1)[0];
}
