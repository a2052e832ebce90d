import type { Limits } from "../../config/config.ts";
import type { Credential } from "../channels/credentials.ts";

interface StickyEntry {
  readonly channelId: string;
  readonly credential: Credential;
  readonly untilMs: number;
}

/**
 * Where a conversation was answered last: a vendor's cache of the prompt is there, and belongs to
 * the key that filled it. The least lately used are forgotten first.
 */
export class StickyChannels {
  readonly #limits: Limits;
  readonly #entries = new Map<bigint | number, StickyEntry>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#entries.size;
  }

  find(sticky: string, model: string, nowMs: number): StickyEntry | undefined {
    const key = keyOf(sticky, model);
    const entry = this.#entries.get(key);
    if (!entry || entry.untilMs > nowMs) return entry;
    this.#entries.delete(key);
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
    this.#entries.delete(key);
    this.#entries.set(key, { channelId, credential, untilMs: nowMs + this.#limits.sticky_ms });
    if (this.#entries.size <= this.#limits.sticky_entries_max) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}

/** What clients write may be long; the map keeps none of it. */
function keyOf(sticky: string, model: string): bigint | number {
  return Bun.hash(`${model}\n${sticky}`);
}
