import type { KeySummary } from "../../accounts/account.ts";
import { OPEN_SECRETS_MAX, type PreparedSecret } from "../../accounts/accounts.ts";
import { type AuditEntry, newAuditId } from "../../accounts/audit.ts";
import { changesBetween } from "../../accounts/audit-changes.ts";
import type { AccountCall, AccountCallOf, Guards, Judged } from "../../accounts/guards.ts";
import { budgetToJson } from "../../accounts/keys/budget.ts";
import { steadyClock } from "../../lib/clock.ts";
import { Fault, type FaultName } from "../../lib/faults.ts";
import { newId } from "../../lib/ids.ts";
import { listBody } from "../../lib/listing.ts";
import { retryWrite } from "../../lib/retry.ts";
import type { Route } from "../../lib/route.ts";
import {
  CHANGE_KEY,
  CREATE_KEY,
  type CreatedKey,
  DELETE_KEY,
  END_SECRETS,
  type Key,
  LIST_KEYS,
  ROTATE_KEY,
  SHOW_KEY,
} from "../contract/keys.ts";
import type { ConsoleServices } from "../services.ts";
import { checkForm, type KeyFormContext, toChanges } from "./key-form.ts";
import { keyToJson } from "./key-json.ts";
import { keysBehind, matchingKeys, sortedKeys, withDeleted } from "./key-list.ts";

/** What of a key is its settings, and not what it was used for. */
function keySettings(key: KeySummary) {
  const { last_used_at, used_total, held, budgets, former_secrets, ...settings } = keyToJson(
    key,
    0,
  );
  const terms = budgets.map(({ amount, period, time_zone }) => ({ amount, period, time_zone }));
  return { ...settings, budgets: terms };
}

function noKey(): Fault {
  return new Fault("not_found", "There is no such key in this account.");
}

/** What a key has already may be said again, though the model is gone: or it could not be saved any more. */
function contextOf({ catalogue, clock }: ConsoleServices, before?: KeySummary): KeyFormContext {
  const modelExists = (id: string) =>
    catalogue.find(id) !== undefined || before?.models?.includes(id) === true;
  return { nowMs: clock(), modelExists };
}

/** The key that a path names, if it is of the account; another account's is not there. */
async function findKey({ store }: ConsoleServices, call: AccountCall): Promise<KeySummary> {
  const key = await store.findKey(call.accountId, call.incoming.params.id ?? "");
  if (!key) throw noKey();
  return key;
}

/** The same, if it can still be changed. Before a body, and again behind it: others may have changed it meanwhile. */
async function findLiveKey(services: ConsoleServices, call: AccountCall): Promise<KeySummary> {
  const key = await findKey(services, call);
  if (key.deletedAtMs === null) return key;
  throw new Fault("not_found", "This key was deleted. Create a new one.");
}

async function showKey(services: ConsoleServices, call: AccountCall): Promise<Key> {
  return keyToJson(await findKey(services, call), services.clock());
}

/** Those that the console itself calls with are not listed; usage and receipts lead to them. */
async function listedKeys({ store, personalKeys }: ConsoleServices, accountId: string) {
  const personal = await personalKeys.idsIn(accountId);
  return (await store.listKeys(accountId)).filter(({ id }) => !personal.has(id));
}

/** The last key of a page may be deleted before the next one is asked for, which goes on behind it all the same. */
async function listedWith(services: ConsoleServices, accountId: string, after: string) {
  const listed = await listedKeys(services, accountId);
  if (listed.some(({ id }) => id === after)) return listed;
  const deleted = await services.store.findKey(accountId, after);
  if (deleted) return withDeleted(listed, deleted);
  throw new Fault("invalid_value", "This is not the cursor of a page.", { param: "after" });
}

async function listKeys(services: ConsoleServices, call: AccountCallOf<typeof LIST_KEYS>) {
  const { accountId } = call;
  const { after, limit, sort, q } = call.query();
  const keys =
    after === undefined
      ? sortedKeys(await listedKeys(services, accountId), sort)
      : keysBehind(sortedKeys(await listedWith(services, accountId, after), sort), after);
  const nowMs = services.clock();
  const show = (key: KeySummary) => keyToJson(key, nowMs);
  return listBody(matchingKeys(keys, q), limit, ({ id }) => id, show);
}

