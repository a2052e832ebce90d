import type { Limits } from "../../config/config.ts";
import { Fault } from "../../lib/faults.ts";

type SlotLimits = Pick<
  Limits,
  "websockets_per_key_max" | "websockets_per_account_max" | "websockets_per_process_max"
>;

/** The key and the account that a connection belongs to. */
interface Owner {
  readonly id: string;
  readonly accountId: string;
}

const PAUSE = { "retry-after": "1" };

function tooMany(owner: string, max: number, limit: string): Fault {
  return new Fault(
    "rate_limit_exceeded",
    `This ${owner} has ${max} WebSocket connections open, which is the most it may have. ` +
      "Close one, or send the request over HTTP.",
    { headers: { ...PAUSE, "x-faregate-limit": limit } },
  );
}

/** Counts open connections by key, by account and in all, and refuses one too many. */
export class ConnectionSlots {
  readonly #limits: SlotLimits;
  /** By the id of the key or the account. */
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Connections that are open, or about to be. */
  get taken(): number {
    return this.#all;
  }

  /** Takes a slot and returns a function that gives it back, or throws. Calling that function twice does no harm. */
  take(owner: Owner): () => void {
    const refused = this.#refused(owner);
    if (refused) throw refused;
    const ids = [owner.id, owner.accountId];
    for (const id of ids) this.#taken.set(id, this.#of(id) + 1);
    this.#all += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      for (const id of ids) this.#drop(id);
      this.#all -= 1;
    };
  }

  #refused({ id, accountId }: Owner): Fault | undefined {
    const { websockets_per_key_max: perKey, websockets_per_account_max: perAccount } = this.#limits;
    if (this.#of(id) >= perKey) return tooMany("key", perKey, "websockets_per_key");
    if (this.#of(accountId) >= perAccount) {
      return tooMany("account", perAccount, "websockets_per_account");
    }
    if (this.#all < this.#limits.websockets_per_process_max) return undefined;
    return new Fault(
      "overloaded",
      "The gateway has as many WebSocket connections open as it may. Send the request over HTTP, or try again later.",
      { headers: { ...PAUSE, "x-faregate-limit": "websockets_per_process" } },
    );
  }

  #of(id: string): number {
    return this.#taken.get(id) ?? 0;
  }

  #drop(id: string): void {
    const left = this.#of(id) - 1;
    if (left > 0) this.#taken.set(id, left);
    else this.#taken.delete(id);
  }
}
