import type { Limits } from "../../config/config.ts";
import type { Credential } from "../channels/credentials.ts";

interface Place {
  readonly channelId: string;
  readonly credential: Credential;
  readonly untilMs: number;
}

/**
 * Where a conversation was answered last: a vendor's cache of the prompt is there, and belongs to
 * the key that filled it. The least lately used are forgotten first.
 */
export class StickyPlaces {
  readonly #limits: Limits;
  readonly #places = new Map<bigint | number, Place>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#places.size;
  }

  find(sticky: string, model: string, nowMs: number): Place | undefined {
    const key = keyOf(sticky, model);
    const place = this.#places.get(key);
    if (!place || place.untilMs > nowMs) return place;
    this.#places.delete(key);
    return undefined;
  }

  keep(
    sticky: string,
    model: string,
    channelId: string,
    credential: Credential,
    nowMs: number,
  ): void {
    const key = keyOf(sticky, model);
    this.#places.delete(key);
    this.#places.set(key, { channelId, credential, untilMs: nowMs + this.#limits.sticky_ms });
    if (this.#places.size <= this.#limits.sticky_entries_max) return;
    const [oldest] = this.#places.keys();
    if (oldest !== undefined) this.#places.delete(oldest);
  }
}

/** What clients write may be long; the map keeps none of it. */
function keyOf(sticky: string, model: string): bigint | number {
  return Bun.hash(`${model}\n${sticky}`);
}
