import { formatUsd } from "../catalogue/money.ts";
import { systemClock } from "../lib/clock.ts";
import { readArguments, text, UsageError, wholeNumber } from "./arguments.ts";
import type { CommandContext } from "./context.ts";
import { print, table } from "./print.ts";

const DAY_MS = 86_400_000;
const DAYS_DEFAULT = 30;

/** What was used, by day, key and model. */
export async function usage(context: CommandContext, argv: readonly string[]): Promise<void> {
  const { options } = readArguments(argv, ["account", "key", "days", "json?"]);
  const days = wholeNumber(options, "days") ?? DAYS_DEFAULT;
  if (days === 0) throw new UsageError("--days must be at least 1");
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
  print(options, { days, requests, failures, cost, rows: wire }, () =>
    [
      table(wire.map(({ account, ...row }) => ({ ...row, model: row.model || "(none)" }))),
      "",
      `${requests} requests, ${failures} of them refused or failed, ${cost} USD in ${days} days.`,
    ].join("\n"),
  );
}

/** Recomputes every sum of the books. Exit code 1 when one is wrong. */
export async function verify(context: CommandContext, argv: readonly string[]): Promise<void> {
  const { options } = readArguments(argv, ["json?"]);
  const found = await context.store.ledger.verify();
  const ok = found.problems.length === 0;
  const value = {
    ok,
    accounts: found.accounts,
    keys: found.keys,
    entries: found.entries,
    receipts: found.receipts,
    open_holds: found.openHolds,
    problems: found.problems,
  };
  print(options, value, () =>
    [
      ok ? "The books are right." : "The books are WRONG:",
      ...found.problems.map((problem) => `  ${problem}`),
      `${found.accounts} accounts, ${found.keys} keys, ${found.entries} entries, ` +
        `${found.receipts} receipts, ${found.openHolds} open holds.`,
    ].join("\n"),
  );
  if (!ok) process.exitCode = 1;
}
