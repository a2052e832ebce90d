import type { z } from "zod";
import { readBounded } from "../../lib/bounded-body.ts";
import { isLarge } from "../../lib/breath.ts";
import { Fault } from "../../lib/faults.ts";
import { FORM_BOUNDS, readBoundedJson } from "../../lib/json/json-bounds.ts";
import { readLargeJson } from "../../lib/json/large-json.ts";
import { decodeInSteps } from "../../lib/utf8.ts";

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

/** The JSON of a body that may carry pictures: what takes long is done in steps, so that others have their turns. */
export async function readInSteps(
  request: Request,
  { draft_body_bytes_max: bytesMax, upload_ms: withinMs }: FormLimits,
  whereEmpty = "",
): Promise<unknown> {
  const text = await decodeInSteps([await readBounded(request, bytesMax, withinMs)]);
  if (isLarge(text)) return readLargeJson(text, FORM_BOUNDS);
  return readBoundedJson(text === "" ? whereEmpty : text, FORM_BOUNDS);
}

async function readValue(request: Request, limits: FormLimits): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new Fault("invalid_content_type", "Send 'Content-Type: application/json'.");
  }
  return readInSteps(request, limits, "{}");
}

/** The body of a call, which may carry pictures and is bounded. One that needs none may have none. */
export async function readForm<T>(
  request: Request,
  schema: z.ZodType<T>,
  limits: FormLimits,
): Promise<T> {
  const isEmpty = request.body === null || request.headers.get("content-length") === "0";
  if (isEmpty && schema.safeParse(undefined).success) return checkForm(schema, undefined);
  return checkForm(schema, await readValue(request, limits));
}