/** Whoever has other rights by now keeps the keys that they had made: only what these may is another. */
const OTHER_RIGHTS: readonly FaultName[] = ["not_found", "permission_denied"];

/**
 * Behind a write that lets a key work which did not before. Who ends all keys of somebody has shut them out before that: so
 * either this key is found there, or it is seen here that nobody is signed in any more. Where that cannot be seen it does not
 * work either, as it did not before.
 */
async function endIfShutOut({ keys }: ConsoleServices, call: Judged, id: string): Promise<void> {
  try {
    await call.judgeAgain();
  } catch (thrown) {
    if (thrown instanceof Fault && OTHER_RIGHTS.includes(thrown.fault)) return;
    await keys.updateKey(id, { enabled: false });
    throw thrown;
  }
}

async function createKey(
  services: ConsoleServices,
  call: AccountCallOf<typeof CREATE_KEY>,
): Promise<CreatedKey> {
  const form = checkForm(await call.body(), contextOf(services));
  const { accountId, principal } = call;
  const wanted = { ...toChanges(form), name: form.name, id: newId("key_") };
  const { rights, accounts } = services;
  await rights.noteMaker(wanted.id, principal);
  const created = await accounts.createKey(accountId, wanted).catch(async (thrown) => {
    // No key was made. After any other failure there may be one, and it needs its maker.
    if (thrown instanceof Fault && thrown.fault === "key_limit_reached")
      await rights.forgetMaker(wanted.id);
    throw thrown;
  });
  if (created) await services.rights.noteSecret(created.id, created.key, principal);
  await endIfShutOut(services, call, wanted.id);
  if (form.account_read) await services.rights.narrow(wanted.id);
  const key = created && (await services.store.findKey(accountId, created.id));
  if (!key) throw new Fault("not_found", "There is no such account.");
  const detail = { ...form, budgets: key.budgets.map(budgetToJson) };
  await services.audit.write({ ...call, action: "key.create", target: key.id, detail });
  return { ...keyToJson(key, services.clock()), secret: created.key };
}

async function changeKey(
  services: ConsoleServices,
  call: AccountCallOf<typeof CHANGE_KEY>,
): Promise<Key> {
  const { id } = await findLiveKey(services, call);
  const wanted = await call.body();
  const before = await findLiveKey(services, call);
  const form = checkForm(wanted, contextOf(services, before));
  const widens = form.account_read === true && !before.accountRead;
  if (widens) await services.rights.widen(before, call.principal, call.role);
  const { enabled, ...others } = toChanges(form);
  // That one is to stay enabled is not written: who has disabled it meanwhile meant it.
  const isNews = enabled !== undefined && !(enabled && before.enabled);
  await services.keys.updateKey(id, isNews ? { ...others, enabled } : others);
  if (isNews && enabled) await endIfShutOut(services, call, id);
  if (widens) await services.rights.narrow(id);
  const key = await findKey(services, call);
  const budgets = form.budgets && { budgets: key.budgets.map(budgetToJson) };
  const detail = { ...form, ...budgets };
  const changes = changesBetween(keySettings(before), keySettings(key));
  await services.audit.write({ ...call, action: "key.change", target: id, detail, changes });
  return keyToJson(key, services.clock());
}

/**
 * A secret that opens the key already, and that nobody has heard. Who it is for is written down and then judged again: so
 * whoever shuts them out is seen here, or finds it there and ends the key.
 */
async function preparedSecret(
  { accounts, rights }: ConsoleServices,
  call: Judged & Pick<AccountCall, "principal">,
  id: string,
): Promise<PreparedSecret> {
  const prepared = await accounts.prepareSecret(id);
  if (prepared === undefined) throw noKey();
  try {
    await rights.noteSecret(id, prepared.secret, call.principal);
    await call.judgeAgain();
  } catch (thrown) {
    await accounts.dropSecret(prepared);
    await rights.forgetSecret(prepared.secret);
    throw thrown;
  }
  return prepared;
}

