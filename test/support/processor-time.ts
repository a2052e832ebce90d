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
