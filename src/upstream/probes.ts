import type { Limits } from "../config.ts";
import { type Clock, every } from "../lib/clock.ts";
import type { TaskGroup } from "../lib/task-group.ts";
import type { ChannelState } from "./channel-state.ts";
import type { Channel } from "./channels.ts";
import type { VendorKey } from "./credentials.ts";
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

/**
 * Whether the vendor takes a key again. One without a list of models can only be asked by a request:
 * the next one will be.
 */
async function isTaken(channel: Channel, key: VendorKey, withinMs: number): Promise<boolean> {
  if (!channel.list) return true;
  try {
    const response = await channel.list(key, AbortSignal.timeout(withinMs));
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}

/** Asks cooled vendors whether they are back, and those that refuse a key whether they still do, so that no client's request has to find out. */
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
    const refused = this.#routes.states.filter(({ channel }) => channel.enabled);
    await Promise.all([
      ...refused.map((state) => this.#probeKeys(state)),
      ...cooled.map(async (state) => {
        const alive = await isAlive(state, this.#limits.probe_ms);
        state.health.probed(this.#clock(), alive);
      }),
    ]);
  }

  /** Asks about the keys of a channel that its vendor refuses, each when its pause is over. */
  async #probeKeys({ channel, credentials }: ChannelState): Promise<void> {
    const due = credentials.all.filter((credential) => credential.probeDue(this.#clock()));
    await Promise.all(
      due.map(async (credential) => {
        const taken = await isTaken(channel, credential.key, this.#limits.probe_ms);
        if (taken) credential.readmit();
        else credential.stillRefused(this.#clock(), this.#limits);
      }),
    );
  }

  /** One question has its answer, or its end, before the next is due. Returns the way to stop it. */
  start(tasks: TaskGroup): () => void {
    return every(this.#limits.probe_ms, () => tasks.run(this.probe()));
  }
}
