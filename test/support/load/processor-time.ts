/**
 * What some work costs this process, in milliseconds of the processor: a clock on the wall would say
 * what else the machine does. Only fit to be compared with other work that was measured so.
 */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const ROUNDS_MAX = 5;

/**
 * The least that some work has cost, of a few rounds: one round may also pay for what the engine compiles
 * or collects beside it. No further round once one was below what is `bearable`, so that only work which
 * never is takes long.
 */
export async function leastProcessorMs(work: () => unknown, bearable: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS_MAX && least >= bearable; round++) {
    least = Math.min(least, await processorMs(work));
  }
  return least;
}
