import { z } from "zod";

/** A piece of the description. */
export type Json = Readonly<Record<string, unknown>>;

type Direction = "input" | "output";

const PLACE = "#/components/schemas/";

/** Schemas with a name stand once, and others refer to them. */
export class Components {
  readonly schemas: Record<string, Json> = {};

  /** A schema as JSON Schema. Answers are described first, so that theirs are the plain names. */
  describe(schema: z.ZodType, io: Direction): Json {
    // A schema that stands at the top would be written out, name or not.
    const { properties = {}, $defs = {} } = z.toJSONSchema(z.object({ it: schema }), {
      io,
      // What only code can check is told in words, by the error.
      unrepresentable: "any",
      override: ({ jsonSchema }) => {
        // A later version may answer more than this one does.
        if (io === "output" && jsonSchema.additionalProperties === false) {
          delete jsonSchema.additionalProperties;
        }
      },
    });
    const names = new Map(
      Object.entries($defs).map(([name, found]) => [name, this.#keep(name, found as Json, io)]),
    );
    return pointed(properties.it as Json, (name) => names.get(name) ?? name);
  }

  /** The schema that a reference leads to, or the one that is there itself. */
  resolve(schema: Json): Json {
    if (typeof schema.$ref !== "string") return schema;
    return this.resolve(this.schemas[schema.$ref.slice(PLACE.length)] ?? {});
  }

  /** The name under which it is found: what is taken otherwise than it is answered has a second one. */
  #keep(name: string, schema: Json, io: Direction): string {
    const kept = pointed(schema, (each) => each);
    for (const free of io === "input" ? [name, `${name}Input`] : [name]) {
      this.schemas[free] ??= kept;
      if (Bun.deepEquals(this.schemas[free], kept)) return free;
    }
    throw new Error(`Two schemas are called ${name}; give each a name by meta({ id }).`);
  }
}

/** `#/$defs/Key` is where a schema by itself keeps it; a description has one place for all. */
function pointed(schema: Json, nameOf: (name: string) => string): Json {
  const text = JSON.stringify(schema).replace(
    /"#\/\$defs\/([^"]+)"/g,
    (_, name: string) => `"${PLACE}${nameOf(name)}"`,
  );
  const { id, $id, ...rest } = JSON.parse(text) as Json;
  return rest;
}
