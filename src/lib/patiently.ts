const LOOK_MS = 10;

/** Tries until there is something, or for so long. */
export async function patiently<T>(
  attempt: () => T | undefined | Promise<T | undefined>,
  waitMs: number,
): Promise<T | undefined> {
  const giveUpAtMs = performance.now() + waitMs;
  for (;;) {
    const done = await attempt();
    if (done !== undefined || performance.now() > giveUpAtMs) return done;
    await Bun.sleep(LOOK_MS);
  }
}
