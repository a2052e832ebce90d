// The description of the API, as the whole gateway serves it.
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { SQLITE } from "../../../test/store/engines.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { wholeApp } from "../../../test/support/houses/whole-app.ts";
import { bodyExample, get, isFile, type Operation, post, put } from "../../lib/contract.ts";
import type { Route } from "../../lib/route.ts";
import { yieldToLoop } from "../../lib/yield-to-loop.ts";
import { describeApi, operationsOf } from "./describe-api.ts";
import { OTHER } from "./groups.ts";

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, Content> }>>;
}

interface Content {
  readonly schema: unknown;
  readonly example?: unknown;
}

interface Document {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

/** What is mounted and not of the API, and why. */
const EXCEPTIONS: readonly (readonly [route: RegExp, because: string])[] = [
  [/^\w+ \/api\/v1\//, "the calls of models once more, at OpenRouter's base URL"],
  [/^\w+ \/v1(beta)?\/models\/(:server\/)?:vendor\/:id$/, "models whose ids have slashes"],
  [/^GET \/(?:healthz|readyz)$/, "for whoever watches the server"],
  [
    /^GET \/(?:console(?:\/\*)?|docs(?:\/:page|\/api)?|platform\/material)?$/,
    "pages and their files",
  ],
  [/^GET \/platform\/mmbiz_\w+\/:id\/:size$/, "pictures, by the addresses that uploads answer"],
  [/^(?:GET|POST) \/api\/auth\/\*$/, "the sign-in library's own calls, which its client makes"],
  [/^POST \/api\/payments\/stripe\/webhook$/, "Stripe's notices, on Stripe's wire"],
  [/^(?:GET|POST) \/api\/payments\/epay\/notify$/, "Epay's notices, on Epay's wire"],
  [/^(?:PUT|PATCH|DELETE) \/platform\/\*$/, "refused: the platform has no calls by these methods"],
];

const nameOf = ({ method, path }: Pick<Route, "method" | "path">) => `${method} ${path}`;

/** Where the pieces of a document lead. */
function referencesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === "$ref" ? [String(inner)] : referencesIn(inner),
  );
}

