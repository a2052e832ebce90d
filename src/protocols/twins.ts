import { Fault } from "../lib/faults.ts";
import { QUOTE, readName, skipSpace, skipString, skipValue } from "./bytes/json-scan.ts";

const COMMA = 44;
const OPEN_BRACKET = 91;
const OPEN_BRACE = 123;

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

type Path = (string | number)[];

function written(path: Path): string {
  let text = "";
  for (const piece of path) {
    if (typeof piece === "number") text += `[${piece}]`;
    else text += text === "" ? piece : `.${piece}`;
  }
  return text;
}

const PARAM_CHARS_MAX = 200;

function twin(path: Path, name: string, meant: string): Fault {
  const param = written([...path, name]).slice(0, PARAM_CHARS_MAX);
  const message =
    name === meant
      ? `The parameter '${param}' is given twice.`
      : `The parameter '${param}' differs from '${meant}' only by its capitals; write '${meant}'.`;
  return new Fault("duplicate_parameter", message, { param });
}

/** Beyond so many names of one object they are looked up instead of compared. */
const COMPARED_MAX = 16;

/** Goes through the text of a value once, and into what its shape names. */
class Walk {
  readonly #text: string;
  readonly #path: Path = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the index behind the value that begins at `at`. */
  value(at: number, shape: Shape | undefined): number {
    const code = shape && this.#text.charCodeAt(at);
    if (code === OPEN_BRACE) return this.#object(at, shape as Shape);
    return code === OPEN_BRACKET ? this.#list(at, shape) : skipValue(this.#text, at);
  }

  #list(at: number, shape: Shape | undefined): number {
    const text = this.#text;
    const path = this.#path;
    let i = skipSpace(text, at + 1);
    const place = path.push(0) - 1;
    for (let index = 0; text.charCodeAt(i) !== 93; index++) {
      path[place] = index;
      i = skipSpace(text, this.value(i, shape));
      if (text.charCodeAt(i) === COMMA) i = skipSpace(text, i + 1);
    }
    path.pop();
    return i + 1;
  }

  #object(at: number, shape: Shape): number {
    const text = this.#text;
    const names = new Names();
    let i = skipSpace(text, at + 1);
    while (text.charCodeAt(i) === QUOTE) {
      const nameEnd = skipString(text, i);
      const name = readName(text, i, nameEnd);
      const meant = names.add(name) ? shape.meantBy(name) : name;
      if (meant !== undefined) throw twin(this.#path, name, meant);
      this.#path.push(name);
      const start = skipSpace(text, text.indexOf(":", nameEnd) + 1);
      i = skipSpace(text, this.value(start, shape.inside(name)));
      this.#path.pop();
      if (text.charCodeAt(i) === COMMA) i = skipSpace(text, i + 1);
    }
    return i + 1;
  }
}

/** The names of one object as they come. */
class Names {
  readonly #few: string[] = [];
  #many: Set<string> | undefined;

  /** False for one that was there before. */
  add(name: string): boolean {
    if (this.#many) return this.#many.size < this.#many.add(name).size;
    if (this.#few.includes(name)) return false;
    if (this.#few.push(name) > COMPARED_MAX) this.#many = new Set(this.#few);
    return true;
  }
}

/**
 * Refuses a text in which two members could be taken for one, or one for another: a second member of
 * the same name, or one that differs from what is read here only by case. Two readers of the text
 * may take it differently, and what is priced would not be what is served. The text must be valid JSON.
 */
export function refuseTwins(text: string, shape: Shape): void {
  new Walk(text).value(skipSpace(text, 0), shape);
}
