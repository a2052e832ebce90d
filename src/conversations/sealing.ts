import { type ByteSeal, isSealed } from "../lib/secrets/byte-seal.ts";
import type { AnswerName } from "./claim.ts";
import type { BodyTable, KeptBody, ResponseRecord } from "./record.ts";
import type { ConversationStore, KeptAnswerStore } from "./store.ts";

/** What the key of stored answers is made for, of the installation's secret. */
export const STORED_ANSWERS = "stored answers";

/** The row of a body and whose it is, as no other row is written. */
export function placeOf(table: BodyTable, { name, accountId }: Omit<KeptBody, "body">): string {
  return JSON.stringify([table, ...name, accountId]);
}

function placeOfResponse({ id, accountId }: ResponseRecord): string {
  return placeOf("responses", { name: [id], accountId });
}

function placeOfAnswer({ keyId, value, accountId }: AnswerName): string {
  return placeOf("kept_answers", { name: [keyId, value], accountId });
}

/** What was kept before bodies were sealed is read as it is. Undefined where the seal does not open. */
function opened(seal: ByteSeal, body: Uint8Array, place: string): Uint8Array | undefined {
  return isSealed(body) ? seal.open(body, place) : body;
}

function openedRecord(
  seal: ByteSeal,
  record: ResponseRecord | undefined,
): ResponseRecord | undefined {
  const body = record && opened(seal, record.body, placeOfResponse(record));
  return record && body && { ...record, body };
}

/**
 * A store whose bodies are sealed, so that a copy of the database without the secret tells nobody what
 * was asked, and whoever writes to it cannot have another's shown to them. A record that cannot be opened is one that is not there.
 */
export function sealedConversations(store: ConversationStore, seal: ByteSeal): ConversationStore {
  return {
    save(record, bytesMax, timeBudget) {
      const body = seal.seal(record.body, placeOfResponse(record));
      return store.save({ ...record, body }, bytesMax, timeBudget);
    },
    find: async (...args) => openedRecord(seal, await store.find(...args)),
    async chain(...args) {
      const records = (await store.chain(...args)).map((record) => openedRecord(seal, record));
      const broken = records.lastIndexOf(undefined);
      return records.slice(broken + 1).filter((record) => record !== undefined);
    },
    findByItem: async (...args) => openedRecord(seal, await store.findByItem(...args)),
    remove: (...args) => store.remove(...args),
    sweep: (...args) => store.sweep(...args),
  };
}

/** The same for answers under an `Idempotency-Key`. */
export function sealedAnswers(store: KeptAnswerStore, seal: ByteSeal): KeptAnswerStore {
  return {
    claim: (...args) => store.claim(...args),
    findClaim: (...args) => store.findClaim(...args),
    keepAnswer(claimant, answer, timeBudget) {
      const body = answer.body && seal.seal(answer.body, placeOfAnswer(claimant));
      return store.keepAnswer(claimant, { ...answer, body }, timeBudget);
    },
    async findAnswer(name, requestId, timeBudget) {
      const body = await store.findAnswer(name, requestId, timeBudget);
      return body && opened(seal, body, placeOfAnswer(name));
    },
    freeClaim: (...args) => store.freeClaim(...args),
    sweepAnswers: (...args) => store.sweepAnswers(...args),
  };
}