/** For so long it is tried to tell the log that a secret was withdrawn: what withdrew it may be that storage is away. */
const TELL_WITHDRAWAL_MS = 10 * 60_000;

function tellWithdrawal(
  { audit, tasks, clock }: ConsoleServices,
  note: Omit<AuditEntry, "action">,
) {
  const kept = { id: newAuditId(), atMs: clock() };
  const tell = () => audit.write({ ...note, action: "key.withdraw_secret", kept });
  tasks.run(retryWrite(tell, steadyClock, steadyClock() + TELL_WITHDRAWAL_MS));
}

/**
 * The log is told of a new secret before the key has it, since nothing may fail behind that. So where the key does not get
 * it, the log is told that it was withdrawn.
 */
async function rotateNoted<Rotated>(
  services: ConsoleServices,
  note: Omit<AuditEntry, "action">,
  rotate: () => Promise<Rotated | undefined>,
): Promise<Rotated | undefined> {
  await services.audit.write({ ...note, action: "key.rotate" });
  let rotated: Rotated | undefined;
  try {
    rotated = await rotate();
  } finally {
    if (!rotated) tellWithdrawal(services, note);
  }
  return rotated;
}

/**
 * What can fail comes before the one write by which the secret of before begins to end: what is done is told. Where that one
 * fails, or is not waited for any more, the guard of the store sees to it that it is not done.
 */
async function rotateKey(
  services: ConsoleServices,
  call: AccountCallOf<typeof ROTATE_KEY>,
): Promise<CreatedKey> {
  const { id } = await findLiveKey(services, call);
  const { overlap_seconds } = await call.body();
  const key = await findLiveKey(services, call);
  const overlapMs = overlap_seconds * 1000;
  if (!services.accounts.canOverlap(key, overlapMs)) {
    const message = `${OPEN_SECRETS_MAX} earlier secrets of this key still work; end them first.`;
    throw new Fault("invalid_value", message, { param: "overlap_seconds" });
  }
  await services.rights.handOver(key, call.principal, call.role);
  const prepared = await preparedSecret(services, call, id);
  const { secret } = prepared;
  const detail = { overlap_seconds, from: `…${key.lastFour}`, to: `…${secret.slice(-4)}` };
  const rotated = await rotateNoted(services, { ...call, target: id, detail }, () =>
    services.accounts.rotateKey(key, overlapMs, prepared),
  );
  if (!rotated) {
    await findLiveKey(services, call);
    throw new Fault("edit_conflict", "This key was rotated in the meantime. Read it again.");
  }
  return { ...keyToJson({ ...key, ...rotated }, services.clock()), secret };
}

async function endSecrets(services: ConsoleServices, call: AccountCall): Promise<Key> {
  const { id } = await findLiveKey(services, call);
  await services.keys.endFormerSecrets(id, services.clock());
  await services.audit.write({ ...call, action: "key.end_secrets", target: id });
  return showKey(services, call);
}

/** It stays in the books, and receipts go on naming it. */
async function deleteKey(services: ConsoleServices, call: AccountCall): Promise<Key> {
  const { id, name } = await findLiveKey(services, call);
  if (!(await services.keys.deleteKey(id, services.clock()))) throw noKey();
  await services.audit.write({ ...call, action: "key.delete", target: id, detail: { name } });
  return showKey(services, call);
}

export function keyRoutes(services: ConsoleServices, guards: Guards): readonly Route[] {
  return [
    guards.account(LIST_KEYS, "viewer", (call) => listKeys(services, call)),
    guards.account(CREATE_KEY, "member", (call) => createKey(services, call)),
    guards.account(SHOW_KEY, "viewer", (call) => showKey(services, call)),
    guards.account(CHANGE_KEY, "member", (call) => changeKey(services, call)),
    guards.account(DELETE_KEY, "member", (call) => deleteKey(services, call)),
    guards.account(ROTATE_KEY, "member", (call) => rotateKey(services, call)),
    guards.account(END_SECRETS, "member", (call) => endSecrets(services, call)),
  ];
}
