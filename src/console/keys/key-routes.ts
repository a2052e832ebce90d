import type { KeySummary } from "../../accounts/account.ts";
import { changesBetween } from "../../accounts/audit-changes.ts";
import type { AccountCall, Guards } from "../../accounts/guards.ts";
import { Fault } from "../../lib/faults.ts";
import { newId } from "../../lib/ids.ts";
import { readJson } from "../../lib/json/json-body.ts";
import { listBody, readPage } from "../../lib/listing.ts";
import type { Route } from "../../lib/route.ts";
import { answer, textParameter } from "../query.ts";
import type { ConsoleServices } from "../services.ts";
import { changeKeyForm, type FormGround, newKeyForm, rotationForm, toChanges } from "./key-form.ts";
import { matchingKeys, sortedKeys } from "./key-list.ts";
import { budgetToWire, keyToWire, openSecrets } from "./key-wire.ts";

/** What of a key is its settings, and not what it was used for. */
function keySettings(key: KeySummary) {
  const { last_used_at, used_total, held, budgets, former_secrets, ...settings } = keyToWire(
    key,
    0,
  );
  const terms = budgets.map(({ amount, period, time_zone }) => ({ amount, period, time_zone }));
  return { ...settings, budgets: terms };
}

function noKey(): Fault {
  return new Fault("not_found", "There is no such key in this account.");
}

function groundOf({ catalogue, models, clock }: ConsoleServices): FormGround {
  const callable = new Set(models().map(({ id }) => id));
  return {
    nowMs: clock(),
    modelExists: (id) => callable.has(id) || catalogue.find(id) !== undefined,
  };
}

/** The key that a path names, if it is of the account; another account's is not there. */
async function findKey({ store }: ConsoleServices, call: AccountCall): Promise<KeySummary> {
  const key = await store.findKey(call.accountId, call.incoming.params.id ?? "");
  if (!key) throw noKey();
  return key;
}

/** The same, if it can still be changed. */
async function findLiveKey(services: ConsoleServices, call: AccountCall): Promise<KeySummary> {
  const key = await findKey(services, call);
  if (key.deletedAtMs === null) return key;
  throw new Fault("not_found", "This key was deleted. Create a new one.");
}

async function showKey(services: ConsoleServices, call: AccountCall): Promise<Response> {
  return answer(keyToWire(await findKey(services, call), services.clock()));
}

/** Those that the console itself calls with are not listed; usage and receipts lead to them. */
async function listKeys(services: ConsoleServices, call: AccountCall): Promise<Response> {
  const { store, clock, personalKeys } = services;
  const { searchParams } = call.incoming.url;
  const { after, limit } = readPage(call.incoming.url);
  const personal = await personalKeys.idsIn(call.accountId);
  const listed = (await store.listKeys(call.accountId)).filter(({ id }) => !personal.has(id));
  const all = sortedKeys(listed, textParameter(searchParams, "sort"));
  const keys = matchingKeys(all, textParameter(searchParams, "q"));
  const start = after === undefined ? 0 : keys.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) {
    throw new Fault("invalid_value", "This is not the cursor of a page.", { param: "after" });
  }
  const nowMs = clock();
  const show = (key: KeySummary) => keyToWire(key, nowMs);
  return answer(listBody(keys.slice(start), limit, ({ id }) => id, show));
}

async function createKey(services: ConsoleServices, call: AccountCall): Promise<Response> {
  const form = await readJson(call.incoming.request, newKeyForm(groundOf(services)));
  const { accountId, principal } = call;
  const wish = { ...toChanges(form), name: form.name, id: newId("key_") };
  await services.rights.noteMaker(wish.id, principal);
  const created = await services.accounts.createKey(accountId, wish);
  const key = created && (await services.store.findKey(accountId, created.id));
  if (!key) throw new Fault("not_found", "There is no such account.");
  const detail = { ...form, budgets: key.budgets.map(budgetToWire) };
  await services.audit.write({
    principal,
    accountId,
    action: "key.create",
    target: key.id,
    detail,
  });
  return answer({ ...keyToWire(key, services.clock()), secret: created.key }, 201);
}

async function changeKey(services: ConsoleServices, call: AccountCall): Promise<Response> {
  const before = await findLiveKey(services, call);
  const { id } = before;
  const form = await readJson(call.incoming.request, changeKeyForm(groundOf(services)));
  if (form.account_read && !before.accountRead) {
    await services.rights.widen(before, call.principal, call.role);
  }
  await services.keys.updateKey(id, toChanges(form));
  const key = await findKey(services, call);
  const budgets = form.budgets && { budgets: key.budgets.map(budgetToWire) };
  const { accountId, principal } = call;
  const detail = { ...form, ...budgets };
  const changes = changesBetween(keySettings(before), keySettings(key));
  await services.audit.write({
    ...{ principal, accountId, action: "key.change", target: id, detail, changes },
  });
  return answer(keyToWire(key, services.clock()));
}

/** So many secrets of before may still work at once; whoever needs more has lost track of them. */
const OPEN_SECRETS_MAX = 5;

async function rotateKey(services: ConsoleServices, call: AccountCall): Promise<Response> {
  const key = await findLiveKey(services, call);
  const { id } = key;
  const { overlap_seconds } = await readJson(call.incoming.request, rotationForm);
  const { accountId, principal, role } = call;
  if (overlap_seconds > 0 && openSecrets(key, services.clock()).length >= OPEN_SECRETS_MAX) {
    const message = `${OPEN_SECRETS_MAX} earlier secrets of this key still work; end them first.`;
    throw new Fault("invalid_value", message, { param: "overlap_seconds" });
  }
  await services.rights.handOver(key, principal, role);
  const secret = await services.accounts.rotateKey(id, overlap_seconds * 1000);
  if (secret === undefined) throw noKey();
  const rotated = await findKey(services, call);
  const detail = { overlap_seconds, from: `…${key.lastFour}`, to: `…${rotated.lastFour}` };
  await services.audit.write({ principal, accountId, action: "key.rotate", target: id, detail });
  return answer({ ...keyToWire(rotated, services.clock()), secret });
}

async function endSecrets(services: ConsoleServices, call: AccountCall): Promise<Response> {
  const { id } = await findLiveKey(services, call);
  await services.keys.endFormerSecrets(id, services.clock());
  const { accountId, principal } = call;
  await services.audit.write({ principal, accountId, action: "key.end_secrets", target: id });
  return showKey(services, call);
}

/** It stays in the books, and receipts go on naming it. */
async function deleteKey(services: ConsoleServices, call: AccountCall): Promise<Response> {
  const { id, name } = await findLiveKey(services, call);
  if (!(await services.keys.deleteKey(id, services.clock()))) throw noKey();
  const { accountId, principal } = call;
  const detail = { name };
  await services.audit.write({ principal, accountId, action: "key.delete", target: id, detail });
  return showKey(services, call);
}

export function keyRoutes(services: ConsoleServices, guards: Guards): readonly Route[] {
  return [
    guards.account("GET", "/keys", "viewer", (call) => listKeys(services, call)),
    guards.account("POST", "/keys", "member", (call) => createKey(services, call)),
    guards.account("GET", "/keys/:id", "viewer", (call) => showKey(services, call)),
    guards.account("PATCH", "/keys/:id", "member", (call) => changeKey(services, call)),
    guards.account("DELETE", "/keys/:id", "member", (call) => deleteKey(services, call)),
    guards.account("POST", "/keys/:id/rotate", "member", (call) => rotateKey(services, call)),
    guards.account("DELETE", "/keys/:id/former-secrets", "member", (call) =>
      endSecrets(services, call),
    ),
  ];
}
