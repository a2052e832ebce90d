import type { Operation } from "../lib/contract.ts";
import type { JsonObject, JsonValue } from "./protocol/json.ts";

/** A call that brings no token of an account. */
export interface OpenCall {
  readonly query: URLSearchParams;
  readonly nowMs: number;
  /** Who calls, as an address list sees it. */
  readonly address: string;
  /** Whether there is a body at all. */
  readonly hasBody: boolean;
  json(): JsonValue;
  /** The account that the call turned out to be about, for the log. */
  concerns(appid: string): void;
}

/** An endpoint in front of the tokens, such as the one that gives them out. */
export interface OpenEndpoint {
  readonly operation: Operation;
  readonly open: true;
  answer(call: OpenCall): Promise<JsonObject>;
}
