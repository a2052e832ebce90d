// Links and notes that an article cannot hold in place: they are numbered in the order in which they
// are met, and listed at the end.
import type { Node } from "../tree.ts";

export type Reference =
  | { readonly kind: "link"; readonly label: string; readonly address: string }
  | { readonly kind: "note"; readonly text: readonly Node[] };

export class References {
  readonly #notes: ReadonlyMap<string, readonly Node[]>;
  readonly #numbers = new Map<string, number>();
  readonly #entries: Reference[] = [];

  /** `notes` are the texts of notes by the names under which they are called. */
  constructor(notes: ReadonlyMap<string, readonly Node[]>) {
    this.#notes = notes;
  }

  link(address: string, label: string): number {
    return this.#number(`link ${address}`, { kind: "link", label, address });
  }

  /** Nothing, when a note is called that is not there. */
  note(name: string): number | undefined {
    const text = this.#notes.get(name);
    return text && this.#number(`note ${name}`, { kind: "note", text });
  }

  /** The list may grow while it is read, since a note may hold links. */
  entries(): readonly Reference[] {
    return this.#entries;
  }

  #number(key: string, entry: Reference): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#entries.push(entry);
    this.#numbers.set(key, this.#entries.length);
    return this.#entries.length;
  }
}
