import type { Call } from "../../accounts/guards.ts";
import { newId } from "../../lib/ids.ts";

/** The same key for the same account gives the same id, so that a repeated call moves money once. */
export function entryId(prefix: "crd_" | "deb_" | "ref_", { incoming }: Call): string {
  const key = incoming.request.headers.get("idempotency-key");
  if (!key) return newId(prefix);
  const text = JSON.stringify([incoming.params.account ?? "", key]);
  const hasher = new Bun.CryptoHasher("sha256").update(text);
  return `${prefix}${hasher.digest("hex").slice(0, 40)}`;
}
