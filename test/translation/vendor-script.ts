import type { JsonObject } from "../support/samples/wires.ts";
import type { Play } from "./scenes.ts";

/** The bytes of one wire's vendors for whatever is played. */
export interface VendorScript {
  whole(play: Play): JsonObject;
  /** The events of a stream, blank lines included. */
  events(play: Play): string[];
  /** A stream that turns into a failure behind its text. */
  cutEvents(play: Play): string[];
  /** The body of a refusal that is the request's own fault. */
  readonly rejection: JsonObject;
  /** The body of a failure of the vendor's. */
  readonly outage: JsonObject;
}
