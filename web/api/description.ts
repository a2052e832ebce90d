// The description of the API, as far as this page reads it, and what is made of it.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface Described {
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Media>> }>
  >;
}

export interface Api {
  readonly info: { readonly title: string; readonly version: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Operation extends Described {
  readonly method: string;
  readonly path: string;
}

export interface Group {
  readonly name: string;
  readonly description: string | undefined;
  readonly operations: readonly Operation[];
}

/** A place of the page in its address. */
export const placeOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

/** By what they are about, in the order in which the description names it. */
export function groupsOf({ paths, tags = [] }: Api): readonly Group[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, described]): Operation => ({ ...described, method: method.toUpperCase(), path }),
    ),
  );
  const groups = Map.groupBy(all, (operation) => operation.tags?.[0] ?? "");
  return tags.flatMap(({ name, description }) => {
    const operations = groups.get(name);
    return operations ? [{ name, description, operations }] : [];
  });
}

export function matching(groups: readonly Group[], text: string): readonly Group[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups;
  const fits = ({ method, path, summary }: Operation) => {
    const said = `${method} ${path} ${summary}`.toLowerCase();
    return words.every((word) => said.includes(word));
  };
  return groups
    .map((group) => ({ ...group, operations: group.operations.filter(fits) }))
    .filter(({ operations }) => operations.length > 0);
}

const REF = "#/components/schemas/";

/** What a schema stands for, and the name under which it stands there. */
export function resolve(api: Api, schema: Schema): { name?: string; schema: Schema } {
  if (schema.$ref === undefined) return { schema };
  const name = schema.$ref.slice(REF.length);
  return { name, schema: api.components.schemas[name] ?? {} };
}

/** A type in a few letters: `text`, `list of Key`, `"day" | "week"`. */
export function typeWords(api: Api, schema: Schema): string {
  const { name, schema: found } = resolve(api, schema);
  if (name !== undefined && found.properties) return name;
  if (found.const !== undefined) return JSON.stringify(found.const);
  if (found.enum) return found.enum.map((each) => JSON.stringify(each)).join(" | ");
  const several = found.anyOf ?? found.oneOf;
  if (several) return several.map((each) => typeWords(api, each)).join(" | ");
  if (found.items) return `${typeWords(api, found.items)}[]`;
  const types = typeof found.type === "string" ? [found.type] : (found.type ?? ["any"]);
  return types.join(" | ");
}

/** The members of an object, or of the objects of a list; none where there is nothing more to tell. */
export function membersOf(api: Api, schema: Schema): readonly (readonly [string, Schema])[] {
  const { schema: found } = resolve(api, schema);
  if (found.items) return membersOf(api, found.items);
  const several = found.anyOf ?? found.oneOf;
  if (several) return [...new Map(several.flatMap((each) => membersOf(api, each)))];
  return Object.entries(found.properties ?? {});
}

export interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** What was written into the form, as it is sent. What is empty is left out. */
export function requestOf(
  { method, path, parameters = [] }: Operation,
  values: Readonly<Record<string, string>>,
  body: string | undefined,
  token: string,
): Request {
  const written = ({ name }: Parameter) => values[name]?.trim() ?? "";
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name]?.trim() ?? ""),
  );
  const asked = parameters.filter((each) => written(each) !== "");
  const query = new URLSearchParams(
    asked
      .filter((each) => each.in === "query")
      .map((each): [string, string] => [each.name, written(each)]),
  ).toString();
  const said = asked.filter((each) => each.in === "header");
  return {
    method,
    url: query === "" ? filled : `${filled}?${query}`,
    headers: {
      ...Object.fromEntries(said.map((each) => [each.name, written(each)])),
      ...(body !== undefined && { "content-type": "application/json" }),
      // A call by the session proves by it that no other site sent it.
      ...(token === "" ? { "x-faregate-csrf": "1" } : { authorization: `Bearer ${token}` }),
    },
    body,
  };
}

/** The same for a terminal. What was entered where nobody can read it is not shown there either. */
export function curlOf({ method, url, headers, body }: Request, origin: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const { "x-faregate-csrf": _, authorization: __, ...rest } = headers;
  const shown = Object.entries(rest).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(origin + url)}`,
    '-H "authorization: Bearer $FAREGATE_TOKEN"',
    ...shown,
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ].join(" \\\n  ");
}
