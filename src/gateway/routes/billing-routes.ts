import { formatUsd, type NanoUsd } from "../../catalogue/money.ts";
import type { UsageRow } from "../../ledger/books.ts";
import type { AnswerOf } from "../../lib/contract.ts";
import type { Incoming } from "../../lib/route.ts";
import { wrongValue } from "../../protocols/fields.ts";
import type { Caller } from "../admitted-request.ts";
import { identifyReader } from "../arriving/take-body.ts";
import type { SHOW_BILLED_USAGE, SHOW_SUBSCRIPTION } from "../contract/spending.ts";
import type { Services } from "../services.ts";

/** What these two pages say where nothing limits a key; clients show it as "no limit". */
const NO_LIMIT_USD = 100_000_000;
/** How far back usage goes for clients that name no date. */
const USAGE_MS = 100 * 86_400_000;
const FAR_SECONDS = 4_102_444_800;

/** These pages have numbers where the rest of the gateway has decimal texts; they are for display. */
function usd(amount: NanoUsd): number {
  return Number(formatUsd(amount));
}

/**
 * The key's budget; without one, the account's credit and overdraft for keys that may read it. Of several, the one
 * that starts anew last, since clients hold it against what was used over months.
 */
async function limitOf(services: Services, { key, timeBudget }: Caller): Promise<number> {
  const [budget] = (await services.books.spending(key.id, timeBudget))?.budgets ?? [];
  if (budget) return usd(budget.amount);
  if (!key.accountRead) return NO_LIMIT_USD;
  const balance = await services.books.balance(key.accountId, timeBudget);
  return balance ? usd(balance.credited + key.overdraft) : NO_LIMIT_USD;
}

/** What older clients read to show how much a key may spend. */
export async function showSubscription(
  services: Services,
  incoming: Incoming,
): Promise<AnswerOf<typeof SHOW_SUBSCRIPTION>> {
  const caller = await identifyReader(services, "billing", incoming);
  const { key } = caller;
  const limit = await limitOf(services, caller);
  return {
    object: "billing_subscription",
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: key.expiresAtMs === null ? FAR_SECONDS : Math.floor(key.expiresAtMs / 1000),
  };
}

/** Dates past the end of their month are taken for days of the next by the engine. */
function isDay(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

function dayParameter(incoming: Incoming, name: string): string | undefined {
  const value = incoming.url.searchParams.get(name);
  if (value === null) return undefined;
  if (!isDay(value)) throw wrongValue(name, "it must be a date such as 2026-01-31.");
  return value;
}

function dailyCosts(rows: readonly UsageRow[]) {
  const days = Map.groupBy(rows, ({ day }) => day);
  return [...days].map(([day, ofDay]) => ({
    timestamp: Date.parse(day) / 1000,
    line_items: ofDay.map((row) => ({ name: row.model, cost: usd(row.cost) * 100 })),
  }));
}

/** What older clients read to show how much a key has spent, in cents. The end date is not part. */
export async function showUsage(
  services: Services,
  incoming: Incoming,
): Promise<AnswerOf<typeof SHOW_BILLED_USAGE>> {
  const { key, timeBudget } = await identifyReader(services, "billing", incoming);
  const start = dayParameter(incoming, "start_date");
  const end = dayParameter(incoming, "end_date");
  const spending = await services.books.spending(key.id, timeBudget);
  const wholeAccount = key.accountRead && !spending?.budgets.length;
  const asked = {
    accountId: key.accountId,
    keyId: wholeAccount ? undefined : key.id,
    sinceMs: start === undefined ? services.clock() - USAGE_MS : Date.parse(start),
    keysTogether: true,
  };
  const rows = await services.books.usage(asked, timeBudget);
  const within = rows.filter((row) => end === undefined || row.day < end);
  const total = within.reduce((sum, row) => sum + row.cost, 0n);
  return {
    object: "list",
    total_usage: usd(total) * 100,
    daily_costs: dailyCosts(within),
  };
}
