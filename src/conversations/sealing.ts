import { type ByteSeal, isSealed } from "../lib/byte-seal.ts";
import type { ResponseRecord } from "./record.ts";
import type { ConversationStore, KeptAnswerStore } from "./store.ts";

/** What the key of stored answers is made for, of the installation's secret. */
export const STORED_ANSWERS = "stored answers";

/** What was kept before bodies were sealed is read as it is. Undefined where the secret is another. */
function opened(seal: ByteSeal, body: Uint8Array): Uint8Array | undefined {
  return isSealed(body) ? seal.open(body) : body;
}

function openedRecord(
  seal: ByteSeal,
  record: ResponseRecord | undefined,
): ResponseRecord | undefined {
  const body = record && opened(seal, record.body);
  return record && body && { ...record, body };
}

/**
 * A store whose bodies are sealed, so that a copy of the database without the secret tells nobody what
 * was asked. A record that cannot be opened is one that is not there.
 */
export function sealedConversations(store: ConversationStore, seal: ByteSeal): ConversationStore {
  return {
    save: (record, bytesMax) => store.save({ ...record, body: seal.seal(record.body) }, bytesMax),
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
    keepAnswer: (claimant, answer) =>
      store.keepAnswer(claimant, { ...answer, body: answer.body && seal.seal(answer.body) }),
    async findAnswer(...args) {
      const body = await store.findAnswer(...args);
      return body && opened(seal, body);
    },
    freeClaim: (...args) => store.freeClaim(...args),
    sweepAnswers: (...args) => store.sweepAnswers(...args),
  };
}
