// The lists of calls in docs/openapi.md and docs/platform.md, from the contracts of all routes.
import { describeApi, operationsOf } from "../../src/http/openapi/describe-api.ts";
import type { Route } from "../../src/lib/route.ts";
import { groupedBy } from "./tables.ts";

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
}

interface Described {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly unknown[];
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
  /** The least role; empty if the console's roles do not matter. */
  readonly role: string;
  readonly isMoney: boolean;
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

function namesOf({ parameters, requestBody }: Described, api: Api): string[] {
  const query = parameters.filter((each) => each.in === "query").map(({ name }) => `?${name}`);
  const [body] = Object.values(requestBody?.content ?? {});
  const all = [...query, ...membersOf(body?.schema, api)];
  const isList = PAGE_FIELDS.every((name) => all.includes(name));
  return isList ? all.filter((name) => !PAGE_FIELDS.includes(name)) : all;
}

/** Groups whose bodies are those of a vendor. OpenAPI has the members that Faregate reads. */
const VENDORS_OWN = ["Responses", "Chat completions", "Messages", "Gemini", "Embeddings"];

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

/** The fields of a call, or how they differ from those of an earlier call, if that is shorter. */
function fieldsOf({ fields }: Call, before: readonly Call[], nameOf: (call: Call) => string) {
  if (fields.length === 0) return "";
  const bare = (names: readonly string[]) => names.map((name) => name.replace("*", ""));
  const all = before.map((earlier) => {
    const known = bare(earlier.fields);
    const more = fields.filter((name) => !known.includes(name.replace("*", "")));
    const less = known.filter((name) => !bare(fields).includes(name));
    const without = less.length > 0 ? ` without ${quoted(less)}` : "";
    const beside = more.length > 0 ? `, and ${quoted(more)}` : "";
    return `Fields of ${nameOf(earlier)}${without}${beside}.`;
  });
  const short = [quoted(fields), ...all].toSorted((one, other) => one.length - other.length);
  return ` ${short[0]}`;
}

/** The role that most calls of a group need. */
function commonRole(calls: readonly Call[]): string {
  const groups = groupedBy(calls, ({ role }) => role);
  return groups.toSorted((one, other) => other.length - one.length)[0]?.[0]?.role ?? "";
}

function groupSection(name: string, about: string, group: readonly Call[], all: readonly Call[]) {
  const base = group.length > 1 ? commonStart(group.map(({ path }) => path)) : "";
  const shortName = ({ method, path }: Call) =>
    `\`${`${method} ${path.slice(base.length)}`.trim()}\``;
  const nameOf = (call: Call) =>
    group.includes(call) ? shortName(call) : `\`${call.method} ${call.path}\``;
  const common = commonRole(group);
  const lines = group.map((call) => {
    const role = call.role === common ? "" : call.role;
    const who = [role, call.isMoney ? "`money`" : ""].filter(Boolean).join(", ");
    const isOfVendor = VENDORS_OWN.includes(name) && call.method === "POST";
    const fields = isOfVendor ? "" : fieldsOf(call, all.slice(0, all.indexOf(call)), nameOf);
    return `- ${shortName(call)}${who && ` (${who})`}: ${call.summary}${fields}`;
  });
  const place = base === "" ? about : `Below \`${base}\`.`;
  const words = common === "" ? place : `${place} Role: ${common}.`;
  return `### ${name}\n\n${words}\n\n${lines.join("\n")}`;
}

/** The groups of docs/platform.md, and those that only OpenAPI has. */
const OF_PLATFORM = ["Platform controls"];
const NOT_LISTED = ["Platform", "Material"];

/** A list for each group of calls: those of gateway and console, and those of the built-in platform. */
export async function apiLists(routes: readonly Route[]) {
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
      const isOpen = operation.security.length === 0;
      const { least: role = isOpen ? "anybody" : "", scope } =
        callers.get(`${method} ${path}`) ?? {};
      const { summary, tags } = operation;
      const isMoney = scope === "money";
      return { method, path, role, isMoney, summary, fields: namesOf(operation, api), tags };
    }),
  );
  const calls = described.filter(({ path }) => !REPEATED.test(path));
  const sectionsOf = (isIn: (group: string) => boolean) =>
    api.tags
      .filter(({ name }) => isIn(name))
      .map(({ name, description }) =>
        groupSection(
          name,
          description,
          calls.filter(({ tags }) => tags.includes(name)),
          calls,
        ),
      )
      .join("\n\n");
  return {
    platform: sectionsOf((group) => OF_PLATFORM.includes(group)),
    others: sectionsOf((group) => ![...OF_PLATFORM, ...NOT_LISTED].includes(group)),
  };
}
