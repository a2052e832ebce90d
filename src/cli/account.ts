import { type Account, type AccountChanges, OVERDRAFT_USD_MAX } from "../accounts/account.ts";
import { changesBetween } from "../accounts/audit-changes.ts";
import { shown } from "../accounts/shown.ts";
import { formatUsd, type NanoUsd, parseUsd } from "../catalogue/money.ts";
import { systemClock } from "../lib/clock.ts";
import { StorageError } from "../lib/faults.ts";
import { newId } from "../lib/ids.ts";
import type { CommandContext } from "./context.ts";
import {
  mistake,
  type Options,
  readArguments,
  readOptions,
  required,
  text,
  usd,
  yesNo,
} from "./terminal/arguments.ts";
import { date, print, table } from "./terminal/print.ts";
import { UnknownOutcomeError } from "./terminal/unknown-outcome.ts";
import { say, sayMistake } from "./words/language.ts";

export async function createAccount(
  context: CommandContext,
  argv: readonly string[],
): Promise<void> {
  const options = readOptions(argv, ["name", "hard?", "overdraft", "json?"]);
  const form = { hard: options.hard === true, overdraft: overdraft(options) ?? 0n };
  const { id, name } = await context.accounts.createAccount(required(options, "name"), form);
  print(options, { id, name }, () => say("accountMade", { name, id }));
}

function overdraft(options: Options): NanoUsd | undefined {
  const value = text(options, "overdraft");
  if (value === undefined) return undefined;
  const amount = parseUsd(value, OVERDRAFT_USD_MAX);
  if (amount !== undefined) return amount;
  throw mistake("notOverdraft", { option: "--overdraft", max: String(OVERDRAFT_USD_MAX) });
}

const SETTINGS = ["name", "hard", "overdraft"];

/** Only what was said is changed. */
export async function setAccount(context: CommandContext, argv: readonly string[]): Promise<void> {
  const { words, options } = readArguments(argv, [...SETTINGS, "json?"]);
  const [id, ...more] = words;
  if (id === undefined || more.length > 0) throw mistake("accountIdMissing");
  if (SETTINGS.every((name) => options[name] === undefined)) {
    throw mistake("keyUnchanged", { options: SETTINGS.map((name) => `--${name}`).join(" ") });
  }
  const form = {
    name: text(options, "name"),
    hard: yesNo(options, "hard"),
    overdraft: overdraft(options),
  };
  const said = Object.entries(form).filter(([, value]) => value !== undefined);
  const changes: AccountChanges = Object.fromEntries(said);
  const { accounts, sql } = context.store;
  const { peopleStores } = await import("../accounts/tables/open.ts");
  const before = await accounts.findAccount(id);
  if (!before || !(await accounts.updateAccount(id, changes))) throw mistake("noAccount", { id });
  const after = { ...before, ...changes };
  const [from, to] = [accountToJson(before), accountToJson(after)];
  await peopleStores(sql, systemClock).audit.write({
    principal: { userId: undefined, name: "command line", operator: true },
    ...{ accountId: id, action: "account.change", target: id },
    detail: Object.fromEntries(said.map(([name]) => [name, to[name as keyof typeof to]])),
    changes: changesBetween(from, to),
  });
  print(options, to, () => say("accountChanged", { id }));
}

function accountToJson(account: Account) {
  return shown(account, "id", "name", "operator", "enabled", "hard", "overdraft", "createdAtMs");
}

export async function listAccounts(
  context: CommandContext,
  argv: readonly string[],
): Promise<void> {
  const options = readOptions(argv, ["json?"]);
  const accounts = (await context.store.accounts.listAccounts()).map((account) => ({
    id: account.id,
    name: account.name,
    balance: formatUsd(account.balance),
    keys: account.keys,
    operator: account.operator,
    enabled: account.enabled,
    hard: account.hard,
    overdraft: formatUsd(account.overdraft),
    created_at: new Date(account.createdAtMs).toISOString(),
  }));
  print(options, { accounts }, () =>
    table(
      accounts.map(({ id, name, balance, keys, operator, created_at }) => ({
        [say("column_id")]: id,
        [say("column_name")]: operator ? say("operatorName", { name }) : name,
        [say("column_balance")]: balance,
        [say("column_keys")]: keys,
        [say("column_created")]: date(Date.parse(created_at)),
      })),
    ),
  );
}

/** Which account a command is about: the one named, or the operator's. */
export async function accountOf(context: CommandContext, id: string | undefined): Promise<string> {
  const { accounts } = context.store;
  const account =
    id === undefined ? await accounts.operatorAccount() : await accounts.findAccount(id);
  if (account) return account.id;
  throw id === undefined ? mistake("noOperatorAccount") : mistake("noAccount", { id });
}

/** The account that is named, if one is. */
export async function namedAccount(
  context: CommandContext,
  options: Options,
): Promise<string | undefined> {
  const id = text(options, "account");
  return id === undefined ? undefined : accountOf(context, id);
}

/** The one that gets money. Where there are several, a forgotten name must not move it to the operator's. */
async function creditedAccount(context: CommandContext, options: Options): Promise<string> {
  const id = text(options, "account");
  if (id === undefined && (await context.store.accounts.listAccounts()).length > 1) {
    throw mistake("accountMissing", { option: "--account" });
  }
  return accountOf(context, id);
}

/** An id that another account has used is a mistake: this account was given nothing by it. */
async function checkOwnId({ store }: CommandContext, id: string, accountId: string): Promise<void> {
  const owner = await store.ledger.accountOfEntry(id);
  if (owner === accountId) return;
  throw mistake("topUpIdTaken", { id, owner: String(owner), account: accountId });
}

interface TopUp {
  readonly id: string;
  readonly accountId: string;
  readonly amount: NanoUsd;
  readonly note: string;
}

/**
 * Whether it was added now, and what the account has. Where no answer comes it may have been added all the same,
 * and to ask again under another id would add it twice: so whoever hears of that hears of the id.
 */
async function addCredit(context: CommandContext, topUp: TopUp) {
  const { ledger } = context.store;
  const { id, accountId, amount } = topUp;
  try {
    const credited = await ledger.credit({ ...topUp, kind: "topup", createdAtMs: systemClock() });
    if (!credited) await checkOwnId(context, id, accountId);
    const balance = await ledger.balance(accountId);
    return { credited, left: formatUsd((balance?.credited ?? 0n) - (balance?.charged ?? 0n)) };
  } catch (thrown) {
    if (!(thrown instanceof StorageError)) throw thrown;
    const facts = { id, account: accountId, amount: formatUsd(amount), reason: thrown.message };
    throw new UnknownOutcomeError(sayMistake("topUpUnknown", facts), { id }, thrown);
  }
}

export async function topUp(context: CommandContext, argv: readonly string[]): Promise<void> {
  const { words, options } = readArguments(argv, ["account", "note", "id", "json?"]);
  const [amountText, ...more] = words;
  if (amountText === undefined || more.length > 0) throw mistake("amountMissing");
  const amount = usd(amountText);
  if (amount === 0n) throw mistake("amountZero");
  const accountId = await creditedAccount(context, options);
  const id = text(options, "id") ?? newId("top_");
  const note = text(options, "note") ?? "command line";
  const { credited, left } = await addCredit(context, { id, accountId, amount, note });
  print(
    options,
    { id, account: accountId, amount: formatUsd(amount), credited, balance: left },
    () =>
      credited
        ? say("toppedUp", { amount: formatUsd(amount), account: accountId, balance: left })
        : say("toppedUpBefore", { id, balance: left }),
  );
}
