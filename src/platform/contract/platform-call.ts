// The platform's own wire. Its calls keep their own readers, since they answer with the platform's error codes: here
// stands what they read, what it means, and what is answered.

import { type Operation, operationBy, told } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";

/** An error, which has the status of an answer. */
export const REFUSAL = z
  .looseObject({
    errcode: told(
      z.int().refine((code) => code !== 0),
      "Any other than 0 is an error.",
      40007,
    ),
    errmsg: told(
      z.string(),
      "In words, with the id of the call.",
      "invalid media_id rid: 6919a3c0-…",
    ),
  })
  .meta({ id: "PlatformError" });

/** The answer to a change that has nothing to show. */
export const OK = z.looseObject({
  errcode: told(z.literal(0), "All went well.", 0),
  errmsg: told(z.string(), "In words.", "ok"),
});

type Said<Body extends z.ZodType> = Pick<
  Operation<z.ZodObject, Body>,
  "summary" | "query" | "bodyType"
> &
  ({ readonly answer: z.ZodType } | { readonly bytes: string });

/** A call that is asked by its address alone. */
export function platformGet(path: string, said: Said<z.ZodUndefined>): Operation {
  return described("GET", path, said);
}

/** What a member may be, by what its schema says. */
function valuesOf(schema: z.core.$ZodType): readonly unknown[] {
  const { ZodLiteral, ZodEnum, globalRegistry } = z.library();
  if (schema instanceof ZodLiteral) return [...schema.values];
  if (schema instanceof ZodEnum) return schema.options;
  return (globalRegistry.get(schema)?.examples ?? []) as readonly unknown[];
}

/** A body as somebody might send it: what may be left out is. */
function exampleOf(body: z.ZodObject): Record<string, unknown> {
  const needed = Object.entries(body.shape).filter(([, schema]) => schema._zod.optin === undefined);
  return Object.fromEntries(needed.map(([name, schema]) => [name, valuesOf(schema)[0]]));
}

/** A call with a body, and an example of it where those of its members do not make one. */
export function platformPost<Body extends z.ZodObject>(
  path: string,
  said: Said<Body> & { readonly body: Body; readonly example?: z.input<Body> },
): Operation {
  const isJson = said.bodyType === undefined;
  return described("POST", path, {
    ...(isJson && { example: () => exampleOf(said.body) }),
    ...said,
  });
}

function described<Body extends z.ZodType>(
  method: "GET" | "POST",
  path: string,
  said: Said<Body>,
): Operation {
  const answer = "bytes" in said ? { contentType: said.bytes } : z.union([said.answer, REFUSAL]);
  const { summary, ...rest } = said;
  return operationBy(method)(path, summary, { ...rest, answer }) as Operation;
}

/** Of a call that brings no token of an account. */
export const open = (call: Operation): Operation => ({ ...call, credentials: [] });

export const MEDIA_ID = told(z.string(), "The id of a draft or a file.", "mFq3x0Zc8");
export const ONE_MEDIA = z.looseObject({ media_id: MEDIA_ID });
export const APPID = told(z.string(), "The AppID of a public account.", "wx0123456789abcdef");
export const FLAG = z.union([z.literal(0), z.literal(1), z.boolean()]);
export const seconds = (description: string) => told(z.int(), description, 1_794_300_000);
export const total = told(z.int(), "How many there are.", 1);

/** Which part of a list. */
export const PAGE = {
  offset: told(z.int().min(0), "How many are left out.", 0),
  count: told(z.int().min(1).max(20), "How many are wanted.", 20),
};
export const BARE_PAGE = {
  ...PAGE,
  no_content: FLAG.describe("Whether texts are left out.").optional(),
};

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.looseObject({
    total_count: total,
    item_count: told(z.int(), "How many are on this page.", 1),
    item: z.array(item),
  });
}
