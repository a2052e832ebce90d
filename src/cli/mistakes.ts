import { SecretError } from "../compose-secret.ts";
import { ConfigError } from "../config.ts";
import { DatabaseInUseError, MissingDatabaseError } from "../store/store.ts";
import { UsageError } from "./arguments.ts";

const MISTAKE_EXIT = 2;
const BUG_EXIT = 1;

/** Mistakes of whoever typed the command are told in a line, anything else with its trace; the exit code. */
export function explain(thrown: unknown): number {
  const mistakes = [UsageError, ConfigError, SecretError];
  const expected = [...mistakes, MissingDatabaseError, DatabaseInUseError];
  if (!expected.some((kind) => thrown instanceof kind)) {
    process.stderr.write(`${Bun.inspect(thrown)}\n`);
    return BUG_EXIT;
  }
  process.stderr.write(`faregate: ${(thrown as Error).message}\n`);
  if (thrown instanceof UsageError) process.stderr.write('Run "faregate help" for the commands.\n');
  return MISTAKE_EXIT;
}
