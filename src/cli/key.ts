import type { KeyChanges, KeySummary } from "../accounts/account.ts";
import { budgetToJson } from "../accounts/keys/budget.ts";
import { hasExpired } from "../accounts/keys/expiry.ts";
import { formatUsd } from "../catalogue/money.ts";
import { systemClock } from "../lib/clock.ts";
import { accountOf, namedAccount } from "./account.ts";
import { BUDGET_SETTINGS, budgetsSaid, budgetWords } from "./budgets.ts";
import type { CommandContext } from "./context.ts";
import {
  limit,
  list,
  mistake,
  networks,
  noMoreWords,
  type Options,
  readArguments,
  readOptions,
  required,
  text,
  yesNo,
} from "./terminal/arguments.ts";
import { expiry } from "./terminal/expiry.ts";
import { date, print, table } from "./terminal/print.ts";
import { say } from "./words/language.ts";

const SETTINGS = [
  ...BUDGET_SETTINGS,
  "rpm",
  "tpm",
  "concurrency",
  "models",
  "networks",
  "expires",
  "hard",
  "account-read",
  "show-cost",
];

/** Only what was said: a setting that is not named stays as it is. `key` is absent for a new one. */
function settings(options: Options, key?: KeySummary): KeyChanges {
  const said = {
    name: text(options, "name"),
    budgets: budgetsSaid(options, key?.budgets ?? []),
    requestsPerMinute: limit(options, "rpm"),
    tokensPerMinute: limit(options, "tpm"),
    concurrency: limit(options, "concurrency"),
    models: list(options, "models"),
    networks: networks(options, "networks"),
    expiresAtMs: expiry(options, "expires"),
    hard: yesNo(options, "hard"),
    accountRead: yesNo(options, "account-read"),
    showCost: yesNo(options, "show-cost"),
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/** The settings of a new key as they stand on the command line: `--rpm 10 --budget 1.50`. */
export function readKeySettings(argv: readonly string[]): KeyChanges {
  return settings(readOptions(argv, SETTINGS));
}

/** What a key has already may be said again, though the model is gone. */
async function checkModels(
  { config, store }: CommandContext,
  { models }: KeyChanges,
  key?: KeySummary,
): Promise<void> {
  if (!models) return;
  const { catalogueNow } = await import("../compose/catalogue.ts");
  const catalogue = await catalogueNow(config, store);
  const wrong = models.find((id) => !catalogue.find(id) && !key?.models?.includes(id));
  if (wrong !== undefined) throw mistake("noModel", { option: "--models", model: wrong });
}

export async function createKey(context: CommandContext, argv: readonly string[]): Promise<void> {
  const options = readOptions(argv, ["account", "name", ...SETTINGS, "json?"]);
  const name = required(options, "name");
  const changes = settings(options);
  await checkModels(context, changes);
  const accountId = await accountOf(context, text(options, "account"));
  const created = await context.accounts.createKey(accountId, { ...changes, name });
  if (!created) throw mistake("noAccount", { id: accountId });
  print(options, created, () =>
    [say("keyMade", { id: created.id }), "", `  ${created.key}`, "", say("keyShownOnce")].join(
      "\n",
    ),
  );
}

function toJson(key: KeySummary) {
  const budgets = key.budgets.map(budgetToJson);
  return {
    id: key.id,
    account: key.accountId,
    name: key.name,
    last_four: key.lastFour,
    enabled: key.enabled,
    budget: budgets.find(({ period }) => period === "total")?.amount ?? null,
    budgets,
    used: formatUsd(key.used),
    rpm: key.requestsPerMinute,
    tpm: key.tokensPerMinute,
    concurrency: key.concurrency,
    models: key.models,
    networks: key.networks,
    hard: key.hard,
    account_read: key.accountRead,
    show_cost: key.showCost,
    expires_at: key.expiresAtMs === null ? null : new Date(key.expiresAtMs).toISOString(),
    created_at: new Date(key.createdAtMs).toISOString(),
    last_used_at: key.lastUsedAtMs === null ? null : new Date(key.lastUsedAtMs).toISOString(),
  };
}

/** As the console shows it: whoever disabled a key wants to see that first. */
function stateOf(key: KeySummary) {
  if (!key.enabled) return "disabled";
  return hasExpired(key, systemClock()) ? "expired" : "enabled";
}

export async function listKeys(context: CommandContext, argv: readonly string[]): Promise<void> {
  const options = readOptions(argv, ["account", "json?"]);
  const keys = await context.store.accounts.listKeys(await namedAccount(context, options));
  print(options, { keys: keys.map(toJson) }, () =>
    table(
      keys.map((key) => ({
        [say("column_id")]: key.id,
        [say("column_name")]: key.name,
        [say("column_key")]: `…${key.lastFour}`,
        [say("column_state")]: say(stateOf(key)),
        [say("column_used")]: formatUsd(key.used),
        [say("column_budget")]: budgetWords(key.budgets),
        [say("column_lastUsed")]: date(key.lastUsedAtMs),
      })),
    ),
  );
}

async function findKey(context: CommandContext, id: string | undefined): Promise<KeySummary> {
  if (!id) throw mistake("keyUnnamed");
  const key = await context.store.accounts.describeKey(id);
  if (!key || key.deletedAtMs !== null) throw mistake("noKey", { id });
  return key;
}

/** The one key that a command is about. */
export function typedKey(
  context: CommandContext,
  [id, ...more]: readonly string[],
): Promise<KeySummary> {
  noMoreWords(more);
  return findKey(context, id);
}

export async function switchKey(
  context: CommandContext,
  argv: readonly string[],
  enabled: boolean,
): Promise<void> {
  const { words, options } = readArguments(argv, ["json?"]);
  const { id } = await typedKey(context, words);
  await context.store.accounts.updateKey(id, { enabled });
  print(options, { id, enabled }, () => say(enabled ? "keyEnabled" : "keyDisabled", { id }));
}

export async function setKey(context: CommandContext, argv: readonly string[]): Promise<void> {
  const { words, options } = readArguments(argv, ["name", ...SETTINGS, "json?"]);
  const names = ["name", ...SETTINGS];
  if (names.every((name) => options[name] === undefined)) {
    throw mistake("keyUnchanged", { options: names.map((name) => `--${name}`).join(" ") });
  }
  const key = await typedKey(context, words);
  const changes = settings(options, key);
  await checkModels(context, changes, key);
  const { id } = key;
  await context.store.accounts.updateKey(id, changes);
  print(options, toJson(await findKey(context, id)), () => say("keyChanged", { id }));
}
