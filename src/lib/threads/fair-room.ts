/** All that one of those who share a room has in it. */
interface Share {
  readonly owner: string;
  taken: number;
  places: number;
}

/** One thing in a room, and how much it takes of it. */
export interface Place {
  readonly share: Share;
  taken: number;
}

/** Why there is no more to be had: others leave too little, or one's own share of it is used up. */
export type NoRoom = "full" | "share";

/** How many times what is left free somebody may have. */
const TIMES_FREE = 3;

/**
 * Something that many share and nobody can fill, such as memory, or the places of a line. Whoever has something in it
 * gets more only while that leaves a third as much free: one alone gets three quarters, two get three sevenths each, and
 * there is always room for the next who comes. Only what is all that somebody has in it may take whatever is free: it may
 * be large, and refused it would never get in.
 */
export class FairRoom {
  readonly #max: number;
  readonly #shares = new Map<string, Share>();
  #taken = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** What is taken, by all. */
  get taken(): number {
    return this.#taken;
  }

  /** How many have something in it. */
  get owners(): number {
    return this.#shares.size;
  }

  /** A place for something that takes so much, until it leaves. */
  enter(owner: string, amount: number): Place | NoRoom {
    const share = this.#shares.get(owner) ?? { owner, taken: 0, places: 0 };
    const place: Place = { share, taken: 0 };
    const refused = this.grow(place, amount);
    if (refused) return refused;
    if (share.places === 0) this.#shares.set(owner, share);
    share.places += 1;
    return place;
  }

  /** Has it take so much more, if that is to be had. Less is always taken. */
  grow(place: Place, amount: number): NoRoom | undefined {
    const refused = amount > 0 ? this.#refusal(place, amount) : undefined;
    if (!refused) this.#count(place, amount);
    return refused;
  }

  /** Once for each place: it is not there any more. */
  leave(place: Place): void {
    const { share } = place;
    this.#count(place, -place.taken);
    share.places -= 1;
    if (share.places === 0) this.#shares.delete(share.owner);
  }

  /** What somebody has in it, and could have as things are. */
  shareOf(owner: string): { readonly taken: number; readonly max: number } {
    const taken = this.#shares.get(owner)?.taken ?? 0;
    const room = this.#max - (this.#taken - taken);
    return { taken, max: Math.floor((room * TIMES_FREE) / (TIMES_FREE + 1)) };
  }

  #refusal({ share, taken }: Place, amount: number): NoRoom | undefined {
    const others = share.taken - taken;
    if (this.#taken - others + amount > this.#max) return "full";
    const left = this.#max - this.#taken - amount;
    return others > 0 && share.taken + amount > TIMES_FREE * left ? "share" : undefined;
  }

  #count(place: Place, amount: number): void {
    place.taken += amount;
    place.share.taken += amount;
    this.#taken += amount;
  }
}
