// The description of the API, made of the contracts of the routes that are mounted: what is not there is not in it.
import type { z } from "zod";
import {
  bodyExample,
  type Caller,
  FAULT_BODY,
  FILE_STATUS,
  isFile,
  type Operation,
} from "../../lib/contract.ts";
import type { Route } from "../../lib/route.ts";
import { yieldToLoop } from "../../lib/yield-to-loop.ts";
import { exampleOf } from "./answer-example.ts";
import { Components, type Json } from "./components.ts";
import { groupOf, groupsOf } from "./groups.ts";
import { credentialsOf, FAULT_HEADERS, FAULT_WORDS, SECURITY_SCHEMES } from "./shared.ts";

const INTRODUCTION =
  "A prepaid gateway for language models. Amounts are decimal strings in US dollars, times are in UTC. An empty " +
  "parameter counts as absent.";

/** `/keys/:id` → `/keys/{id}`; a colon inside of a piece, as in `/drafts/:id:push`, is the path's own. */
const PARAMETER = /\/:(\w+)/g;
const braced = (path: string) => path.replace(PARAMETER, "/{$1}");

function pathParameters({ path }: Operation): readonly Json[] {
  return [...path.matchAll(PARAMETER)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function parametersOf(
  schema: z.ZodObject | undefined,
  where: "query" | "header",
  components: Components,
): readonly Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = components.describe(schema, "input") as {
    readonly properties?: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...value }]) => ({
    name,
    in: where,
    ...(required.includes(name) && { required: true }),
    ...(description !== undefined && { description }),
    schema: value,
  }));
}

const fileOf = (contentType: string): Json => ({
  [contentType]: {
    schema: contentType.startsWith("text/")
      ? { type: "string" }
      : { type: "string", format: "binary" },
  },
});

function answerOf({ answer, stream }: Operation, components: Components): Json {
  if (isFile(answer)) return fileOf(answer.contentType);
  const schema = components.describe(answer, "output");
  const example = exampleOf(schema, components);
  return {
    "application/json": { schema, ...(example !== undefined && { example }) },
    ...(stream && { "text/event-stream": { schema: { type: "string", description: stream } } }),
  };
}

function faultOf({ fault }: Operation, components: Components): Json {
  if (!fault) return { $ref: "#/components/responses/Fault" };
  return describedFault(components.describe(fault, "output"), components);
}

function describedFault(schema: Json, components: Components): Json {
  const example = exampleOf(schema, components);
  const content = { "application/json": { schema, example } };
  return { description: FAULT_WORDS, headers: FAULT_HEADERS, content };
}

function responsesOf(operation: Operation, components: Components): Json {
  const { status, summary: description, file } = operation;
  const content = status === 204 ? undefined : answerOf(operation, components);
  const ofFile = file && fileOf(file.contentType);
  return {
    ...(ofFile && { [FILE_STATUS]: { description, content: ofFile } }),
    [status]: {
      description,
      ...(content && { content: { ...content, ...(status === FILE_STATUS && ofFile) } }),
    },
    default: faultOf(operation, components),
  };
}

function bodyOf(operation: Operation, components: Components): Json {
  const { body, bodyType = "application/json" } = operation;
  if (!body) return {};
  const example = bodyExample(operation);
  const schema = components.describe(body, "input");
  const content = { [bodyType]: { schema, ...(example !== undefined && { example }) } };
  return { requestBody: { required: !body.safeParse({}).success, content } };
}

/** `getApiAccountsAccountKeys`: what generated clients call it. */
function nameOf({ method, path }: Operation): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  return method.toLowerCase() + words.map(capital).join("");
}

const LEAST: Readonly<Record<Caller["least"], string>> = {
  anybody: "Open to everybody.",
  "signed in": "For everybody who is signed in.",
  viewer: "For viewers, members and owners of the account.",
  member: "For members and owners of the account.",
  owner: "For owners of the account.",
  operator: "For operators.",
};

const callerWords = ({ least, scope }: Caller) =>
  scope ? `${LEAST[least]} A token needs the scope \`${scope}\`.` : LEAST[least];

function describeOperation(operation: Operation, responses: Json, components: Components): Json {
  return {
    operationId: nameOf(operation),
    summary: operation.summary,
    ...(operation.caller && { description: callerWords(operation.caller) }),
    tags: [groupOf(operation.path)],
    security: credentialsOf(operation).map((credential) => ({ [credential]: [] })),
    parameters: [
      ...pathParameters(operation),
      ...parametersOf(operation.query, "query", components),
      ...parametersOf(operation.headers, "header", components),
    ],
    ...bodyOf(operation, components),
    responses,
  };
}

export function operationsOf(routes: readonly Route[]): readonly Operation[] {
  return routes.flatMap(({ operation, operations = [], caller }) => {
    if (!operation) return operations;
    return [caller ? { ...operation, caller } : operation, ...operations];
  });
}

/** OpenAPI 3.1 of those routes that have a contract. It is much work, and others have their turns in between. */
export async function describeApi(routes: readonly Route[], version: string): Promise<Json> {
  const components = new Components();
  const operations = operationsOf(routes);
  const Fault = describedFault(components.describe(FAULT_BODY, "output"), components);
  const answered: { readonly operation: Operation; readonly responses: Json }[] = [];
  for (const operation of operations) {
    answered.push({ operation, responses: responsesOf(operation, components) });
    await yieldToLoop();
  }
  const paths: Record<string, Record<string, Json>> = {};
  for (const { operation, responses } of answered) {
    const at = braced(operation.path);
    const described = describeOperation(operation, responses, components);
    paths[at] = { ...paths[at], [operation.method.toLowerCase()]: described };
    await yieldToLoop();
  }
  return {
    openapi: "3.1.0",
    info: { title: "Faregate", version, description: INTRODUCTION },
    servers: [{ url: "/" }],
    tags: groupsOf(operations.map(({ path }) => path)),
    paths,
    components: {
      schemas: components.schemas,
      responses: { Fault },
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}
