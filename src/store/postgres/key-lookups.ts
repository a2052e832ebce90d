import type { PresentedKey } from "../../accounts/account.ts";
import { StorageError } from "../../lib/faults.ts";
import { Patience } from "../../lib/threads/patience.ts";
import { PRESENTED_COLUMNS, type PresentedKeyRow, readPresentedKey } from "../keys/key-rows.ts";
import { GroupCommit } from "../money/group-commit.ts";
import type { Run } from "./connections.ts";
import { jsonParam } from "./loaded-rows.ts";

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

/** Whoever asks has an end of his own. */
const WITHOUT_END = {
  ms: Number.POSITIVE_INFINITY,
  over: () => new StorageError("a key could not be looked up"),
};

/** What to do about a lookup that is not answered for long. */
interface Silence {
  readonly ms: number;
  /** Gives up its connection for another one, where it is asked again. */
  giveUp(): void;
}

/**
 * Looks keys up by their hash. Whoever asks while a statement is on its way shares the next one, which is
 * sent after the question: so under load many requests pay for one statement, and each sees its key as
 * the database has it, whichever process has changed it. So all wait for one connection, and a network may swallow
 * what is sent on it without a word. Where the next one is as silent the connection is not at fault, and is kept.
 */
export class KeyLookups {
  readonly #queue: GroupCommit<string, PresentedKey | undefined>;
  #hasAnswered = true;

  constructor(read: Run, { ms, giveUp }: Silence) {
    const patience = new Patience(ms, () => {
      if (this.#hasAnswered) giveUp();
      this.#hasAnswered = false;
    });
    this.#queue = new GroupCommit(async (hashes) => {
      const answer = read<FoundRow>(FIND_KEYS_SQL, [jsonParam([...new Set(hashes)])]);
      const rows = await patience.wait(answer, WITHOUT_END);
      this.#hasAnswered = true;
      const found = new Map(rows.map((row) => [row.presented, readPresentedKey(row)]));
      return hashes.map((hash) => found.get(hash));
    });
  }

  find(hash: string): Promise<PresentedKey | undefined> {
    return this.#queue.submit(hash);
  }
}
