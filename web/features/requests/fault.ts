import type { Receipt } from "../../../src/console/contract/receipt.ts";
import type { Search } from "../../lib/filters.ts";
import { rateScope } from "./refusal.ts";

/** Who reads the receipt. */
interface Reader {
  readonly operator: boolean;
  readonly may: (least: "member" | "owner") => boolean;
}

/** Where a button leads that mends what went wrong. */
export interface WayOut {
  readonly kind: "top_up" | "raise" | "raise_rate" | "allow_model" | "see_channels";
  readonly to: string;
  readonly search?: Search;
}

/** Whom to ask, where the reader may not mend it. */
export type Asking = "ask_owner" | "ask_member" | "ask_operator";

type Faulty = Pick<Receipt, "blame" | "error_code" | "key_id" | "channel"> & {
  readonly refusal: Pick<NonNullable<Receipt["refusal"]>, "scope"> | null;
};

function keyWay(kind: WayOut["kind"], keyId: string): WayOut {
  return { kind, to: `/keys/${keyId}`, search: { dialog: "edit" } };
}

function limitWay(
  { refusal, error_code, key_id }: Faulty,
  { may }: Reader,
): WayOut | Asking | undefined {
  // It is as large as others leave it: nobody can raise it.
  if (refusal?.scope === "bytes_in_flight") return undefined;
  if (refusal?.scope === "balance") {
    if (!may("owner")) return "ask_owner";
    return { kind: "top_up", to: "/wallet", search: { dialog: "topup" } };
  }
  if (!may("member")) return "ask_member";
  const rate = refusal ? rateScope(refusal.scope) : error_code === "rate_limit_exceeded";
  return rate ? keyWay("raise_rate", key_id) : keyWay("raise", key_id);
}

/** What the reader of a receipt can do about it, beyond sending another request. */
export function wayOut(receipt: Faulty, reader: Reader): WayOut | Asking | undefined {
  const { blame, key_id, channel } = receipt;
  switch (blame) {
    case "limit":
      return limitWay(receipt, reader);
    case "key":
      return reader.may("member") ? keyWay("allow_model", key_id) : "ask_member";
    case "operator":
    case "vendor": {
      if (!reader.operator) return blame === "operator" ? "ask_operator" : undefined;
      const search: Search = channel ? { channel } : {};
      return { kind: "see_channels", to: "/operator/channels", search };
    }
    default:
      return undefined;
  }
}

/** Error codes of requests for which there is a sentence of their own. */
const TOLD = [
  "model_not_found",
  "context_length_exceeded",
  "unsupported_endpoint",
  "unsupported_parameter",
  "request_too_large",
  "invalid_json",
] as const;

export function toldCode(code: string | null): (typeof TOLD)[number] | undefined {
  return TOLD.find((told) => told === code);
}

/** What the vendor said last, where it may be read. */
export function vendorWords({ attempts }: Pick<Receipt, "attempts">): string | null {
  return attempts.findLast(({ code }) => code !== null)?.message ?? null;
}

/** A client that left knows why there is no answer, and so does one that got it. */
export function wentWrong({ blame, status }: Pick<Receipt, "blame" | "status">): boolean {
  return blame !== null && status !== 499;
}
