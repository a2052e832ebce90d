import { isHard, type PresentedKey } from "../../accounts/account.ts";
import { budgetToJson, type KeySpending, tightest } from "../../accounts/keys/budget.ts";
import type { Scope } from "../../admission/judge.ts";
import { nextRequestMax } from "../../admission/next-request.ts";
import { formatPico, formatUsd, type NanoUsd } from "../../catalogue/money.ts";
import { planVersion } from "../../catalogue/price-version.ts";
import { attributionOf, concernsClient } from "../../ledger/fault-attribution.ts";
import { type AttemptRecord, isEstimated, type Receipt } from "../../ledger/receipt.ts";
import { refusalToJson, withoutBalance } from "../../ledger/refusal.ts";
import type { AnswerOf } from "../../lib/contract.ts";
import { Fault } from "../../lib/faults.ts";
import type { Incoming } from "../../lib/route.ts";
import { inputTokens, totalTokens } from "../../protocols/usage.ts";
import { identify } from "../arriving/identify.ts";
import { identifyReader } from "../arriving/take-body.ts";
import type { SHOW_CREDITS, SHOW_OWN_KEY } from "../contract/spending.ts";
import { ofKey, scopesFrom } from "../money/scopes.ts";
import { leewayOf } from "../money/sizing.ts";
import type { Services } from "../services.ts";

function limitOrNull(limit: number): number | null {
  return limit === 0 ? null : limit;
}

/** In the fixed names the budget with the least left; without one, all that the key has used. */
function spendingToJson(spending: KeySpending) {
  const { amount, used } = tightest(spending.budgets) ?? { amount: null, used: spending.used };
  return {
    limit: amount === null ? null : formatUsd(amount),
    used: formatUsd(used),
    remaining: amount === null ? null : formatUsd(amount > used ? amount - used : 0n),
    held: formatUsd(spending.held),
    budgets: spending.budgets.map(budgetToJson),
  };
}

/**
 * The most that the next request may cost. A key that may not read its account learns of the balance only
 * whether there is anything for it: beyond that its own budgets decide.
 */
function mostOfNext(
  { limits }: Pick<Services, "limits">,
  key: PresentedKey,
  scopes: readonly Scope[],
): NanoUsd | null {
  const leeway = leewayOf(key, limits, { short: 0n, least: 0n });
  const most = nextRequestMax(scopes, leeway);
  if (key.accountRead || most === 0n) return most;
  return nextRequestMax(ofKey(scopes), leeway);
}

/**
 * What a key has used and what it may still use. Not counted, since it cannot be refused, and whoever
 * has had all requests of a minute may look up how many that are.
 */
export async function showKey(
  services: Services,
  incoming: Incoming,
): Promise<AnswerOf<typeof SHOW_OWN_KEY>> {
  const { key, timeBudget } = await identify(services, "key", incoming);
  const [balance, spending] = await Promise.all([
    services.books.balance(key.accountId, timeBudget),
    services.books.spending(key.id, timeBudget),
  ]);
  if (!spending) throw new Fault("not_found", "This key has no spending on record.");
  const most = mostOfNext(services, key, scopesFrom(key, balance, spending));
  return {
    object: "key",
    id: key.id,
    name: key.name,
    last_four: key.lastFour,
    currency: "usd",
    ...spendingToJson(spending),
    hard: isHard(key),
    next_request_max: most === null ? null : formatUsd(most),
    models: key.models,
    expires_at: key.expiresAtMs === null ? null : new Date(key.expiresAtMs).toISOString(),
    rate_limits: {
      requests_per_minute: limitOrNull(key.requestsPerMinute),
      tokens_per_minute: limitOrNull(key.tokensPerMinute),
      concurrent_requests: limitOrNull(key.concurrency),
    },
  };
}

/** The prepaid balance of the account, for keys that may read it. */
export async function showCredits(
  services: Services,
  incoming: Incoming,
): Promise<AnswerOf<typeof SHOW_CREDITS>> {
  const { key, timeBudget } = await identifyReader(services, "credits", incoming);
  if (!key.accountRead) {
    throw new Fault(
      "permission_denied",
      "This key may not read its account; it needs 'account-read'.",
    );
  }
  const balance = await services.books.balance(key.accountId, timeBudget);
  if (!balance) throw new Fault("not_found", "This account has no balance on record.");
  return {
    object: "credits",
    currency: "usd",
    balance: formatUsd(balance.credited - balance.charged),
    overdraft: formatUsd(key.overdraft),
    credited: formatUsd(balance.credited),
    charged: formatUsd(balance.charged),
    held: formatUsd(balance.held),
  };
}

