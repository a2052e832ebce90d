import type { z } from "zod";
import { readBoundedText } from "../bodies/bounded-body.ts";
import { Fault } from "../faults.ts";
import type { Incoming } from "../route.ts";
import { FORM_BOUNDS, parseJson, weighJson } from "./json-bounds.ts";

/** Forms are small; more than this is not one. */
const BODY_BYTES_MAX = 1024 * 1024;
/** A name that nobody of ours has chosen is shown no further. */
const FIELD_CHARS_SHOWN = 64;

function wrong(message: string, param?: string): Fault {
  return new Fault("invalid_value", message, { param });
}

/** The body of a console call, checked. What is wrong with it is said at the field. */
export async function readJson<T>(
  { request, memory }: Pick<Incoming, "request" | "memory">,
  schema: z.ZodType<T>,
  withinMs?: number,
): Promise<T> {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new Fault("invalid_content_type", "Send 'Content-Type: application/json'.");
  }
  const bounds = { bytesMax: BODY_BYTES_MAX, withinMs };
  const text = (await readBoundedText({ request, ...(memory && { memory }) }, bounds)) || "{}";
  memory?.growTo(weighJson(text, FORM_BOUNDS));
  return checkFields(schema, parseJson(text));
}

/** What was sent, checked; what is wrong with it is said at the field. */
export function checkFields<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw fieldFault(read.error.issues[0]);
}

function fieldFault(issue: z.core.$ZodIssue | undefined): Fault {
  const path = issue?.path.map(String) ?? [];
  if (issue?.code !== "unrecognized_keys") {
    return wrong(issue?.message ?? "The body is not valid.", path.join(".") || undefined);
  }
  const field = [...path, (issue.keys[0] ?? "").slice(0, FIELD_CHARS_SHOWN)].join(".");
  return wrong(`There is no field '${field}' here; leave it out.`, field);
}
