import type { FairRoom, NoRoom, Place } from "./fair-room.ts";

/** Makes the error for an owner who gets no more bytes. */
type RefuseBytes = (why: NoRoom, room: FairRoom, owner: string) => Error;

/** Bytes that an owner holds in a shared room until they are released. */
export class HeldBytes {
  readonly #room: FairRoom;
  readonly #owner: string;
  readonly #refuse: RefuseBytes;
  /** Entered with the first byte. */
  #place: Place | undefined;

  constructor(room: FairRoom, owner: string, refuse: RefuseBytes) {
    this.#room = room;
    this.#owner = owner;
    this.#refuse = refuse;
  }

  get taken(): number {
    return this.#place?.taken ?? 0;
  }

  /** Counts more bytes, or fewer. Throws if the room has no space for them. */
  grow(bytes: number): void {
    const refused = this.#place ? this.#room.grow(this.#place, bytes) : this.#enter(bytes);
    if (refused) throw this.#refuse(refused, this.#room, this.#owner);
  }

  /** Counts bytes until the returned object is released. */
  lend(bytes: number): { release(): void } {
    this.grow(bytes);
    return { release: () => this.grow(-bytes) };
  }

  release(): void {
    if (this.#place) this.#room.leave(this.#place);
    this.#place = undefined;
  }

  #enter(bytes: number): NoRoom | undefined {
    const entered = this.#room.enter(this.#owner, bytes);
    if (typeof entered === "string") return entered;
    this.#place = entered;
    return undefined;
  }
}