function at(document: unknown, reference: string): unknown {
  const pieces = reference.replace(/^#\//, "").split("/");
  return pieces.reduce<unknown>(
    (found, piece) => (found as Readonly<Record<string, unknown>> | undefined)?.[piece],
    document,
  );
}

describe("the description of the API", () => {
  const app = perSuite(async (parts) => await wholeApp(parts, await SQLITE.site(parts)));
  const fetched = () => fetch(`${app.url}/openapi.json`);
  const read = async () => (await (await fetched()).json()) as Document;
  const calls = async () =>
    Object.entries((await read()).paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, call]) => ({ path, method, call })),
    );

  test("is open to everybody, and is sent again only when it has changed", async () => {
    const answer = await fetched();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    const etag = answer.headers.get("etag") ?? "";
    const again = await fetch(`${app.url}/openapi.json`, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
    const other = await fetch(`${app.url}/openapi.json`, { headers: { "if-none-match": '"x"' } });
    expect(other.status).toBe(200);
  });

  test("has every route, but for those that are no part of it", () => {
    const bare = app.routes
      .filter(({ operation, operations }) => !operation && !operations?.length)
      .map(nameOf);
    const known = EXCEPTIONS.map(([route]) => route);
    expect(bare.filter((name) => !known.some((route) => route.test(name)))).toEqual([]);
    // What has become part of it is taken off the list.
    expect(known.filter((route) => !bare.some((name) => route.test(name)))).toEqual([]);
  });

  test("says of every route what is mounted there", () => {
    for (const route of app.routes) {
      if (route.operation) expect(nameOf(route.operation)).toBe(nameOf(route));
      const [stem = ""] = route.path.split(/[*:]/);
      for (const each of route.operations ?? []) {
        expect(each.method).toBe(route.method);
        expect(each.path).toStartWith(stem);
      }
    }
  });

  test("has each call once, under a name of its own", async () => {
    const described = await calls();
    const names = described.map(({ call }) => call.operationId);
    expect(new Set(names).size).toBe(names.length);
    expect(described.length).toBe(operationsOf(app.routes).length);
  });

  test("leads nowhere that is not there", async () => {
    const document = await read();
    const references = new Set(referencesIn(document));
    expect(references).toContain("#/components/schemas/Key");
    expect([...references].filter((each) => at(document, each) === undefined)).toEqual([]);
    const { tags, components } = document;
    for (const { call } of await calls()) {
      expect(call.summary).toMatch(/^[A-Z].*\.$/);
      expect(call.tags).not.toContain(OTHER);
      for (const tag of call.tags) expect(tags.map(({ name }) => name)).toContain(tag);
      for (const name of call.security.flatMap((each) => Object.keys(each))) {
        expect(Object.keys(components.securitySchemes)).toContain(name);
      }
    }
    for (const name of Object.keys(components.schemas)) expect(name).toMatch(/^[A-Za-z0-9._-]+$/);
  });

  test("names the parameters of a path as the path does", async () => {
    for (const { path, call } of await calls()) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const named = call.parameters.filter((each) => each.in === "path").map(({ name }) => name);
      expect(named).toEqual(inPath as string[]);
      expect(path).not.toMatch(/\/:|\*/);
    }
  });

  test("tells what is open from what is not", async () => {
    const { paths } = await read();
    for (const [path, methods] of Object.entries(paths)) {
      if (path.startsWith("/platform/cgi-bin/") || path.startsWith("/platform/channels/")) continue;
      for (const [method, { security }] of Object.entries(methods)) {
        const { status } = await fetch(app.url + path, { method: method.toUpperCase() });
        expect({ path, refused: status === 401 }).toEqual({ path, refused: security.length > 0 });
      }
    }
  });

  test("has an example of each body, which would be taken", () => {
    for (const each of operationsOf(app.routes)) {
      if (!each.body || each.bodyType) continue;
      const read = each.body.safeParse(bodyExample(each));
      expect({ call: nameOf(each), problem: read.error?.issues }).toEqual({
        call: nameOf(each),
        problem: undefined,
      });
    }
  });

  test("has an example of each answer, which could have been given", async () => {
    const { paths } = await read();
    for (const each of operationsOf(app.routes)) {
      const described = paths[each.path.replace(/\/:(\w+)/g, "/{$1}")]?.[each.method.toLowerCase()];
      const { example } = described?.responses[each.status]?.content?.["application/json"] ?? {};
      if (isFile(each.answer) || each.status === 204) continue;
      const problem = each.answer.safeParse(example).error?.issues;
      expect({ call: nameOf(each), problem }).toEqual({ call: nameOf(each), problem: undefined });
    }
  });
});

