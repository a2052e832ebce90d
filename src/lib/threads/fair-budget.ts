/** The part of a budget that one owner has taken. */
interface Share {
  readonly owner: string;
  taken: number;
  reservations: number;
}

/** The part of a budget that one thing takes. */
export interface Reservation {
  readonly share: Share;
  taken: number;
}

/** The reason of a refusal: the budget is full, or the owner's share is used up. */
export type BudgetRefusal = "full" | "share";

/** An owner may have this many times what is left free. */
const TIMES_FREE = 3;

/**
 * A budget that many owners share and none can fill, such as memory, or the length of a queue. An owner gets more only
 * while a third of its share stays free: a lone owner gets three quarters, two get three sevenths each, and some is
 * always free for the next one. The first reservation of an owner may take all that is free: it may be large, and would
 * otherwise never succeed.
 */
export class FairBudget {
  readonly #max: number;
  readonly #shares = new Map<string, Share>();
  #taken = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** The sum of all reservations. */
  get taken(): number {
    return this.#taken;
  }

  /** The number of owners with a reservation. */
  get owners(): number {
    return this.#shares.size;
  }

  /** Reserves an amount until `leave`, or says why not. */
  enter(owner: string, amount: number): Reservation | BudgetRefusal {
    const share = this.#shares.get(owner) ?? { owner, taken: 0, reservations: 0 };
    const reservation: Reservation = { share, taken: 0 };
    const refused = this.grow(reservation, amount);
    if (refused) return refused;
    if (share.reservations === 0) this.#shares.set(owner, share);
    share.reservations += 1;
    return reservation;
  }

  /** Grows a reservation, or says why not. It can always shrink. */
  grow(reservation: Reservation, amount: number): BudgetRefusal | undefined {
    const refused = amount > 0 ? this.#refusal(reservation, amount) : undefined;
    if (!refused) this.#count(reservation, amount);
    return refused;
  }

  /** Ends a reservation. Call it once. */
  leave(reservation: Reservation): void {
    const { share } = reservation;
    this.#count(reservation, -reservation.taken);
    share.reservations -= 1;
    if (share.reservations === 0) this.#shares.delete(share.owner);
  }

  /** What an owner has taken, and the most that it could have now. */
  shareOf(owner: string): { readonly taken: number; readonly max: number } {
    const taken = this.#shares.get(owner)?.taken ?? 0;
    const room = this.#max - (this.#taken - taken);
    return { taken, max: Math.floor((room * TIMES_FREE) / (TIMES_FREE + 1)) };
  }

  #refusal({ share, taken }: Reservation, amount: number): BudgetRefusal | undefined {
    const others = share.taken - taken;
    if (this.#taken - others + amount > this.#max) return "full";
    const left = this.#max - this.#taken - amount;
    return others > 0 && share.taken + amount > TIMES_FREE * left ? "share" : undefined;
  }

  #count(reservation: Reservation, amount: number): void {
    reservation.taken += amount;
    reservation.share.taken += amount;
    this.#taken += amount;
  }
}
