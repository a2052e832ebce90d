import { RateFault } from "../../ledger/refusal.ts";
import { Fault } from "../../lib/faults.ts";
import type { FairRoom, NoRoom, Place } from "../../lib/threads/fair-room.ts";

/** Bytes of an account that count as held until they are given back. */
export class HeldBytes {
  readonly #room: FairRoom;
  readonly #accountId: string;
  /** From its first byte on. */
  #place: Place | undefined;

  constructor(room: FairRoom, accountId: string) {
    this.#room = room;
    this.#accountId = accountId;
  }

  get taken(): number {
    return this.#place?.taken ?? 0;
  }

  /** Counts so many more. Throws where there is no room for them. */
  grow(bytes: number): void {
    const refused = this.#place ? this.#room.grow(this.#place, bytes) : this.#enter(bytes);
    if (refused) throw noRoom(refused, this.#room, this.#accountId);
  }

  #enter(bytes: number): NoRoom | undefined {
    const entered = this.#room.enter(this.#accountId, bytes);
    if (typeof entered === "string") return entered;
    this.#place = entered;
    return undefined;
  }

  /** Counts so many more for a while. */
  lend(bytes: number): { release(): void } {
    this.grow(bytes);
    return { release: () => this.grow(-bytes) };
  }

  release(): void {
    if (this.#place) this.#room.leave(this.#place);
    this.#place = undefined;
  }
}

function noRoom(why: NoRoom, room: FairRoom, accountId: string): Fault {
  if (why === "share") return shareUsedUp(room, accountId);
  return new Fault("overloaded", "The gateway is holding as many request bytes as it may.", {
    headers: { "retry-after": "1" },
  });
}

/** It is the account's own requests that are in the way, and others are served: that is a limit, and no overload. */
function shareUsedUp(room: FairRoom, accountId: string): RateFault {
  const { taken, max } = room.shareOf(accountId);
  return new RateFault(
    `The requests of this account hold ${taken} bytes until they are answered; at the moment they may hold ${max}. ` +
      "Please try again in 1s.",
    {
      scope: "bytes_in_flight",
      period: null,
      used: BigInt(taken),
      max: BigInt(max),
      left: null,
      needed: null,
      fix: "Send it again once some of them are answered, or send fewer large ones at once.",
      resetsAtMs: null,
    },
    { "retry-after": "1", "retry-after-ms": "1000", "x-faregate-limit": "bytes" },
  );
}
