// The tables of docs/api.md, from the contracts of all routes.
import { describeApi, operationsOf } from "../../src/http/openapi/describe-api.ts";
import type { Caller } from "../../src/lib/contract.ts";
import type { Route } from "../../src/lib/route.ts";
import { table } from "./tables.ts";

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
}

interface Described {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}

interface Api {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly who: string;
  readonly summary: string;
  /** Query parameters with a question mark before their names, then members of the body. */
  readonly fields: readonly string[];
}

/** The same calls below a second version of Google's paths, which the page says in a sentence. */
const REPEATED = /^\/v1\/models\/\{id\}:/;
/** Every list takes these. */
const PAGE_FIELDS = ["?after", "?limit"];

function membersOf(schema: Schema | undefined, api: Api): string[] {
  if (!schema) return [];
  const [name] = schema.$ref?.split("/").slice(-1) ?? [];
  if (name !== undefined) return membersOf(api.components.schemas[name], api);
  if (schema.anyOf) return [...new Set(schema.anyOf.flatMap((each) => membersOf(each, api)))];
  const { properties = {}, required = [] } = schema;
  return Object.keys(properties).map((name) => (required.includes(name) ? `${name}*` : name));
}

function fieldsOf({ parameters, requestBody }: Described, api: Api): string[] {
  const query = parameters.filter((each) => each.in === "query").map(({ name }) => `?${name}`);
  const [body] = Object.values(requestBody?.content ?? {});
  const all = [...query, ...membersOf(body?.schema, api)];
  const isList = PAGE_FIELDS.every((name) => all.includes(name));
  return isList ? all.filter((name) => !PAGE_FIELDS.includes(name)) : all;
}

const whoOf = (caller: Caller | undefined) =>
  caller ? [caller.least, ...(caller.scope === "money" ? ["`money`"] : [])].join(", ") : "";

/** Pieces of a path that all paths begin with. */
function commonStart(paths: readonly string[]): string {
  const [first = "", ...others] = paths;
  const pieces = first.split("/");
  const isShared = (count: number) => {
    const start = pieces.slice(0, count).join("/");
    return others.every((path) => path === start || path.startsWith(`${start}/`));
  };
  let count = pieces.length;
  while (count > 0 && !isShared(count)) count -= 1;
  return pieces.slice(0, count).join("/");
}

const quoted = (names: readonly string[]) => `\`${names.join(" ")}\``;

/** The fields of a call, or how they differ from those of an earlier call of the group, if that is shorter. */
function fieldsCell({ fields }: Call, before: readonly Call[], nameOf: (call: Call) => string) {
  if (fields.length === 0) return "";
  const bare = (names: readonly string[]) => names.map((name) => name.replace("*", ""));
  const cells = before.map((earlier) => {
    const known = bare(earlier.fields);
    const more = fields.filter((name) => !known.includes(name.replace("*", "")));
    const less = known.filter((name) => !bare(fields).includes(name));
    const without = less.length > 0 ? ` without ${quoted(less)}` : "";
    const beside = more.length > 0 ? `, and ${quoted(more)}` : "";
    return `as ${nameOf(earlier)}${without}${beside}`;
  });
  const short = [quoted(fields), ...cells].toSorted((one, other) => one.length - other.length);
  return short[0] ?? "";
}

function groupSection(name: string, about: string, calls: readonly Call[]): string {
  const base = calls.length > 1 ? commonStart(calls.map(({ path }) => path)) : "";
  const nameOf = ({ method, path }: Call) =>
    `\`${method} ${path.slice(base.length)}\``.replace(" `", "`");
  const whos = new Set(calls.map(({ who }) => who));
  const [only = ""] = whos;
  const place = base === "" ? "" : ` Below \`${base}\`.`;
  const callers = whos.size === 1 && only !== "" ? ` Role: ${only}.` : "";
  const columns = ["call", ...(whos.size > 1 ? ["role"] : []), "does", "fields"];
  const rows = calls.map((call, at) => [
    nameOf(call),
    ...(whos.size > 1 ? [call.who] : []),
    call.summary.replace(/\.$/, ""),
    fieldsCell(call, calls.slice(0, at), nameOf),
  ]);
  return `### ${name}\n\n${about}${place}${callers}\n\n${table(columns, rows)}`;
}

/** A table for each group of calls. */
export async function apiTables(routes: readonly Route[]): Promise<string> {
  const api = (await describeApi(routes, "")) as unknown as Api;
  const callers = new Map(
    operationsOf(routes).map(({ method, path, caller }) => [
      `${method} ${path.replace(/\/:(\w+)/g, "/{$1}")}`,
      caller,
    ]),
  );
  const described = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([small, operation]) => {
      const method = small.toUpperCase();
      const who = whoOf(callers.get(`${method} ${path}`));
      const { summary, tags } = operation;
      return { method, path, who, summary, fields: fieldsOf(operation, api), tags };
    }),
  );
  const calls = described.filter(({ path }) => !REPEATED.test(path));
  return api.tags
    .map(({ name, description }) =>
      groupSection(
        name,
        description,
        calls.filter(({ tags }) => tags.includes(name)),
      ),
    )
    .join("\n\n");
}
