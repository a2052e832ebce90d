import type { PresentedKey } from "../../accounts/account.ts";
import { steadyClock, systemClock } from "../../lib/clock.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import { PRESENTED_COLUMNS, type PresentedKeyRow, readPresentedKey } from "../keys/key-rows.ts";
import { GroupCommit } from "../money/group-commit.ts";
import { DAY_MS } from "../reads/channel-days.ts";
import { inputLossSql } from "../reads/input-losses.ts";
import { jsonParam } from "./batches/batch-rows.ts";
import type { Run } from "./connections.ts";
import { Listener, type ReplyTimeout } from "./pooling/reply-timeout.ts";

const HASHES = "any (array(select json_array_elements_text(($1::text)::json)))";

const COLUMNS = `${PRESENTED_COLUMNS}, ${inputLossSql("a.id", "$2")} as input_loss`;

/** Keys by the hashes of what was presented, be it of before, with the state of their accounts on a day. */
const FIND_KEYS_SQL = `
  select k.hash as presented, ${COLUMNS}, null as secret_ends_at
  from keys k join accounts a on a.id = k.account_id
  where k.hash = ${HASHES}
  union all
  select f.hash as presented, ${COLUMNS}, f.ends_at as secret_ends_at
  from former_secrets f join keys k on k.id = f.key_id join accounts a on a.id = k.account_id
  where f.hash = ${HASHES}`;

type FoundRow = PresentedKeyRow & {
  readonly presented: string;
  readonly input_loss: string | null;
};

/** So long a key is taken as it was found. Whoever changes one waits for as long before anybody is told that it is changed. */
const KEPT_MS = 50;
/** As long, and a little more: clocks do not run alike, and a timer may come early. */
const SEEN_BY_ALL_MS = KEPT_MS + 10;
/** With more of them all are forgotten, and looked up again. */
const KEPT_MAX = 10_000;

/** A key as it was found by a statement that was sent then, by the clock that is never set and by the one that never stops. */
interface KeptKey {
  readonly key: PresentedKey;
  readonly steadyMs: number;
  readonly systemMs: number;
}

function isCurrent({ steadyMs, systemMs }: KeptKey): boolean {
  return steadyClock() - steadyMs < KEPT_MS && systemClock() - systemMs < KEPT_MS;
}

/** Resolves when no process takes a key or an account any more as it was before a change that is committed. */
export function seenByAll(): Promise<void> {
  return Bun.sleep(SEEN_BY_ALL_MS);
}

/**
 * Looks keys up by their hash. Whoever asks while a statement is on its way shares the next one, which is
 * sent after the question: so under load many requests pay for one statement. A key that was found is kept for a moment,
 * and whoever changes it, in whichever process, waits until that is over (`seenByAll`): so each request that comes when a
 * change has been acknowledged sees it. All wait for one connection, which may be silent.
 */
export class KeyLookups {
  readonly #queue: GroupCommit<string, PresentedKey | undefined>;
  readonly #kept = new Map<string, KeptKey>();

  constructor(read: Run, replyTimeout: ReplyTimeout) {
    const listener = new Listener(replyTimeout);
    this.#queue = new GroupCommit(async (hashes) => {
      const [steadyMs, systemMs] = [steadyClock(), systemClock()];
      const day = Math.floor(systemMs / DAY_MS);
      const params = [jsonParam([...new Set(hashes)]), day];
      const rows = await listener.hear(read<FoundRow>(FIND_KEYS_SQL, params));
      const found = new Map<string, PresentedKey>();
      for (const row of rows) {
        const inputLoss = { day, amount: BigInt(row.input_loss ?? 0) };
        found.set(row.presented, readPresentedKey(row, inputLoss));
      }
      for (const [hash, key] of found) this.#keep(hash, { key, steadyMs, systemMs });
      return hashes.map((hash) => found.get(hash));
    });
  }

  find(hash: string): MaybePromise<PresentedKey | undefined> {
    const kept = this.#kept.get(hash);
    if (!kept) return this.#queue.submit(hash).promise();
    if (isCurrent(kept)) return kept.key;
    this.#kept.delete(hash);
    return this.#queue.submit(hash).promise();
  }

  #keep(hash: string, kept: KeptKey): void {
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear();
    this.#kept.set(hash, kept);
  }
}
