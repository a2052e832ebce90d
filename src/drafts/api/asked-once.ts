import { createHash } from "node:crypto";
import type { Incoming } from "../../lib/route.ts";
import type { DraftService } from "../draft-service.ts";
import type { Ticket } from "../tables/keys.ts";
import type { AskModel } from "../writing/model-answer.ts";

/** What an `Idempotency-Key` stands for: the same form, sent for the same purpose. */
export function requestSum(form: unknown, purpose = ""): string {
  return createHash("sha256").update(purpose).update(JSON.stringify(form)).digest("hex");
}

export function idempotencyKey({ request }: Incoming): string | undefined {
  return request.headers.get("idempotency-key") ?? undefined;
}

/**
 * Asks models for what is made with a ticket. Who takes it over from one that died gets what was answered by
 * then: the gate is asked the same under the same key of its own, and is paid once.
 */
export function askWithTicket(
  box: DraftService,
  ticket: Ticket | undefined,
  ask: AskModel,
): AskModel {
  if (!ticket) return ask;
  return async (body) => ask(body, `draft-${requestSum(body, await box.begunBy(ticket))}`);
}

interface Asked {
  readonly accountId: string;
  readonly purpose: string;
  readonly form: unknown;
  /** Without one, whoever asks twice gets two answers, and pays both. */
  readonly key: string | undefined;
  readonly ask: AskModel;
}

/** Work that makes no draft: it is done for the first who comes with the key, and told to all. */
export function askedOnce<T>(
  box: DraftService,
  { accountId, purpose, form, key, ask }: Asked,
  work: (ask: AskModel) => Promise<T>,
): Promise<T> {
  if (key === undefined) return work(ask);
  const asked = { accountId, key, requestSum: requestSum(form, purpose) };
  return box.once(asked, (ticket) => work(askWithTicket(box, ticket, ask)));
}
