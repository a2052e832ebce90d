import { formatUsd } from "../catalogue/money.ts";
import { systemClock } from "../lib/clock.ts";
import type { CommandContext } from "./context.ts";
import { mistake, readOptions, text, wholeNumber } from "./terminal/arguments.ts";
import { print, table } from "./terminal/print.ts";
import { say } from "./words/language.ts";

const DAY_MS = 86_400_000;
const DAYS_DEFAULT = 30;

/** What was used, by day, key and model. */
export async function usage(context: CommandContext, argv: readonly string[]): Promise<void> {
  const options = readOptions(argv, ["account", "key", "days", "json?"]);
  const days = wholeNumber(options, "days") ?? DAYS_DEFAULT;
  if (days === 0) throw mistake("daysZero", { option: "--days" });
  const rows = await context.store.ledger.usage({
    accountId: text(options, "account"),
    keyId: text(options, "key"),
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
