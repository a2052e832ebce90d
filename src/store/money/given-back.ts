// A charge that came too late is given back by a credit that names its request and key. Its key has used so much less
// in every budget in whose window it was charged: their base rises by it, as if the key had used it before.

/** When a request was charged: by its end, or where its hold had been voided before, by the correction of that. */
export function chargedAt(requestId: string): string {
  return `coalesce(
    (select created_at from entries where hold_id = ${requestId} and kind = 'correction'),
    (select created_at from entries where hold_id = ${requestId} and kind in ('post', 'void')))`;
}

/** `$1`: the amount; `$2`: the key; `$3`: the request. A window that it does not lie in did not count it, and stays. */
export const GIVE_BACK_SQL = `update budgets set base = base + $1
  where key_id = $2 and window_start <= ${chargedAt("$3")}
    and (resets_at is null or resets_at > ${chargedAt("$3")})`;

/** What was given back to a key. Few entries of an account are no ends of requests, so those are looked through. */
export function givenBackEntries(keyId: string): string {
  return `from entries g
  where g.account_id = (select account_id from keys where id = ${keyId})
    and g.kind <> 'post' and g.kind <> 'void' and g.kind = 'restore' and g.key_id = ${keyId}`;
}

/** Of a key `$1`, in all. */
export const GIVEN_BACK_SQL = `select cast(coalesce(sum(g.amount), 0) as text) as amount ${givenBackEntries("$1")}`;
