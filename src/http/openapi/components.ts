import * as z from "../../lib/schemas.ts";

/** A piece of the description. */
export type Json = Readonly<Record<string, unknown>>;

type Direction = "input" | "output";
type NameOf = (name: string) => string;

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
        // Of a list it says that our code does not change it; to those who read this, that nobody sends it.
        delete jsonSchema.readOnly;
        // Every whole number has these bounds; those that a schema sets are said.
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
        // A later version may answer more than this one does.
        if (io === "output" && jsonSchema.additionalProperties === false) {
          delete jsonSchema.additionalProperties;
        }
      },
    });
    const named = Object.entries($defs).filter(([name]) => !isUnnamed(name)) as [string, Json][];
    return pointed(properties.it as Json, this.#keep(named, io));
  }

  /** The schema that a reference leads to, or the one that is there itself. */
  resolve(schema: Json): Json {
    if (typeof schema.$ref !== "string") return schema;
    return this.resolve(this.schemas[schema.$ref.slice(PLACE.length)] ?? {});
  }

  /** The names under which they are found: what is taken otherwise than it is answered has a second one. */
  #keep(named: readonly [string, Json][], io: Direction): NameOf {
    const second = new Set<string>();
    const nameOf: NameOf = (name) => (second.has(name) ? `${name}Input` : name);
    const differs = ([name, schema]: [string, Json]) => {
      const known = this.schemas[nameOf(name)];
      return known !== undefined && !Bun.deepEquals(known, pointed(schema, nameOf));
    };
    // Whatever has something in it that goes by a second name differs by that, and needs one too.
    for (let found = named.find(differs); found; found = named.find(differs)) {
      const [name] = found;
      if (io === "output" || second.has(name)) {
        throw new Error(`Two schemas are called ${name}; give each a name by meta({ id }).`);
      }
      second.add(name);
    }
    for (const [name, schema] of named) this.schemas[nameOf(name)] = pointed(schema, nameOf);
    return nameOf;
  }
}

/** What contains itself and was not given a name is any JSON, whose definition generated clients stumble over. */
const isUnnamed = (name: string) => name.startsWith("__schema");
const UNNAMED = /"\$ref":"#\/\$defs\/__schema\d+"/g;

/** `#/$defs/Key` is where a schema by itself keeps it; a description has one place for all. */
function pointed(schema: Json, nameOf: NameOf): Json {
  const anyJson = '"description":"Any JSON."';
  const text = JSON.stringify(schema)
    .replace(UNNAMED, anyJson)
    .replace(/"#\/\$defs\/([^"]+)"/g, (_, name: string) => `"${PLACE}${nameOf(name)}"`);
  const { id, $id, ...rest } = JSON.parse(text) as Json;
  return rest;
}
