import { isWritten } from "../bytes/json-scan.ts";

/** What lies inside a member: more that is read here, the same again, or what is the client's own. */
type Inside = Shape | "same" | null;

/** A name that is read here, and what to look for inside of its member. */
export interface Known {
  readonly name: string;
  /** Of one of the first names of a shape, by which it is told from the others; 0 for one behind them. */
  readonly bit: number;
  readonly inside: Shape | undefined;
}

/** Of a number that is taken for so many bits. */
const BITS = 32;

/** By how a name begins there are so few that it is compared with each. */
const INITIALS = 32;

function initialOf(code: number): number {
  return code % INITIALS;
}

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
  readonly #known = new Map<string, Known>();
  readonly #byInitial: Known[][] = Array.from({ length: INITIALS }, () => []);

  constructor(plain: readonly string[], nested: Readonly<Record<string, Inside>> = {}) {
    const flat = plain.map((name): [string, Inside] => [name, null]);
    this.#members = new Map([...flat, ...Object.entries(nested)]);
    for (const [name, inside] of this.#members) this.#add(name, inside);
  }

  #add(name: string, inside: Inside): void {
    const count = this.#known.size;
    const bit = count < BITS ? 1 << count : 0;
    const known = { name, bit, inside: inside === "same" ? this : (inside ?? undefined) };
    this.#known.set(name, known);
    this.#byInitial[initialOf(name.charCodeAt(0))]?.push(known);
    this.#folded.set(folded(name), name);
  }

  get names(): readonly string[] {
    return [...this.#members.keys()];
  }

  /** The same with more names. */
  with(plain: readonly string[], nested: Readonly<Record<string, Inside>> = {}): Shape {
    return new Shape(plain, { ...Object.fromEntries(this.#members), ...nested });
  }

  /** What is known by the name that opens at `start`, where no character of it is escaped. */
  writtenAt(text: string, start: number): Known | undefined {
    const alike = this.#byInitial[initialOf(text.charCodeAt(start + 1))] ?? [];
    for (let i = 0; i < alike.length; i++) {
      const known = alike[i] as Known;
      if (isWritten(text, start, known.name)) return known;
    }
    return undefined;
  }

  known(name: string): Known | undefined {
    return this.#known.get(name);
  }

  /** The member that a name which is none of them would be taken for by somebody who overlooks case. */
  meantBy(name: string): string | undefined {
    return this.#folded.get(folded(name));
  }
}
