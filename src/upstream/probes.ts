import type { Limits } from "../config/config.ts";
import { type Clock, every } from "../lib/clock.ts";
import type { TaskGroup } from "../lib/threads/task-group.ts";
import type { ChannelState } from "./channels/channel-state.ts";
import type { Channel } from "./channels/channels.ts";
import type { VendorKey } from "./channels/credentials.ts";
import { listingKey } from "./channels/fetched-models.ts";
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

/** What an answer for the list of models says of the key that asked. */
type Word = "taken" | "refused" | "nothing";

/** Of a vendor without a list: it can only be asked by a request, and the next one will be. */
const UNLISTED = [404, 405, 501];
const TOO_MANY = 429;

function wordOf(status: number): Word {
  if (status === 200 || UNLISTED.includes(status)) return "taken";
  return status >= 500 || status === TOO_MANY ? "nothing" : "refused";
}

/** Whether the vendor takes a key again. One that cannot be reached has not said so. */
async function askAbout(channel: Channel, key: VendorKey, withinMs: number): Promise<Word> {
  if (!channel.list) return "taken";
  try {
    const response = await channel.list(key, AbortSignal.timeout(withinMs));
    await response.body?.cancel();
    return wordOf(response.status);
  } catch {
    return "nothing";
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
        credential.asked(this.#clock(), this.#limits);
        const word = await askAbout(channel, credential.key, this.#limits.probe_ms);
        if (word === "taken") credential.readmit();
        else if (word === "refused") credential.stillRefused(this.#clock(), this.#limits);
      }),
    );
  }

  /** One question has its answer, or its end, before the next is due. Returns the way to stop it. */
  start(tasks: TaskGroup): () => void {
    return every(this.#limits.probe_ms, () => tasks.run(this.probe()));
  }
}
