import type { Limits } from "../config.ts";
import { type Clock, every } from "../lib/clock.ts";
import type { TaskGroup } from "../lib/task-group.ts";
import type { ChannelState } from "./channel-state.ts";
import { listingKey } from "./fetched-models.ts";
import type { Routes } from "./routing.ts";

/** Whether the vendor's list of models is answered, however: a server that refuses is there. */
async function isAlive(state: ChannelState, withinMs: number): Promise<boolean> {
  const key = listingKey(state);
  if (!key) return false;
  try {
    const response = await state.channel.list?.(key, AbortSignal.timeout(withinMs));
    await response?.body?.cancel();
    return response !== undefined && response.status < 500 && response.status >= 200;
  } catch {
    return false;
  }
}

/** Asks cooled vendors whether they are back, so that no client's request has to find out. */
export class Probes {
  readonly #routes: Routes;
  readonly #limits: Limits;
  readonly #clock: Clock;

  constructor(routes: Routes, limits: Limits, clock: Clock) {
    this.#routes = routes;
    this.#limits = limits;
    this.#clock = clock;
  }

  async probe(): Promise<void> {
    const cooled = this.#routes.states.filter(
      ({ channel, health }) => channel.enabled && health.cooled && channel.list,
    );
    await Promise.all(
      cooled.map(async (state) => {
        const alive = await isAlive(state, this.#limits.probe_ms);
        state.health.probed(this.#clock(), alive);
      }),
    );
  }

  /** One question has its answer, or its end, before the next is due. Returns the way to stop it. */
  start(tasks: TaskGroup): () => void {
    return every(this.#limits.probe_ms, () => tasks.run(this.probe()));
  }
}
