import { SecretError } from "../compose-secret.ts";
import { ConfigError } from "../config.ts";
import { DatabaseInUseError, MissingDatabaseError } from "../store/store.ts";
import { UsageError } from "./arguments.ts";

/** Mistakes of whoever typed the command are told in a line; anything else with its trace. */
export function explain(thrown: unknown): void {
  const mistakes = [UsageError, ConfigError, SecretError];
  const expected = [...mistakes, MissingDatabaseError, DatabaseInUseError];
  if (!expected.some((kind) => thrown instanceof kind)) throw thrown;
  process.stderr.write(`faregate: ${(thrown as Error).message}\n`);
  if (thrown instanceof UsageError) process.stderr.write('Run "faregate help" for the commands.\n');
  process.exitCode = 2;
}
