import type { KeySummary } from "../accounts/account.ts";
import { changesBetween } from "../accounts/audit-changes.ts";
import type { KeyBudget } from "../accounts/budget.ts";
import type { AccountCall, Doors } from "../accounts/doors.ts";
import { formatUsd } from "../catalogue/money.ts";
import { Fault } from "../lib/faults.ts";
import { newId } from "../lib/ids.ts";
import { readJson } from "../lib/json-body.ts";
import { listBody, readPage } from "../lib/listing.ts";
import type { Route } from "../lib/route.ts";
import { changeKeyForm, type FormGround, newKeyForm, toChanges } from "./key-form.ts";
import { answer } from "./query.ts";
import type { ConsoleServices } from "./services.ts";

function moment(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function limitOrNull(limit: number): number | null {
  return limit === 0 ? null : limit;
}

function budgetToWire(budget: KeyBudget) {
  return {
    id: budget.id,
    amount: formatUsd(budget.amount),
    period: budget.period,
    time_zone: budget.timeZone,
    used: formatUsd(budget.used),
    held: formatUsd(budget.held),
    resets_at: moment(budget.resetsAtMs),
  };
}

function keyToWire(key: KeySummary) {
  return {
    id: key.id,
    name: key.name,
    last_four: key.lastFour,
    enabled: key.enabled,
    created_at: moment(key.createdAtMs),
    last_used_at: moment(key.lastUsedAtMs),
    expires_at: moment(key.expiresAtMs),
    models: key.models,
    networks: key.networks,
    rpm: limitOrNull(key.requestsPerMinute),
    tpm: limitOrNull(key.tokensPerMinute),
    concurrency: limitOrNull(key.concurrency),
    hard: key.hard,
    account_read: key.accountRead,
    show_cost: key.showCost,
    budgets: key.budgets.map(budgetToWire),
    used_total: formatUsd(key.used),
    held: formatUsd(key.held),
  };
}

/** What of a key is its settings, and not what it was used for. */
function keySettings(key: KeySummary) {
  const { last_used_at, used_total, held, budgets, ...settings } = keyToWire(key);
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

/** Those that the console itself calls with are not listed; usage and receipts lead to them. */
async function listKeys(services: ConsoleServices, call: AccountCall): Promise<Response> {
  const { after, limit } = readPage(call.incoming.url);
  const personal = await services.personalKeys.idsIn(call.accountId);
  const all = await services.store.listKeys(call.accountId);
  const keys = all.filter(({ id }) => !personal.has(id)).toReversed();
  const start = after === undefined ? 0 : keys.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) {
    throw new Fault("invalid_value", "This is not the cursor of a page.", { param: "after" });
  }
  return answer(listBody(keys.slice(start), limit, ({ id }) => id, keyToWire));
}

async function createKey(services: ConsoleServices, call: AccountCall): Promise<Response> {
  const form = await readJson(call.incoming.request, newKeyForm(groundOf(services)));
  const { accountId, visitor } = call;
  const wish = { ...toChanges(form), name: form.name, id: newId("key_") };
  await services.rights.noteMaker(wish.id, visitor);
  const created = await services.accounts.createKey(accountId, wish);
  const key = created && (await services.store.findKey(accountId, created.id));
  if (!key) throw new Fault("not_found", "There is no such account.");
  const detail = { ...form, budgets: key.budgets.map(budgetToWire) };
  await services.audit.write({ visitor, accountId, action: "key.create", target: key.id, detail });
  return answer({ ...keyToWire(key), secret: created.key }, 201);
}

async function changeKey(services: ConsoleServices, call: AccountCall): Promise<Response> {
  const before = await findKey(services, call);
  const { id } = before;
  const form = await readJson(call.incoming.request, changeKeyForm(groundOf(services)));
  if (form.account_read && !before.accountRead) {
    await services.rights.widen(before, call.visitor, call.role);
  }
  await services.keys.updateKey(id, toChanges(form));
  const key = await findKey(services, call);
  const budgets = form.budgets && { budgets: key.budgets.map(budgetToWire) };
  const { accountId, visitor } = call;
  const detail = { ...form, ...budgets };
  const changes = changesBetween(keySettings(before), keySettings(key));
  await services.audit.write({
    ...{ visitor, accountId, action: "key.change", target: id, detail, changes },
  });
  return answer(keyToWire(key));
}

/** A key that was used stays in the books, so it is disabled and not removed. */
async function disableKey(services: ConsoleServices, call: AccountCall): Promise<Response> {
  const { id, enabled } = await findKey(services, call);
  await services.keys.updateKey(id, { enabled: false });
  const { accountId, visitor } = call;
  const changes = changesBetween({ enabled }, { enabled: false });
  await services.audit.write({ visitor, accountId, action: "key.disable", target: id, changes });
  return answer(keyToWire(await findKey(services, call)));
}

export function keyRoutes(services: ConsoleServices, doors: Doors): readonly Route[] {
  return [
    doors.account("GET", "/keys", "viewer", (call) => listKeys(services, call)),
    doors.account("POST", "/keys", "member", (call) => createKey(services, call)),
    doors.account("GET", "/keys/:id", "viewer", async (call) =>
      answer(keyToWire(await findKey(services, call))),
    ),
    doors.account("PATCH", "/keys/:id", "member", (call) => changeKey(services, call)),
    doors.account("DELETE", "/keys/:id", "member", (call) => disableKey(services, call)),
  ];
}
