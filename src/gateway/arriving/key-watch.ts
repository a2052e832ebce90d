import { authenticate, type KeyFinder } from "../../accounts/authenticate.ts";
import { Fault } from "../../lib/faults.ts";
import type { Incoming } from "../../lib/route.ts";
import type { Watch } from "../../lib/threads/watchdog.ts";
import type { Services } from "../services.ts";

/** Something that stays open by the key that it was opened with. */
interface Holder {
  /** The key may not be used any more. Told once. */
  refuse(fault: Fault): void;
}

/** Looks each key up once, however many hold by it. */
function askedOnce(accounts: KeyFinder): KeyFinder {
  const found = new Map<string, ReturnType<KeyFinder["findKey"]>>();
  return {
    findKey(hash) {
      if (!found.has(hash)) found.set(hash, accounts.findKey(hash));
      return found.get(hash);
    },
  };
}

/**
 * Looks every so often whether the keys of open connections are still good, whichever process has
 * changed them. One after the other, so that the database is never asked for many at once.
 */
export class KeyWatch {
  readonly #services: Pick<Services, "accounts" | "clock" | "watchdog" | "tasks" | "limits">;
  readonly #holders = new Map<Holder, Incoming>();
  readonly #next: Watch = { dueAtMs: 0, due: (nowMs) => this.#due(nowMs) };
  #looking = false;

  constructor(services: Pick<Services, "accounts" | "clock" | "watchdog" | "tasks" | "limits">) {
    this.#services = services;
  }

  add(holder: Holder, incoming: Incoming): void {
    const { watchdog, limits } = this.#services;
    if (this.#holders.size === 0) {
      this.#next.dueAtMs = watchdog.now() + limits.websocket_key_look_ms;
      watchdog.add(this.#next);
    }
    this.#holders.set(holder, incoming);
  }

  drop(holder: Holder): void {
    this.#holders.delete(holder);
    if (this.#holders.size === 0) this.#services.watchdog.drop(this.#next);
  }

  #due(nowMs: number): void {
    const { limits, tasks } = this.#services;
    this.#next.dueAtMs = nowMs + limits.websocket_key_look_ms;
    if (this.#looking) return;
    this.#looking = true;
    tasks.run(this.#look().finally(() => (this.#looking = false)));
  }

  async #look(): Promise<void> {
    const { accounts, clock } = this.#services;
    const finder = askedOnce(accounts);
    for (const [holder, incoming] of [...this.#holders]) {
      const header = incoming.request.headers.get("authorization");
      try {
        await authenticate(finder, clock, header, incoming);
      } catch (thrown) {
        // Without storage nobody can say; the connection stays until somebody can.
        if (!(thrown instanceof Fault)) return;
        this.#holders.delete(holder);
        holder.refuse(thrown);
      }
    }
    if (this.#holders.size === 0) this.#services.watchdog.drop(this.#next);
  }
}
