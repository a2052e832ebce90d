import { asFault, Fault } from "../../lib/faults.ts";
import { newId } from "../../lib/ids.ts";
import { retryWrite } from "../../lib/retry.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Draft } from "../draft.ts";
import { findDraft } from "../kept-drafts.ts";
import type { KeyRow, Ticket } from "../tables/keys.ts";
import { keepFault, sameFault } from "./kept-fault.ts";
import { isSilent, LEASE_MS, POLL_MS, whileBeating, whileWaiting } from "./leases.ts";

const KEY_CHARS_MAX = 255;
/** So long a failure is written again where storage does not take it. */
const FAIL_RETRY_MS = 3_000;

export type Begun =
  | { readonly kind: "new"; readonly ticket: Ticket }
  | {
      readonly kind: "known";
      readonly draft: Draft;
      /** What was to be told beside it when it was made, as JSON. */
      readonly answer: string | null;
      /** The draft was made while this call waited for it. */
      readonly joined: boolean;
    };

/** Whose key it is: the caller's by now, or that of who came first, with what has come of it. */
type Claim =
  | { readonly kind: "new"; readonly ticket: Ticket }
  | { readonly kind: "made"; readonly row: KeyRow; readonly joined: boolean };

/** What is asked for under a key: `requestSum` tells whether it is the same. */
interface Claimed {
  readonly accountId: string;
  readonly key: string;
  readonly requestSum: string;
}

function usedOtherwise(): Fault {
  const message = "This Idempotency-Key was used with another body.";
  return new Fault("idempotency_conflict", message, { param: "Idempotency-Key" });
}

/**
 * Takes an `Idempotency-Key`: whoever gets a ticket creates the draft with it, while holding it.
 * A key that has its draft leads to it; push that one again, which sends nothing twice. Whoever has
 * waited for somebody else's ticket is thrown what that one has failed with.
 */
export async function beginDraft(
  deps: Dependencies,
  accountId: string,
  key: string,
  requestSum: string,
): Promise<Begun> {
  const claimed = await claim(deps, { accountId, key, requestSum });
  if (claimed.kind === "new") return claimed;
  const { draftId, answer } = claimed.row;
  if (draftId === null) throw usedOtherwise();
  const draft = await findDraft(deps, accountId, draftId);
  return { kind: "known", draft, answer, joined: claimed.joined };
}

/**
 * The same for work that is told by an answer: it is done once. The work itself keeps the answer, by `keepAnswer` or with
 * the draft that it makes, so that it can tell what it has made where that fails. The id of the draft is told beside it.
 */
export async function doOnce<T extends object>(
  deps: Dependencies,
  asked: Claimed,
  work: (ticket: Ticket) => Promise<T>,
): Promise<T> {
  const claimed = await claim(deps, asked);
  if (claimed.kind === "new") {
    const { ticket } = claimed;
    return holdKey(deps, ticket, () => work(ticket));
  }
  const { answer, draftId } = claimed.row;
  if (answer === null) throw usedOtherwise();
  const made = JSON.parse(answer) as T;
  return draftId === null ? made : { ...made, draft_id: draftId };
}

/** Keeps what was made under a key and is no draft, for a while. */
export async function keepAnswer(
  { store, sharedTime, limits }: Dependencies,
  ticket: Ticket,
  made: object,
): Promise<void> {
  const untilMs = (await sharedTime()) + limits.idempotency_keep_ms;
  await store.keys.answer(ticket, JSON.stringify(made), untilMs);
}

/** What is kept under keys for a while is forgotten when that is over. Now and then. */
export async function forgetOldKeys({ store, sharedTime }: Dependencies): Promise<void> {
  await store.keys.forgetOld(await sharedTime());
}

/** Who makes the one draft, or the one answer, of an `Idempotency-Key`, over all processes. */
function claim(deps: Dependencies, asked: Claimed): Promise<Claim> {
  return whileWaiting(deps.waiting, (waits) => claimBehind(deps, asked, waits));
}

async function claimBehind(
  { store, steady, sharedTime, sleep, limits }: Dependencies,
  { accountId, key, requestSum }: Claimed,
  waits: () => void,
): Promise<Claim> {
  if (key === "" || key.length > KEY_CHARS_MAX) {
    const message = `An Idempotency-Key has 1 to ${KEY_CHARS_MAX} characters.`;
    throw new Fault("invalid_value", message, { param: "Idempotency-Key" });
  }
  const giveUpAtMs = steady() + limits.draft_busy_wait_ms;
  const ticket = { accountId, key, owner: newId("own_") };
  let waitedFor: string | undefined;
  for (;;) {
    // The machines' own clocks may differ by more than a lease.
    const nowMs = await sharedTime();
    const found = await store.keys.take(ticket, requestSum, nowMs + LEASE_MS, nowMs, waitedFor);
    if (found === "taken") return { kind: "new", ticket };
    if (found.requestSum !== requestSum) throw usedOtherwise();
    if (found.failure) throw sameFault(found.failure);
    if (found.draftId !== null || found.answer !== null) {
      return { kind: "made", row: found, joined: waitedFor !== undefined };
    }
    // Who has fallen silent is waited for until it counts as dead; then the key is free.
    const mayDie = isSilent(found.leaseUntilMs - LEASE_MS, nowMs);
    if (steady() >= giveUpAtMs && !mayDie) {
      const message = "The first request with this Idempotency-Key is still running.";
      throw new Fault("push_busy", message, { headers: { "retry-after": "5" } });
    }
    waitedFor = found.owner;
    waits();
    await sleep(POLL_MS);
  }
}

/**
 * Holds the key while `work` makes what it is for. Where it fails the key is free for the next call, and
 * those who wait for this one fail with it: what they ask for was tried, and may have been paid.
 */
export async function holdKey<T>(
  { store: { keys }, steady, sharedTime, every }: Dependencies,
  ticket: Ticket,
  work: () => Promise<T>,
): Promise<T> {
  const renew = async () => keys.renew(ticket, (await sharedTime()) + LEASE_MS);
  try {
    return await whileBeating(every, renew, work);
  } catch (thrown) {
    // What was a moment's outage of storage is not to keep them from hearing of it.
    const fail = async () => keys.fail(ticket, keepFault(asFault(thrown)), await sharedTime());
    await retryWrite(fail, steady, steady() + FAIL_RETRY_MS).catch(() => {});
    throw thrown;
  }
}
