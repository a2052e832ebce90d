/** What lies inside a member: more that is read here, the same again, or what is the client's own. */
type Inside = Shape | "same" | null;

/** The same name to a reader that does not tell capitals from small letters, as some languages' do not. */
function folded(name: string): string {
  return name.toUpperCase().toLowerCase();
}

/**
 * The members of an object that are read or written here, and what lies inside them. Lists are
 * looked through: what is said of a member holds for each object that it lists. What is not named is
 * not looked into, and neither are schemas, arguments and metadata: there `id` and `ID` may both be.
 */
export class Shape {
  readonly #members: ReadonlyMap<string, Inside>;
  readonly #folded = new Map<string, string>();

  constructor(plain: readonly string[], nested: Readonly<Record<string, Inside>> = {}) {
    const flat = plain.map((name): [string, Inside] => [name, null]);
    this.#members = new Map([...flat, ...Object.entries(nested)]);
    for (const name of this.#members.keys()) this.#folded.set(folded(name), name);
  }

  get names(): readonly string[] {
    return [...this.#members.keys()];
  }

  /** The same with more names. */
  with(plain: readonly string[], nested: Readonly<Record<string, Inside>> = {}): Shape {
    return new Shape(plain, { ...Object.fromEntries(this.#members), ...nested });
  }

  /** What to look for inside a member; undefined where nothing is. */
  inside(name: string): Shape | undefined {
    const inside = this.#members.get(name);
    return inside === "same" ? this : (inside ?? undefined);
  }

  /** The member that a name would be taken for by somebody who overlooks case. */
  meantBy(name: string): string | undefined {
    if (this.#members.has(name)) return undefined;
    return this.#folded.get(folded(name));
  }
}
