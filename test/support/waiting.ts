const POLL_MS = 10;
const POLL_GROWTH = 1.2;
const POLL_MS_MAX = 50;
/** Long enough for a machine under load; a test that comes near it has hung. */
const TIMEOUT_MS = 180_000;

/** From one look to the next: what takes seconds is looked at less often, since to look takes time from what is waited for. */
function pauses(): () => Promise<void> {
  let pauseMs = POLL_MS;
  return async () => {
    await Bun.sleep(pauseMs);
    pauseMs = Math.min(pauseMs * POLL_GROWTH, POLL_MS_MAX);
  };
}

/** Asks again and again until the answer is neither undefined nor false. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const deadline = performance.now() + TIMEOUT_MS;
  const pause = pauses();
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await pause();
  }
}

/** Looks again and again until what it expects holds; where it never does, what failed last is thrown. */
export async function comesTrue<Seen>(look: () => Promise<Seen> | Seen): Promise<Seen> {
  const deadline = performance.now() + TIMEOUT_MS;
  const pause = pauses();
  for (;;) {
    try {
      return await look();
    } catch (failure) {
      if (performance.now() > deadline) throw failure;
    }
    await pause();
  }
}

/**
 * Lets a server see what has happened on its sockets so far: it takes their events in rounds, and one
 * that has answered twice since has been through a whole round.
 */
export async function caughtUp(url: string): Promise<void> {
  const { origin } = new URL(url);
  for (let answers = 0; answers < 2; answers++) await (await fetch(`${origin}/healthz`)).text();
}

/** Turns that others have on the loop while some work is done. */
export async function ticksDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let running = true;
  const turn = () => {
    turns += 1;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    await work();
  } finally {
    running = false;
  }
  return turns;
}
