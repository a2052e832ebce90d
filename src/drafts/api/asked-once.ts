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
  draftService: DraftService,
  ticket: Ticket | undefined,
  ask: AskModel,
): AskModel {
  if (!ticket) return ask;
  return async (body) => ask(body, `draft-${requestSum(body, await draftService.begunBy(ticket))}`);
}

interface Asked {
  readonly accountId: string;
  readonly purpose: string;
  readonly form: unknown;
  /** Without one, whoever asks twice gets two answers, and pays both. */
  readonly key: string | undefined;
  readonly ask: AskModel;
}

/** What work has that is done once. */
export interface Once {
  readonly ask: AskModel;
  /** For the draft that is made with it, which keeps the answer then. */
  readonly ticket: Ticket | undefined;
  /** Keeps the answer of what makes no draft, and gives it back. What the caller has sent has no place in it. */
  keep<Made extends object>(made: Made): Promise<Made>;
}

/** Work that is done for the first who comes with the key, and told to all. */
export function askedOnce<T extends object>(
  draftService: DraftService,
  { accountId, purpose, form, key, ask }: Asked,
  work: (once: Once) => Promise<T>,
): Promise<T> {
  if (key === undefined) return work({ ask, ticket: undefined, keep: async (made) => made });
  const asked = { accountId, key, requestSum: requestSum(form, purpose) };
  return draftService.once(asked, (ticket) => {
    const keep = async <Made extends object>(made: Made) => {
      await draftService.keepAnswer(ticket, made);
      return made;
    };
    return work({ ask: askWithTicket(draftService, ticket, ask), ticket, keep });
  });
}
