import type { z } from "zod";
import { readBoundedText } from "../../lib/bodies/bounded-body.ts";
import { Fault } from "../../lib/faults.ts";
import { FORM_BOUNDS, parseJson, weighJson } from "../../lib/json/json-bounds.ts";
import { parseLargeJson, weighLargeJson } from "../../lib/json/large-json.ts";
import type { Incoming } from "../../lib/route.ts";
import { flatten, isLarge } from "../../lib/yield-to-loop.ts";

/** `["articles", 0, "title"]` → `articles[0].title`, as every error of drafts names a field. */
function pathOf(path: readonly PropertyKey[]): string | undefined {
  const text = path.reduce<string>(
    (before, part) =>
      typeof part === "number" ? `${before}[${part}]` : `${before}${before && "."}${String(part)}`,
    "",
  );
  return text || undefined;
}

/** A value that came from outside, checked; what is wrong with it is said at the field. */
export function checkForm<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  if (issue?.code === "unrecognized_keys") {
    const [name = ""] = issue.keys;
    throw new Fault("unsupported_parameter", `Unknown parameter: '${name}'.`, {
      param: pathOf([...issue.path, name]),
    });
  }
  throw new Fault("invalid_value", issue?.message ?? "The body is not valid.", {
    param: issue && pathOf(issue.path),
  });
}

/** How large a body that brings a draft may be, and how long it may take to come. */
export interface FormLimits {
  readonly draft_body_bytes_max: number;
  readonly upload_ms: number;
}

type Arrived = Pick<Incoming, "request" | "memory">;

/** The JSON of a body that may carry pictures: what takes long is done in steps, so that others have their turns. */
export async function readInSteps(
  incoming: Arrived,
  { draft_body_bytes_max: bytesMax, upload_ms: withinMs }: FormLimits,
  whereEmpty = "",
): Promise<unknown> {
  const { memory } = incoming;
  const text = (await readBoundedText(incoming, { bytesMax, withinMs })) || whereEmpty;
  if (!isLarge(text)) {
    memory?.growTo(weighJson(text, FORM_BOUNDS));
    return parseJson(text);
  }
  await flatten(text);
  const weighed = await weighLargeJson(text, FORM_BOUNDS);
  memory?.growTo(weighed.bytes);
  return parseLargeJson(text, weighed);
}

async function readValue(incoming: Arrived, limits: FormLimits): Promise<unknown> {
  const type = incoming.request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new Fault("invalid_content_type", "Send 'Content-Type: application/json'.");
  }
  return readInSteps(incoming, limits, "{}");
}

/** The body of a call, which may carry pictures and is bounded. One that needs none may have none. */
export async function readForm<T>(
  incoming: Arrived,
  schema: z.ZodType<T>,
  limits: FormLimits,
): Promise<T> {
  const { request } = incoming;
  const isEmpty = request.body === null || request.headers.get("content-length") === "0";
  if (isEmpty && schema.safeParse(undefined).success) return checkForm(schema, undefined);
  return checkForm(schema, await readValue(incoming, limits));
}
