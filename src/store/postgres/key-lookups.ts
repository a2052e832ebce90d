import type { PresentedKey } from "../../accounts/account.ts";
import { PRESENTED_COLUMNS, type PresentedKeyRow, readPresentedKey } from "../keys/key-rows.ts";
import { GroupCommit } from "../money/group-commit.ts";
import { jsonParam } from "./batches/batch-rows.ts";
import type { Run } from "./connections.ts";
import { Listener, type Silence } from "./pooling/silence.ts";

const HASHES = "any (array(select json_array_elements_text(($1::text)::json)))";

/** Keys by the hashes of what was presented, be it of before, with the state of their accounts. */
const FIND_KEYS_SQL = `
  select k.hash as presented, ${PRESENTED_COLUMNS}, null as secret_ends_at
  from keys k join accounts a on a.id = k.account_id
  where k.hash = ${HASHES}
  union all
  select f.hash as presented, ${PRESENTED_COLUMNS}, f.ends_at as secret_ends_at
  from former_secrets f join keys k on k.id = f.key_id join accounts a on a.id = k.account_id
  where f.hash = ${HASHES}`;

type FoundRow = PresentedKeyRow & { readonly presented: string };

/**
 * Looks keys up by their hash. Whoever asks while a statement is on its way shares the next one, which is
 * sent after the question: so under load many requests pay for one statement, and each sees its key as
 * the database has it, whichever process has changed it. So all wait for one connection, which may be silent.
 */
export class KeyLookups {
  readonly #queue: GroupCommit<string, PresentedKey | undefined>;

  constructor(read: Run, silence: Silence) {
    const listener = new Listener(silence);
    this.#queue = new GroupCommit(async (hashes) => {
      const params = [jsonParam([...new Set(hashes)])];
      const rows = await listener.hear(read<FoundRow>(FIND_KEYS_SQL, params));
      const found = new Map(rows.map((row) => [row.presented, readPresentedKey(row)]));
      return hashes.map((hash) => found.get(hash));
    });
  }

  find(hash: string): Promise<PresentedKey | undefined> {
    return this.#queue.submit(hash);
  }
}
