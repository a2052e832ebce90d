import type { Claim, Claimant, ClaimName, ClaimState } from "../../conversations/claim.ts";
import type { ClaimSpan, KeptAnswerStore, PackedAnswer } from "../../conversations/store.ts";
import { StorageError } from "../../lib/faults.ts";
import { type Connections, NOW_MS_SQL, type Run } from "./connections.ts";

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
export class KeptAnswersTable implements KeptAnswerStore {
  readonly #run: Run;
  readonly #read: Run;
  readonly #owner: string;

  constructor({ run, read }: Pick<Connections, "run" | "read">, owner: string) {
    this.#run = run;
    this.#read = read;
    this.#owner = owner;
  }

  async claim(claimant: Claimant, { nowMs, expiresAtMs }: ClaimSpan): Promise<Claim> {
    const { keyId, value, accountId, requestId, fingerprint } = claimant;
    const wish = [keyId, value, accountId, requestId, fingerprint];
    for (let tries = 0; tries < CLAIM_TRIES; tries++) {
      await this.#run(CLAIM_SQL, [...wish, this.#owner, nowMs, expiresAtMs]);
      const claim = await this.findClaim(claimant);
      if (claim) return claim;
    }
    throw new StorageError("the claim on an Idempotency-Key could not be read back");
  }

  async findClaim({ keyId, value }: ClaimName): Promise<Claim | undefined> {
    const [row] = await this.#read<ClaimRow>(FIND_CLAIM_SQL, [keyId, value, this.#owner]);
    if (!row) return undefined;
    const { request_id: requestId, fingerprint, state, alive } = row;
    return { requestId, fingerprint, state, alive };
  }

  async keepAnswer(
    { keyId, value, accountId, requestId }: Claimant,
    { body, nowMs, expiresAtMs, accountBytesMax }: PackedAnswer,
  ): Promise<boolean> {
    const bytes = body?.byteLength ?? 0;
    if (bytes > 0) await this.#makeRoom(accountId, accountBytesMax - bytes);
    const state = body ? "kept" : "not_kept";
    const params = [keyId, value, requestId, state, nowMs, expiresAtMs, bytes, body];
    return (await this.#run(KEEP_SQL, params)).count > 0;
  }

  async #makeRoom(accountId: string, bytesLeft: number): Promise<void> {
    const sum = `select coalesce(sum(bytes), 0)::bigint as kept from kept_answers
      where account_id = $1 and bytes > 0`;
    const [row] = await this.#read<{ kept: bigint }>(sum, [accountId]);
    if (Number(row?.kept) > bytesLeft) await this.#run(MAKE_ROOM_SQL, [accountId, bytesLeft]);
  }

  async findAnswer(
    { keyId, value }: ClaimName,
    requestId: string,
  ): Promise<Uint8Array | undefined> {
    const text =
      "select body from kept_answers where key_id = $1 and value = $2 and request_id = $3";
    const [row] = await this.#read<{ body: Uint8Array | null }>(text, [keyId, value, requestId]);
    return row?.body ?? undefined;
  }

  async freeClaim(
    { keyId, value }: ClaimName,
    requestId: string,
    state: ClaimState,
  ): Promise<void> {
    const text = `delete from kept_answers
      where key_id = $1 and value = $2 and request_id = $3 and state = $4`;
    await this.#run(text, [keyId, value, requestId, state]);
  }

  async sweepAnswers(nowMs: number): Promise<number> {
    return (await this.#run("delete from kept_answers where expires_at <= $1", [nowMs])).count;
  }
}
