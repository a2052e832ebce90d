import { formatUsd } from "../catalogue/money.ts";
import { systemClock } from "../lib/clock.ts";
import { namedAccount } from "./account.ts";
import type { CommandContext } from "./context.ts";
import { count, mistake, type Options, readOptions, text } from "./terminal/arguments.ts";
import { print, table } from "./terminal/print.ts";
import { say } from "./words/language.ts";

const DAY_MS = 86_400_000;
const DAYS_DEFAULT = 30;

/** Whose usage is wanted. An id that is mistyped would read as one that has used nothing. */
async function wanted(context: CommandContext, options: Options) {
  const accountId = await namedAccount(context, options);
  const keyId = text(options, "key");
  if (keyId === undefined) return { accountId, keyId };
  // What a deleted key has used stays in the books.
  const key = await context.store.accounts.describeKey(keyId);
  if (!key) throw mistake("noKey", { id: keyId });
  if (accountId !== undefined && key.accountId !== accountId) {
    throw mistake("keyOfOther", { id: keyId, owner: key.accountId, account: accountId });
  }
  return { accountId, keyId };
}

/** What was used, by day, key and model. */
export async function usage(context: CommandContext, argv: readonly string[]): Promise<void> {
  const options = readOptions(argv, ["account", "key", "days", "json?"]);
  const days = count(options, "days") ?? DAYS_DEFAULT;
  const rows = await context.store.ledger.usage({
    ...(await wanted(context, options)),
    sinceMs: systemClock() - days * DAY_MS,
  });
  const requests = rows.reduce((sum, row) => sum + row.requests, 0);
  const failures = rows.reduce((sum, row) => sum + row.failures, 0);
  const cost = formatUsd(rows.reduce((sum, row) => sum + row.cost, 0n));
  const wire = rows.map((row) => ({
    day: row.day,
    account: row.accountId,
    key: row.keyId,
    model: row.model,
    requests: row.requests,
    failures: row.failures,
    input_tokens: row.inputTokens,
    output_tokens: row.outputTokens,
    cost: formatUsd(row.cost),
  }));
  print(options, { days, requests, failures, cost, rows: wire }, () => {
    const lines = wire.map((row) => ({
      [say("column_day")]: row.day,
      [say("column_key")]: row.key,
      [say("column_model")]: row.model || say("noModel"),
      [say("column_requests")]: row.requests,
      [say("column_failures")]: row.failures,
      [say("column_inputTokens")]: row.input_tokens,
      [say("column_outputTokens")]: row.output_tokens,
      [say("column_cost")]: row.cost,
    }));
    return `${table(lines)}\n\n${say("usageSum", { requests, failures, cost, days })}`;
  });
}