/** Who looks at a receipt. */
interface ReceiptReader {
  readonly operator: boolean;
  /** May know what its account has. */
  readonly accountRead: boolean;
}

/** From whom the house bought an answer is for operators: its channels, their keys and what vendors say of them. */
function attemptToJson(attempt: AttemptRecord, operator: boolean) {
  const { model, status, code } = attempt;
  return {
    channel: operator ? attempt.channel : null,
    credential: operator ? attempt.credential : null,
    ...{ model, status, code },
    message: operator || concernsClient(code) ? attempt.message : null,
    started_ms: attempt.startedMs,
    duration_ms: attempt.durationMs,
  };
}

/**
 * As customers see it: what a price was made of, where a request went, and what vendors say of the house and not
 * of the request, is for operators. Who may not read the account is not told its balance, nor what was held for a
 * request and how much output that bought, which is a share of the balance where that is tight.
 */
export function receiptToJson(receipt: Receipt, { operator, accountRead }: ReceiptReader) {
  const { usage, charge } = receipt;
  const refusal = accountRead
    ? receipt.refusal
    : receipt.refusal && withoutBalance(receipt.refusal);
  return {
    object: "generation" as const,
    id: receipt.requestId,
    response_id: receipt.responseId,
    created_at: new Date(receipt.createdAtMs).toISOString(),
    endpoint: receipt.endpoint,
    model: receipt.model,
    stream: receipt.stream,
    status: receipt.status,
    error_code: receipt.errorCode,
    refusal: refusal && refusalToJson(refusal),
    billing_reason: receipt.billingReason,
    blame: attributionOf(receipt),
    key_id: receipt.keyId,
    channel: operator ? receipt.channel : null,
    served_model: receipt.servedModel,
    attempts: receipt.attempts.map((attempt) => attemptToJson(attempt, operator)),
    vendor_request_id: operator ? receipt.vendorRequestId : null,
    usage: {
      input_tokens: inputTokens(usage),
      fresh_input_tokens: usage.fresh,
      cache_read_tokens: usage.cacheRead,
      cache_write_tokens: usage.cacheWrite,
      cache_write_long_tokens: usage.cacheWriteLong,
      output_tokens: usage.output,
      reasoning_tokens: usage.reasoning,
      total_tokens: totalTokens(usage),
      web_searches: usage.webSearches,
      source: receipt.usageSource,
      estimated: isEstimated(receipt),
      clamped: usage.clamped,
      input_capped: receipt.inputLoss > 0n,
    },
    currency: "usd" as const,
    price_version: receipt.priceVersion === null ? null : planVersion(receipt.priceVersion),
    lines: charge.lines.map((line) => ({
      item: line.item,
      quantity: line.quantity,
      unit_price: formatPico(line.unitPico),
      amount: formatPico(line.amountPico),
    })),
    cost: formatUsd(charge.amount),
    held: accountRead ? formatUsd(receipt.held) : null,
    clamped_to: accountRead ? receipt.outputClamp : null,
    first_byte_ms: receipt.firstByteMs,
    duration_ms: receipt.durationMs,
    requests: receipt.requests,
    last_at: receipt.lastAtMs === null ? null : new Date(receipt.lastAtMs).toISOString(),
  };
}

/** The receipt of one request, by its id or by the id of its answer. */
export async function showGeneration(services: Services, incoming: Incoming) {
  const { key, timeBudget } = await identifyReader(services, "generation", incoming);
  const id = incoming.url.searchParams.get("id");
  if (!id) {
    throw new Fault("missing_required_parameter", "Missing required parameter: 'id'.", {
      param: "id",
    });
  }
  const keyId = key.accountRead ? undefined : key.id;
  const receipt = await services.books.findReceipt(id, key.accountId, keyId, timeBudget);
  if (!receipt) {
    throw new Fault("not_found", `No generation with id '${id.slice(0, 100)}' was found.`, {
      param: "id",
    });
  }
  // A key says whose account it is of, not who uses it: members of the operator's need not be operators.
  return receiptToJson(receipt, { operator: false, accountRead: key.accountRead });
}
