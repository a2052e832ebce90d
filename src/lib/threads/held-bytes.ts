import type { BudgetRefusal, FairBudget, Reservation } from "./fair-budget.ts";

/** Makes the error for an owner who gets no more bytes. */
type RefuseBytes = (why: BudgetRefusal, budget: FairBudget, owner: string) => Error;

/** Bytes that an owner holds in a shared budget until they are released. */
export class HeldBytes {
  readonly #budget: FairBudget;
  readonly #owner: string;
  readonly #refuse: RefuseBytes;
  /** Entered with the first byte. */
  #reservation: Reservation | undefined;

  constructor(budget: FairBudget, owner: string, refuse: RefuseBytes) {
    this.#budget = budget;
    this.#owner = owner;
    this.#refuse = refuse;
  }

  get taken(): number {
    return this.#reservation?.taken ?? 0;
  }

  /** Counts more bytes, or fewer. Throws if the budget cannot take them. */
  grow(bytes: number): void {
    const refused = this.#reservation
      ? this.#budget.grow(this.#reservation, bytes)
      : this.#enter(bytes);
    if (refused) throw this.#refuse(refused, this.#budget, this.#owner);
  }

  /** Counts bytes until the returned object is released. */
  lend(bytes: number): { release(): void } {
    this.grow(bytes);
    return { release: () => this.grow(-bytes) };
  }

  release(): void {
    if (this.#reservation) this.#budget.leave(this.#reservation);
    this.#reservation = undefined;
  }

  #enter(bytes: number): BudgetRefusal | undefined {
    const entered = this.#budget.enter(this.#owner, bytes);
    if (typeof entered === "string") return entered;
    this.#reservation = entered;
    return undefined;
  }
}