describe("a description", () => {
  const routeOf = (said: Operation): Route => ({
    method: said.method,
    path: said.path,
    operation: said,
    handle: async () => new Response(),
  });

  test("tells what is taken from what is answered, where they differ", async () => {
    const part = z.strictObject({ size: z.int().default(3) }).meta({ id: "Part" });
    const same = z.string().meta({ id: "Same", examples: ["x"] });
    const list = z.array(part).meta({ id: "Parts" });
    const thing = z.object({ list, same }).meta({ id: "Thing" });
    const set = put("/api/me/:thing", "Sets it.", {
      body: thing,
      example: { list: [], same: "x" },
      answer: thing,
    });
    const { components, paths } = (await describeApi([routeOf(set)], "1")) as unknown as Document;
    const { Part, PartInput, PartsInput, ...others } = components.schemas;
    expect(Part).toMatchObject({ required: ["size"] });
    expect(PartInput).toMatchObject({ additionalProperties: false });
    expect(PartInput).not.toHaveProperty("required");
    expect(PartsInput).toMatchObject({ items: { $ref: "#/components/schemas/PartInput" } });
    expect(Object.keys(others).sort()).toEqual(["Error", "Parts", "Same", "Thing", "ThingInput"]);
    const call = paths["/api/me/{thing}"]?.put;
    expect(call?.requestBody?.content["application/json"]?.schema).toEqual({
      $ref: "#/components/schemas/ThingInput",
    });
    expect(call?.responses[200]?.content?.["application/json"]).toEqual({
      schema: { $ref: "#/components/schemas/Thing" },
      example: { list: [{ size: 3 }], same: "x" },
    });
  });

  test("leaves others their turns while it is made", async () => {
    const answer = z.object({ note: z.string() });
    const shown = get("/api/me", "Shows it.", { answer });
    const routes = Array.from({ length: 20 }, () => routeOf(shown));
    let isMade = false;
    const made = describeApi(routes, "1").then(() => {
      isMade = true;
    });
    let turns = 0;
    for (; !isMade; turns++) await yieldToLoop();
    await made;
    expect(turns).toBeGreaterThanOrEqual(routes.length);
  });

  test("takes any JSON for what it is", async () => {
    const answer = z.object({ it: z.json(), all: z.array(z.json()) });
    const shown = get("/api/me", "Shows it.", { answer });
    const { components, paths } = (await describeApi([routeOf(shown)], "1")) as unknown as Document;
    expect(Object.keys(components.schemas)).toEqual(["Error"]);
    const schema = paths["/api/me"]?.get?.responses[200]?.content?.["application/json"]?.schema;
    const json = { description: "Any JSON." };
    expect(schema).toMatchObject({ properties: { it: json, all: { items: json } } });
    expect(JSON.stringify(schema)).not.toContain("$ref");
  });

  test("tells a file in the place of an answer by the status that it has", async () => {
    const make = (status: number) =>
      post("/api/me/thing", "Makes it.", {
        status,
        answer: z.object({ id: z.string() }),
        file: { contentType: "text/csv" },
      });
    const told = async (status: number) => {
      const { paths } = (await describeApi([routeOf(make(status))], "1")) as unknown as Document;
      const responses = Object.entries(paths["/api/me/thing"]?.post?.responses ?? {});
      return responses.map(([name, { content = {} }]) => [name, Object.keys(content)]);
    };
    const fault = ["default", []];
    const json = "application/json";
    expect(await told(201)).toEqual([["200", ["text/csv"]], ["201", [json]], fault]);
    expect(await told(200)).toEqual([["200", [json, "text/csv"]], fault]);
  });

  test("is not made where two schemas have one name", async () => {
    const showing = (schema: z.ZodType, path: string) =>
      routeOf(get(path, "Shows it.", { answer: schema }));
    const one = z.object({ a: z.string() }).meta({ id: "Twin" });
    const other = z.object({ b: z.string() }).meta({ id: "Twin" });
    const routes = [showing(one, "/api/me"), showing(other, "/api/me/other")];
    await expect(describeApi(routes, "1")).rejects.toThrow("Two schemas are called Twin");
  });

  test("says of lists and whole numbers nothing that only our code minds", async () => {
    const body = z.object({ ids: z.array(z.int()).readonly(), size: z.int().min(1).max(9) });
    const save = post("/api/me", "Saves it.", {
      ...{ body, example: { ids: [1], size: 2 } },
      answer: z.object({ id: z.string() }),
    });
    const { paths } = (await describeApi([routeOf(save)], "1")) as unknown as Document;
    const { schema } = paths["/api/me"]?.post?.requestBody?.content["application/json"] ?? {};
    expect(schema).toMatchObject({
      properties: {
        ids: { type: "array", items: { type: "integer" } },
        size: { type: "integer", minimum: 1, maximum: 9 },
      },
    });
    expect(JSON.stringify(schema)).not.toMatch(/readOnly|9007199254740991/);
  });

  test("keeps the colon of a call in its path", async () => {
    const push = post("/v1/models/:id:push", "Pushes it.", {
      answer: z.object({ oddity: z.string(), note: z.string().nullable() }),
    });
    const { paths } = (await describeApi([routeOf(push)], "1")) as unknown as Document;
    const call = paths["/v1/models/{id}:push"]?.post;
    expect(call?.parameters.map(({ name }) => name)).toEqual(["id"]);
    expect(call?.security).toEqual([{ key: [] }]);
    // Nobody knows how an oddity looks.
    expect(call?.responses[200]?.content?.["application/json"]?.example).toBeUndefined();
  });
});
