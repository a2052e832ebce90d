import { createHash } from "node:crypto";
import type { Incoming } from "../../lib/route.ts";
import type { DraftService } from "../draft-service.ts";

/** What an `Idempotency-Key` stands for: the same form, sent for the same purpose. */
export function requestSum(form: unknown, purpose = ""): string {
  return createHash("sha256").update(purpose).update(JSON.stringify(form)).digest("hex");
}

export function idempotencyKey({ request }: Incoming): string | undefined {
  return request.headers.get("idempotency-key") ?? undefined;
}

interface Asked {
  readonly accountId: string;
  readonly purpose: string;
  readonly form: unknown;
  /** Without one, whoever asks twice gets two answers, and pays both. */
  readonly key: string | undefined;
}

/** Work that makes no draft: it is done for the first who comes with the key, and told to all. */
export function askedOnce<T>(
  box: DraftService,
  { accountId, purpose, form, key }: Asked,
  work: () => Promise<T>,
): Promise<T> {
  if (key === undefined) return work();
  return box.once({ accountId, key, requestSum: requestSum(form, purpose) }, work);
}
