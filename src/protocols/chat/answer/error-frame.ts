import type { Fault } from "../../../lib/faults.ts";
import { faultOfEvent, upstreamUnavailable } from "../../faults.ts";
import type { JsonObject } from "../../fields.ts";
import { errorIn } from "../../status-in-body.ts";

/** The failure that stands where a chunk or an answer should; undefined where there is none. */
export function faultOfFrame(body: JsonObject): Fault | undefined {
  return errorIn(body) && faultOfEvent(body);
}

/** The failure of a choice that ends with one, which some vendors name in the choice. */
export function faultOfChoice(choice: JsonObject): Fault {
  const ended = new Error(`the vendor finished with ${choice.finish_reason}`);
  return faultOfFrame(choice) ?? upstreamUnavailable(ended);
}
