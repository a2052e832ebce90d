import type { z } from "zod";
import { Fault } from "./faults.ts";

/** Forms are small; more than this is not one. */
const BODY_BYTES_MAX = 1024 * 1024;

function wrong(message: string, param?: string): Fault {
  return new Fault("invalid_value", message, { param });
}

/** The body of a console call, checked. What is wrong with it is said at the field. */
export async function readJson<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new Fault("invalid_content_type", "Send 'Content-Type: application/json'.");
  }
  if (Number(request.headers.get("content-length") ?? 0) > BODY_BYTES_MAX) throw tooLarge();
  const text = await request.text();
  if (text.length > BODY_BYTES_MAX) throw tooLarge();
  let value: unknown;
  try {
    value = JSON.parse(text === "" ? "{}" : text);
  } catch (thrown) {
    throw new Fault("invalid_json", "The request body is not valid JSON.", { cause: thrown });
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const param = issue?.path.map(String).join(".") || undefined;
  throw wrong(issue?.message ?? "The body is not valid.", param);
}

function tooLarge(): Fault {
  return new Fault("request_too_large", `The body is over the limit of ${BODY_BYTES_MAX} bytes.`);
}
