import { UNBOUNDED } from "../../lib/json/json-bounds.ts";
import { weighLargeJson } from "../../lib/json/large-json.ts";
import { knowingEnds, type LongStrings } from "../../lib/json/long-strings.ts";
import type { Member } from "../../lib/json/stepped-parser.ts";
import { yieldToLoop } from "../../lib/yield-to-loop.ts";
import {
  CLOSE_BRACKET,
  COMMA,
  NestedSkip,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  readName,
  skipColon,
  skipPlain,
  skipSpace,
  skipString,
} from "../bytes/json-scan.ts";
import type { Known, Shape } from "./shape.ts";

/** The way to a value from the whole: members by name, elements by number. */
export type Path = (string | number)[];

/** Beyond so many names of one object they are looked up instead of compared. */
const COMPARED_MAX = 16;

/** An object or a list that a walk is inside of. */
export class Around {
  readonly outer: Around | undefined;
  readonly shape: Shape | undefined;
  readonly isObject: boolean;
  /** The member of an object that the walk is at, or the element of a list. */
  name = "";
  index = 0;
  /** Which names of an object have come: those that have a bit, and the others. */
  #bits = 0;
  #few: string[] | undefined;
  #many: Set<string> | undefined;

  constructor(outer: Around | undefined, shape: Shape | undefined, isObject: boolean) {
    this.outer = outer;
    this.shape = shape;
    this.isObject = isObject;
  }

  /** False for a name that was there before. */
  add(name: string, bit: number): boolean {
    return bit === 0 ? this.#addOther(name) : this.#addBit(bit);
  }

  #addBit(bit: number): boolean {
    const isNew = (this.#bits & bit) === 0;
    this.#bits |= bit;
    return isNew;
  }

  #addOther(name: string): boolean {
    if (this.#many) return this.#many.size < this.#many.add(name).size;
    if (!this.#few) this.#few = [name];
    else if (this.#few.includes(name)) return false;
    else if (this.#few.push(name) > COMPARED_MAX) this.#many = new Set(this.#few);
    return true;
  }

  /** Where it stands in the whole. */
  get path(): Path {
    const { outer } = this;
    return outer ? [...outer.path, outer.isObject ? outer.name : outer.index] : [];
  }
}

/** Hears of each member of the objects that have a shape, and what that knows of it, and may refuse it. */
type Named = (object: Around, name: string, known: Known | undefined, shape: Shape) => void;

/**
 * Goes through the text of an object once, and into what its shape names, as far at a time as it is told: over a text
 * of many megabytes others would wait. On its way it finds the members of the object; without a shape, only those.
 */
export class MemberWalk {
  readonly members: Member[] = [];
  readonly #text: string;
  readonly #named: Named | undefined;
  /** Where it has come to. */
  at = 0;
  /** Whether a value comes next, and by which shape it is gone into. */
  #isDue = true;
  #shape: Shape | undefined;
  /** What nobody looks into, while it is gone over. */
  #skip: NestedSkip | undefined;
  #around: Around | undefined;
  /** Where the member begins that it is at, and its value. */
  #start = 0;
  #valueStart = 0;

  constructor(text: string, shape?: Shape, named?: Named) {
    this.#text = text;
    this.#shape = shape;
    this.#named = named;
  }

  /** True once it is through. A single string or number is gone over at once. */
  go(to: number): boolean {
    for (;;) {
      if (this.#skip && !this.#over(this.#skip, to)) return false;
      this.at = skipSpace(this.#text, this.at, to);
      if (this.at >= to) return false;
      if (this.#isDue) this.#value();
      else if (!this.#around) return true;
      else if (this.#around.isObject) this.#inObject(this.#around);
      else this.#inList(this.#around);
    }
  }

  #value(): void {
    const text = this.#text;
    const around = this.#around;
    const code = text.charCodeAt(this.at);
    this.#isDue = false;
    if (!around?.outer) this.#valueStart = this.at;
    if (code !== OPEN_BRACE && code !== OPEN_BRACKET) {
      this.at = skipPlain(text, this.at);
      this.#ended(around);
    } else if (around && !this.#shape) {
      this.#skip = new NestedSkip(text, this.at);
    } else {
      this.#around = new Around(around, this.#shape, code === OPEN_BRACE);
      this.at++;
    }
  }

  /** True once it is behind it. */
  #over(skip: NestedSkip, to: number): boolean {
    const isBehind = skip.go(to);
    this.at = skip.at;
    if (!isBehind) return false;
    this.#skip = undefined;
    this.#ended(this.#around);
    return true;
  }

  /** Behind a value: that of a member, where it stands in the object itself. */
  #ended(around: Around | undefined): void {
    if (!around?.isObject || around.outer) return;
    const start = this.#start;
    const { name } = around;
    this.members.push({ start, valueStart: this.#valueStart, end: this.at, name });
  }

  #close({ outer }: Around): void {
    this.at++;
    this.#around = outer;
    this.#ended(outer);
  }

  #inList(list: Around): void {
    const code = this.#text.charCodeAt(this.at);
    if (code === CLOSE_BRACKET) this.#close(list);
    else {
      if (code === COMMA) {
        list.index++;
        this.at++;
      }
      this.#isDue = true;
      this.#shape = list.shape;
    }
  }

  #inObject(object: Around): void {
    const code = this.#text.charCodeAt(this.at);
    if (code === QUOTE) this.#name(object);
    else if (code === COMMA) this.at++;
    else this.#close(object);
  }

  #name(object: Around): void {
    const text = this.#text;
    const { shape } = object;
    const start = this.at;
    const written = shape?.writtenAt(text, start);
    // Its quotes too.
    const end = written ? start + written.name.length + 2 : skipString(text, start);
    const name = written?.name ?? readName(text, start, end);
    const known = written ?? shape?.known(name);
    if (shape) this.#named?.(object, name, known, shape);
    if (!object.outer) this.#start = start;
    object.name = name;
    this.at = skipColon(text, end);
    this.#isDue = true;
    this.#shape = known?.inside;
  }
}

/** Characters that are gone through without yielding to the loop: about a millisecond, each by each. */
const STEP_CHARS = 512 * 1024;

/** Goes through a text that is so large that others must have their turns meanwhile. */
export async function walkInSteps(
  walk: MemberWalk,
  text: string,
  ends: LongStrings,
): Promise<readonly Member[]> {
  const go = () => walk.go(walk.at + STEP_CHARS);
  while (!knowingEnds(text, ends, go)) await yieldToLoop();
  await yieldToLoop();
  return walk.members;
}

/** The members of an object, found in steps. */
export async function membersInSteps(
  text: string,
  known?: LongStrings,
): Promise<readonly Member[]> {
  const ends = known ?? (await weighLargeJson(text, UNBOUNDED)).ends;
  return walkInSteps(new MemberWalk(text), text, ends);
}
