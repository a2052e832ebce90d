// Invented words, tools and schemas, so that no answer can have been prepared for a test. A run is
// repeated with CONFORMANCE_SEED=<the number in the name of the failed test>.
import { z } from "zod";

const CONSONANTS = [..."bdfgklmnprtvz"];
const VOWELS = [..."aeiou"];

type Kind = "string" | "integer" | "number" | "boolean" | "enum" | "list" | "object" | "nullable";
const KINDS: readonly Kind[] = [
  "string",
  "integer",
  "number",
  "boolean",
  "enum",
  "list",
  "object",
  "nullable",
];

export type AnyObject = z.ZodObject<Record<string, z.ZodType>>;

/** A tool nobody has heard of, and a message that asks for it in so many words. */
export interface InventedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: AnyObject;
  /** The property whose value the message states. */
  readonly property: string;
  readonly value: string;
  readonly message: string;
}

export class Chance {
  readonly seed: number;
  #state: number;
  readonly #taken = new Set<string>();

  constructor(seed = Number(process.env.CONFORMANCE_SEED ?? Math.floor(Math.random() * 2 ** 32))) {
    this.seed = seed;
    this.#state = seed >>> 0;
  }

  /** The next number from 0 up to but not including `end`. */
  below(end: number): number {
    // Mulberry32: short, and the same on every machine.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** A word that this run has not used before. */
  word(): string {
    let word = "";
    for (let i = 0; i < 4; i++) word += this.pick(CONSONANTS) + this.pick(VOWELS);
    if (this.#taken.has(word)) return this.word();
    this.#taken.add(word);
    return word;
  }

  /** A word with a capital, as names have it. */
  name(): string {
    const word = this.word();
    return word.charAt(0).toUpperCase() + word.slice(1);
  }

  identifier(): string {
    return `${this.word()}_${this.word()}`;
  }

  /** An object with some required properties of any kind. */
  schema(properties = 2 + this.below(5), depth = 0): AnyObject {
    const shape: Record<string, z.ZodType> = {};
    for (let i = 0; i < properties; i++) shape[this.identifier()] = this.#type(depth);
    return z.object(shape);
  }

  #type(depth: number): z.ZodType {
    const kind = this.pick(KINDS);
    const low = this.below(1_000);
    switch (kind) {
      case "string":
        return z.string().min(1);
      case "integer":
        return z
          .int()
          .min(low)
          .max(low + this.below(50));
      case "number":
        return z.number();
      case "boolean":
        return z.boolean();
      case "enum":
        return z.enum([this.word(), this.word(), this.word()]);
      case "list":
        return z.array(z.enum([this.word(), this.word()])).min(1 + this.below(3));
      case "object":
        return depth < 2 ? this.schema(1 + this.below(3), depth + 1) : z.boolean();
      case "nullable":
        return z.number().nullable();
    }
  }

  tool(): InventedTool {
    const name = this.identifier();
    const property = this.identifier();
    const value = this.name();
    return {
      name,
      property,
      value,
      description: `Looks up the ${this.word()} of a ${this.word()}.`,
      schema: this.schema().extend({ [property]: z.string() }),
      message: `Please call ${name} with ${property} set to "${value}".`,
    };
  }

  /** A tool of one text, and a message that asks for it once for each of several things. */
  severalCalls(): InventedTool & { readonly values: readonly string[] } {
    const tool = this.tool();
    const values = [this.name(), this.name(), this.name()];
    const [first, second, third] = values;
    return {
      ...tool,
      values,
      schema: z.object({ [tool.property]: z.string() }),
      message: `Please call ${tool.name} for "${first}", "${second}" and "${third}".`,
    };
  }
}
