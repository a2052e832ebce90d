import type { Claimant } from "../../conversations/claim.ts";
import { Fault } from "../../lib/faults.ts";
import type { Incoming, Sent } from "../../lib/route.ts";
import { stepEnd } from "../../lib/text/chunked-text.ts";
import { yieldToLoop } from "../../lib/yield-to-loop.ts";
import { isArrayStream } from "../../protocols/gemini/path.ts";
import { passedBetas } from "../../protocols/messages/request/betas.ts";
import type { Caller } from "../admitted-request.ts";

export const IDEMPOTENCY_KEY = "Idempotency-Key";

const VALUE_BYTES_MAX = 255;
const STEP_CHARS = 1024 * 1024;

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
async function fingerprintOf({ url, request }: Incoming<Sent>, text: string): Promise<string> {
  // The form of a stream stands in the query, which is no part of the path; nothing else of it counts.
  const form = isArrayStream(url) ? "\narray" : "";
  const betas = passedBetas(request.headers.get("anthropic-beta")) ?? "";
  const fault = request.headers.get("x-sandbox-fault") ?? "";
  const hasher = new Bun.CryptoHasher("sha256");
  hasher.update(`${url.pathname}${form}\n${betas}\n${fault}\n`);
  for (let from = 0; from < text.length; ) {
    const to = stepEnd(text, from, STEP_CHARS);
    hasher.update(text.slice(from, to));
    from = to;
    // A large body must not hold up others.
    if (from < text.length) await yieldToLoop();
  }
  return hasher.digest("hex");
}

/** A request that names a value of the header, with the text of its body. Throws where it may not. */
export async function claimantOf(
  { requestId, key }: Caller,
  incoming: Incoming<Sent>,
  value: string,
  text: string,
): Promise<Claimant> {
  return {
    keyId: key.id,
    accountId: key.accountId,
    requestId,
    value: readValue(value),
    fingerprint: await fingerprintOf(incoming, text),
  };
}
