// Zod, whose schemas are made when somebody first asks one something. There are thousands, of which a process needs
// few: those of answers are only described, and most calls are never made. To make all would be a third of a start.
// Zod itself is loaded then too: a process that only declares schemas, as one that relays does, goes without it.
import type * as Zod from "zod";

export type * from "zod";

let loaded: typeof Zod | undefined;

/** Zod itself. */
export function library(): typeof Zod {
  loaded ??= require("zod") as typeof Zod;
  return loaded;
}

/** What gives another schema without a look at this one. */
const STEPS: ReadonlySet<PropertyKey> = new Set([
  ...[
    "array",
    "catch",
    "default",
    "describe",
    "exactOptional",
    "extend",
    "int",
    "length",
    "loose",
    "max",
    "meta",
  ],
  ...[
    "min",
    "nullable",
    "nullish",
    "omit",
    "optional",
    "partial",
    "pick",
    "pipe",
    "positive",
    "prefault",
  ],
  ...[
    "readonly",
    "refine",
    "regex",
    "startsWith",
    "superRefine",
    "toLowerCase",
    "transform",
    "trim",
  ],
]);

type Make = (...given: unknown[]) => object;

/** The real one behind a schema that waits. */
const MADE = Symbol("made");

/** What a maker or a step was given, with the real ones in it. */
function made(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(made);
  const real = (value as { readonly [MADE]?: unknown })[MADE];
  if (real !== undefined) return real;
  // The members of an object.
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, made(each)]));
}

/** Does nothing until it is asked for something. */
function waiting(make: () => object): object {
  let real: object | undefined;
  const here = () => {
    real ??= make();
    return real;
  };
  return new Proxy(
    {},
    {
      get(_, name) {
        if (name === MADE) return here();
        if (STEPS.has(name)) {
          return (...given: unknown[]) =>
            waiting(() => (Reflect.get(here(), name) as Make)(...given.map(made)));
        }
        return Reflect.get(here(), name);
      },
      has: (_, name) => Reflect.has(here(), name),
    },
  );
}

function later<Maker>(makerOf: (zod: typeof Zod) => Maker): Maker {
  const make = (given: unknown[]) => (makerOf(library()) as Make)(...given.map(made));
  return ((...given: unknown[]) => waiting(() => make(given))) as never;
}

export const array = later((zod) => zod.array);
export const boolean = later((zod) => zod.boolean);
export const discriminatedUnion = later((zod) => zod.discriminatedUnion);
export const email = later((zod) => zod.email);
export const exactOptional = later((zod) => zod.exactOptional);
export const file = later((zod) => zod.file);
export const int = later((zod) => zod.int);
export const json = later((zod) => zod.json);
export const literal = later((zod) => zod.literal);
export const looseObject = later((zod) => zod.looseObject);
export const number = later((zod) => zod.number);
export const object = later((zod) => zod.object);
export const record = later((zod) => zod.record);
export const strictObject = later((zod) => zod.strictObject);
export const string = later((zod) => zod.string);
export const tuple = later((zod) => zod.tuple);
export const union = later((zod) => zod.union);
export const unknown = later((zod) => zod.unknown);
export const url = later((zod) => zod.url);
const choice = later((zod) => zod.enum);
const nothing = later((zod) => zod.null);

export { choice as enum, nothing as null };

/** As zod has it: the value of what is not valid, of which nobody looks at anything. */
export const NEVER = Object.freeze({ status: "aborted" }) as never;
export const iso = { datetime: later((zod) => zod.iso.datetime) };

export function toJSONSchema(schema: Zod.ZodType, params?: Zod.core.ToJSONSchemaParams) {
  return library().toJSONSchema(made(schema) as Zod.ZodType, params);
}
