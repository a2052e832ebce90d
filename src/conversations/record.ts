/** A stored response: its own items and a pointer to the one it continues, never the whole history. */
export interface ResponseRecord {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly parentId: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** Names of the items inside `body`, so that a reference to one can be resolved. */
  readonly itemIds: readonly string[];
  /** Compressed; only `conversations/` looks inside. */
  readonly body: Uint8Array;
}

/** Whose records may be seen: an account's, or only one key's of it. */
export interface Reader {
  readonly accountId: string;
  readonly keyId?: string | undefined;
}

/** Where bodies are kept. */
export type BodyTable = "responses" | "kept_answers";

/** A body by the name of its row, the pieces of its key, and whose it is. */
export interface KeptBody {
  readonly name: readonly string[];
  readonly accountId: string;
  readonly body: Uint8Array;
}
