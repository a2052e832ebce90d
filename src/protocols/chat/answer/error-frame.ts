import type { Fault } from "../../../lib/faults.ts";
import { faultOfEvent, faultOfVendor } from "../../faults.ts";
import { isObject, type JsonObject } from "../../fields.ts";

/** Statuses that some vendors write as the code of an error inside a stream, of those that may blame the request. */
const STATUSES = [400, 413, 422, 429];

function errorOf(body: JsonObject): JsonObject | undefined {
  const { error } = body;
  if (isObject(error)) return error;
  if (typeof error === "string" && error !== "") return { ...body, message: error };
  return body.object === "error" ? body : undefined;
}

/** The failure that stands where a chunk or an answer should; undefined where there is none. */
export function faultOfFrame(body: JsonObject): Fault | undefined {
  const error = errorOf(body);
  if (!error) return undefined;
  const status = STATUSES.find((each) => each === error.code || each === error.status);
  return status === undefined ? faultOfEvent({ error }) : faultOfVendor(status, { error });
}
