// Zod, whose schemas are made when somebody first asks one something. There are thousands, of which a process needs
// few: those of answers are only described, and most calls are never made. To make all would be a third of a start.
import * as zod from "zod";

export type * from "zod";
export { globalRegistry, ZodEnum, ZodLiteral } from "zod";

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

function later<Maker>(make: Maker): Maker {
  return ((...given: unknown[]) => waiting(() => (make as Make)(...given.map(made)))) as never;
}

export const array = later(zod.array);
export const boolean = later(zod.boolean);
export const discriminatedUnion = later(zod.discriminatedUnion);
export const email = later(zod.email);
export const exactOptional = later(zod.exactOptional);
export const file = later(zod.file);
export const int = later(zod.int);
export const json = later(zod.json);
export const literal = later(zod.literal);
export const looseObject = later(zod.looseObject);
export const number = later(zod.number);
export const object = later(zod.object);
export const record = later(zod.record);
export const strictObject = later(zod.strictObject);
export const string = later(zod.string);
export const tuple = later(zod.tuple);
export const union = later(zod.union);
export const unknown = later(zod.unknown);
export const url = later(zod.url);
const choice = later(zod.enum);
const nothing = later(zod.null);

export { choice as enum, nothing as null };

export const NEVER = zod.NEVER;
export const iso = { datetime: later(zod.iso.datetime) };

export function toJSONSchema(schema: zod.ZodType, params?: zod.core.ToJSONSchemaParams) {
  return zod.toJSONSchema(made(schema) as zod.ZodType, params);
}
