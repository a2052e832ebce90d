import type { ClaimState } from "../../conversations/claim.ts";
import type { KeptAnswerStore } from "../../conversations/store.ts";
import { StorageError } from "../../lib/faults.ts";
import { type Connections, NOW_MS_SQL } from "./connections.ts";

interface ClaimRow {
  readonly request_id: string;
  readonly fingerprint: string;
  readonly state: ClaimState;
  readonly alive: boolean;
}

/** A value may be let go of between two statements; nobody is that unlucky so often. */
const CLAIM_TRIES = 16;

const CLAIM_SQL = `
  insert into kept_answers (key_id, value, account_id, request_id, fingerprint, owner, state,
    created_at, expires_at, bytes, body)
  values ($1, $2, $3, $4, $5, $6, 'running', $7, $8, 0, null)
  on conflict (key_id, value) do update set account_id = excluded.account_id,
    request_id = excluded.request_id, fingerprint = excluded.fingerprint, owner = excluded.owner,
    state = excluded.state, created_at = excluded.created_at, expires_at = excluded.expires_at,
    bytes = 0, body = null
    where kept_answers.expires_at <= excluded.created_at`;

/**
 * Judged by the clock of the database. Who is taken for dead but still holds money may yet be settled,
 * until recovery has voided that hold.
 */
const FIND_CLAIM_SQL = `
  select a.request_id, a.fingerprint, a.state, (
    a.owner = $3
    or exists (select 1 from owners o where o.id = a.owner and o.lease_until > ${NOW_MS_SQL})
    or exists (select 1 from holds h where h.id = a.request_id)
  ) as alive
  from kept_answers a where a.key_id = $1 and a.value = $2`;

const KEEP_SQL = `
  update kept_answers set state = $4, created_at = $5, expires_at = $6, bytes = $7, body = $8
  where key_id = $1 and value = $2 and request_id = $3`;

/** Gives up the oldest until what is left of the account is at most `$2` bytes. */
const MAKE_ROOM_SQL = `
  update kept_answers set state = 'not_kept', bytes = 0, body = null where request_id in (
    select request_id from (
      select request_id, sum(bytes) over (order by created_at desc, request_id desc) as newer
      from kept_answers where account_id = $1 and bytes > 0
    ) counted where newer > $2::bigint
  ) and account_id = $1 and bytes > 0`;

/** Values of `Idempotency-Key` and the answers under them: plain statements, apart from money's. */
export function keptAnswersIn(
  { run, read }: Pick<Connections, "run" | "read">,
  owner: string,
): KeptAnswerStore {
  const findClaim: KeptAnswerStore["findClaim"] = async ({ keyId, value }) => {
    const [row] = await read<ClaimRow>(FIND_CLAIM_SQL, [keyId, value, owner]);
    if (!row) return undefined;
    const { request_id: requestId, fingerprint, state, alive } = row;
    return { requestId, fingerprint, state, alive };
  };

  const makeRoom = async (accountId: string, bytesLeft: number) => {
    const sum = `select coalesce(sum(bytes), 0)::bigint as kept from kept_answers
      where account_id = $1 and bytes > 0`;
    const [row] = await read<{ kept: bigint }>(sum, [accountId]);
    if (Number(row?.kept) > bytesLeft) await run(MAKE_ROOM_SQL, [accountId, bytesLeft]);
  };

  return {
    findClaim,

    async claim(claimant, { nowMs, expiresAtMs }) {
      const { keyId, value, accountId, requestId, fingerprint } = claimant;
      const request = [keyId, value, accountId, requestId, fingerprint];
      for (let tries = 0; tries < CLAIM_TRIES; tries++) {
        await run(CLAIM_SQL, [...request, owner, nowMs, expiresAtMs]);
        const claim = await findClaim(claimant);
        if (claim) return claim;
      }
      throw new StorageError("the claim on an Idempotency-Key could not be read back");
    },

    async keepAnswer({ keyId, value, accountId, requestId }, answer) {
      const { body, nowMs, expiresAtMs, accountBytesMax } = answer;
      const bytes = body?.byteLength ?? 0;
      if (bytes > 0) await makeRoom(accountId, accountBytesMax - bytes);
      const state = body ? "kept" : "not_kept";
      const params = [keyId, value, requestId, state, nowMs, expiresAtMs, bytes, body];
      return (await run(KEEP_SQL, params)).count > 0;
    },

    async findAnswer({ keyId, value }, requestId) {
      const text =
        "select body from kept_answers where key_id = $1 and value = $2 and request_id = $3";
      const [row] = await read<{ body: Uint8Array | null }>(text, [keyId, value, requestId]);
      return row?.body ?? undefined;
    },

    async freeClaim({ keyId, value }, requestId, state) {
      const text = `delete from kept_answers
        where key_id = $1 and value = $2 and request_id = $3 and state = $4`;
      await run(text, [keyId, value, requestId, state]);
    },

    async sweepAnswers(nowMs) {
      return (await run("delete from kept_answers where expires_at <= $1", [nowMs])).count;
    },
  };
}
