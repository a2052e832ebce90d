const LOOK_MS = 10;

/** Calls `attempt` until it returns something, for `waitMs` at most. */
export async function retryFor<T>(
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
