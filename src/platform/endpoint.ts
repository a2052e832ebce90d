import type { Operation } from "../lib/contract.ts";
import type { PublicAccount } from "./account.ts";
import type { JsonObject, JsonValue } from "./protocol/json.ts";
import type { QuotaName } from "./quotas.ts";

/** The answer to a change that has nothing to show. */
export const OK: JsonObject = { errcode: 0, errmsg: "ok" };

export interface BinaryAnswer {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

export type PlatformAnswer = JsonObject | BinaryAnswer;

/** One call of the platform's wire, after its token has been found good. */
export interface PlatformCall {
  readonly account: PublicAccount;
  readonly query: URLSearchParams;
  /** Whole, and within the bound. */
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly nowMs: number;
  /** Where this platform is reached, such as `http://127.0.0.1:8080/platform`. */
  readonly origin: string;
  /** The body by the rules of the profile; refused with 44002 or 47001. */
  json(): JsonValue;
}

export interface Endpoint {
  /** By GET or POST; its path is below the platform's address, such as `/cgi-bin/draft/add`. */
  readonly operation: Operation;
  /** What a call counts against, by account and day. */
  readonly quota: QuotaName | undefined;
  /** One of these permission sets suffices for a third-party token; none means never. */
  readonly sets: readonly number[];
  /** The code for a body beyond the bound; 45002 unless another is said. */
  readonly tooLarge?: number;
  answer(call: PlatformCall): Promise<PlatformAnswer>;
}

/** Makes endpoints that answer with these services and have the same permission sets. */
export function endpointsWith<Services>(services: Services, sets: readonly number[]) {
  return (
    operation: Operation,
    answer: (services: Services, call: PlatformCall) => Promise<PlatformAnswer>,
    quota?: QuotaName,
  ): Endpoint => ({ operation, quota, sets, answer: (call) => answer(services, call) });
}
