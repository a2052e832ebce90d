import type { z } from "zod";
import {
  type Answered,
  type AnswerSchema,
  FileReply,
  isFile,
  type Operation,
  Reply,
} from "./contract.ts";
import { checkFields, readJson } from "./json/json-body.ts";
import type { Incoming } from "./route.ts";

/** What was sent, read when it is asked for: whoever is not let in does not learn what else is wrong. */
export interface Sent<Query extends z.ZodObject, Body extends z.ZodType> {
  query(): z.output<Query>;
  body(): Promise<z.output<Body>>;
}

/** Parameters that say something; an empty one, as forms send it, says nothing. Of several with one name the first counts. */
function parametersOf({ shape }: z.ZodObject, parameters: URLSearchParams) {
  const said = Object.keys(shape).map((name) => [name, parameters.get(name) || undefined]);
  return Object.fromEntries(said.filter(([, value]) => value !== undefined));
}

/** `withinMs`: how long a body may take to come, where it may not take for ever. */
export function sentBy<Query extends z.ZodObject, Body extends z.ZodType>(
  { query, body }: Operation<Query, Body>,
  incoming: Incoming,
  withinMs?: number,
): Sent<Query, Body> {
  return {
    query: () =>
      (query
        ? checkFields(query, parametersOf(query, incoming.url.searchParams))
        : {}) as z.output<Query>,
    body: async () =>
      (body ? await readJson(incoming, body, withinMs) : undefined) as z.output<Body>,
  };
}

/** An answer that no cache keeps: it belongs to one person at one moment. */
export function responseOf<Answer extends AnswerSchema>(
  operation: Operation<z.ZodObject, z.ZodType, Answer>,
  answered: Answered<Answer>,
): Response {
  if (isFile(operation.answer)) return answered as Response;
  if (answered instanceof FileReply) return answered.file;
  const { value, init } = answered instanceof Reply ? answered : new Reply(answered, {});
  const status = init.status ?? operation.status;
  const headers = new Headers({ "cache-control": "no-store", ...init.headers });
  for (const cookie of init.cookies ?? []) headers.append("set-cookie", cookie);
  return status === 204
    ? new Response(null, { status, headers })
    : Response.json(value, { status, headers });
}
