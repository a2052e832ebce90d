import type { Claimant } from "../../conversations/claim.ts";
import { Fault } from "../../lib/faults.ts";
import type { Incoming } from "../../lib/route.ts";
import { isArrayStream } from "../../protocols/gemini/path.ts";
import { passedBetas } from "../../protocols/messages/request/betas.ts";
import type { Caller } from "../admitted-request.ts";

export const IDEMPOTENCY_KEY = "Idempotency-Key";

const VALUE_BYTES_MAX = 255;

/** The value of the header. Anything that could be read in two ways is refused. */
function readValue(value: string): string {
  const wrong =
    value === ""
      ? "it is empty"
      : !/^[\x20-\x7e]*$/.test(value)
        ? "it has characters other than printable ASCII"
        : value.length > VALUE_BYTES_MAX
          ? `it has ${value.length} bytes`
          : undefined;
  if (wrong === undefined) return value;
  throw new Fault(
    "invalid_value",
    `The header ${IDEMPOTENCY_KEY} is not valid: ${wrong}. ` +
      `Send 1 to ${VALUE_BYTES_MAX} printable ASCII characters, such as a UUID, or leave it out.`,
    { param: IDEMPOTENCY_KEY },
  );
}

/**
 * What is asked, in short: the path, the body, and those headers that a vendor gets to see. Two requests
 * with the same fingerprint ask for the same.
 */
function fingerprintOf({ url, request }: Incoming, text: string): string {
  // The form of a stream stands in the query, which is no part of the path; nothing else of it counts.
  const form = isArrayStream(url) ? "\narray" : "";
  const betas = passedBetas(request.headers.get("anthropic-beta")) ?? "";
  const fault = request.headers.get("x-sandbox-fault") ?? "";
  return new Bun.CryptoHasher("sha256")
    .update(`${url.pathname}${form}\n${betas}\n${fault}\n`)
    .update(text)
    .digest("hex");
}

/** A request that names a value of the header, with the text of its body. Throws where it may not. */
export function claimantOf(
  { requestId, key }: Caller,
  incoming: Incoming,
  value: string,
  text: string,
): Claimant {
  return {
    keyId: key.id,
    accountId: key.accountId,
    requestId,
    value: readValue(value),
    fingerprint: fingerprintOf(incoming, text),
  };
}
