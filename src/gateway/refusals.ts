import type { PresentedKey } from "../accounts/account.ts";
import type { BudgetPeriod } from "../accounts/keys/budget-window.ts";
import type { AdmissionOutcome, ExceededScope } from "../admission/request.ts";
import { formatUsd, type NanoUsd } from "../catalogue/money.ts";
import { MoneyFault, type MoneyRefusal, withoutBalance } from "../ledger/refusal.ts";
import { OWN_COMMAND } from "../lib/own-command.ts";
import type { TimeBudget } from "../lib/threads/time-budget.ts";
import type { Services } from "./services.ts";

type Payer = Pick<PresentedKey, "id" | "accountId" | "operator" | "accountRead">;
/** Whoever is refused, and may have to wait for what he is told. */
interface Refused {
  readonly key: Payer;
  readonly timeBudget?: TimeBudget;
}
type Shortage = Extract<AdmissionOutcome, { kind: "short" }>;
type BudgetScope = Extract<ExceededScope, { scope: "budget" }>;

const BUDGET_WORDS: Readonly<Record<BudgetPeriod, string>> = {
  total: "budget",
  day: "daily budget",
  week: "weekly budget",
  month: "monthly budget",
};

const NANO_PER_CENT = 10_000_000n;

/** Twice of what the limit would have had to be, in whole cents: more than enough to go on. */
function raisedTo(max: NanoUsd, wanted: NanoUsd): string {
  const twice = 2n * (max > wanted ? max : wanted);
  return formatUsd(((twice + NANO_PER_CENT - 1n) / NANO_PER_CENT) * NANO_PER_CENT);
}

/** How a budget is raised: whoever has the operator's key has the command line too. */
function raise(key: Payer, { period, used, max }: BudgetScope, needed: NanoUsd): string {
  const what = `raise the key's ${BUDGET_WORDS[period]}`;
  if (!key.operator) return what;
  const option = period === "total" ? "--budget" : `--budget-${period}`;
  return `${what} with: ${OWN_COMMAND} key set ${key.id} ${option} ${raisedTo(max, used + needed)}`;
}

async function topUp(
  services: Pick<Services, "books">,
  { key, timeBudget }: Refused,
): Promise<string> {
  if (!key.operator) return "top up the balance";
  const balance = await services.books.balance(key.accountId, timeBudget);
  const what = balance?.trialOnly ? "trial credit" : "balance";
  return `add to the ${what} with: ${OWN_COMMAND} topup --account ${key.accountId} 10.00`;
}

/** One of the ways as a sentence. A command stands last, and has no full stop that would be copied. */
function eitherOf(ways: readonly string[]): string {
  const first = ways.slice(0, -1).join(", ");
  const sentence = [first, ways.at(-1) ?? ""].filter((part) => part !== "").join(", or ");
  const end = sentence.includes(OWN_COMMAND) ? "" : ".";
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${end}`;
}

/** What helps against a limit, where `needed` is null once nothing is left of it. */
async function fixFor(
  services: Pick<Services, "books">,
  refused: Refused,
  outcome: ExceededScope,
  needed: NanoUsd | null,
): Promise<string> {
  const ways = needed === null ? [] : ["send a request that costs less"];
  if (outcome.scope === "balance") return eitherOf([...ways, await topUp(services, refused)]);
  const { resetsAtMs } = outcome;
  if (resetsAtMs !== null) {
    ways.push(`wait until it starts again at ${new Date(resetsAtMs).toISOString()}`);
  }
  return eitherOf([...ways, raise(refused.key, outcome, needed ?? 0n)]);
}

async function factsOf(
  services: Pick<Services, "books">,
  refused: Refused,
  outcome: ExceededScope,
  { left, needed }: { readonly left: NanoUsd; readonly needed: NanoUsd | null },
): Promise<MoneyRefusal> {
  const { scope, used, max } = outcome;
  const fix = await fixFor(services, refused, outcome, needed);
  const facts = { scope, used, max, left, needed, fix };
  if (outcome.scope === "balance") return { ...facts, period: null, resetsAtMs: null };
  return { ...facts, period: outcome.period, resetsAtMs: outcome.resetsAtMs };
}

/** Whether a key may be told the figures of a limit: those of its own budgets always. */
function mayRead({ accountRead }: Payer, { scope }: ExceededScope): boolean {
  return accountRead || scope === "budget";
}

/** The receipt keeps all of it, for whoever may read the account. */
function moneyFault({ key }: Refused, sentence: string, facts: MoneyRefusal): MoneyFault {
  const told = key.accountRead ? facts : withoutBalance(facts);
  return new MoneyFault("budget_exceeded", sentence, facts, { told });
}

/** Something is left, but of a limit that must not be passed, and too little for an answer. */
export async function short(
  services: Pick<Services, "books">,
  refused: Refused,
  outcome: Shortage,
): Promise<MoneyFault> {
  const { scope, left, needed } = outcome;
  const had = mayRead(refused.key, outcome) ? `${formatUsd(left)} left, ` : "";
  const amounts = `${had}${formatUsd(needed)} needed`;
  const sentence = `What is left of the ${scope} does not do for this request: ${amounts}.`;
  return moneyFault(refused, sentence, await factsOf(services, refused, outcome, outcome));
}

/**
 * What a limit counts, for whoever may know it. Of a balance that it may not read a key hears its own figures: where
 * nothing is left, what it has used is the most that it could.
 */
async function figuresFor(
  { books }: Pick<Services, "books">,
  { key, timeBudget }: Refused,
  outcome: ExceededScope,
): Promise<{ readonly used: NanoUsd; readonly max: NanoUsd }> {
  if (mayRead(key, outcome)) return outcome;
  const used = (await books.spending(key.id, timeBudget))?.used ?? 0n;
  return { used, max: used };
}

/** A limit is used up. Clients match the sentence, so nothing follows it: what helps is a fact. */
export async function exceeded(
  services: Pick<Services, "books">,
  refused: Refused,
  outcome: ExceededScope,
): Promise<MoneyFault> {
  const { used, max } = await figuresFor(services, refused, outcome);
  const amounts = `Current cost: ${formatUsd(used)}, Max budget: ${formatUsd(max)}`;
  const none = { left: 0n, needed: null };
  const facts = await factsOf(services, refused, outcome, none);
  return moneyFault(refused, `Budget has been exceeded! ${amounts}`, facts);
}
