import type { Channel } from "../../upstream/channels/channels.ts";

/** Whoever tries more than these before saving one may try it again. */
const KEPT_MAX = 100;

/** Where a channel leads and with which keys, in a form that gives none of them away. */
function fingerprintOf({ place, keys }: Channel): string {
  const hash = new Bun.CryptoHasher("sha256").update(place);
  for (const key of keys) hash.update("\0").update(key.reveal());
  return hash.digest("hex");
}

/** Channels that have answered before they were saved: what is saved then is not untried. */
export class ProvenChannels {
  readonly #known = new Set<string>();

  add(channel: Channel): void {
    this.#known.add(fingerprintOf(channel));
    const [oldest] = this.#known;
    if (this.#known.size > KEPT_MAX && oldest !== undefined) this.#known.delete(oldest);
  }

  has(channel: Channel): boolean {
    return this.#known.has(fingerprintOf(channel));
  }
}
