import { SQLiteError } from "bun:sqlite";
import { SecretError } from "../../compose/secret-error.ts";
import { ConfigError } from "../../config/config.ts";
import { Fault, StorageError } from "../../lib/faults.ts";
import { FullDiskError } from "../../lib/files/full-disk.ts";
import { RefusedPathError } from "../../lib/secrets/refused-paths.ts";
import { DatabaseInUseError, MissingDatabaseError, UnfitDatabaseError } from "../../store/store.ts";
import { exitCodeOf, faultWords } from "../draft/draft-words.ts";
import { say } from "../words/language.ts";
import { mistakeOf, UsageError } from "./arguments.ts";
import { UnknownOutcomeError } from "./unknown-outcome.ts";

const MISTAKE_EXIT = 2;
const BUG_EXIT = 1;

/** An error as programs read it, in the shape of the server's, and as people do. */
interface Report {
  readonly error: Readonly<Record<string, unknown>>;
  readonly words: string;
  readonly exitCode: number;
}

/** Mistakes that have a class of their own: what they are called, and whose doing they are. */
const KINDS = [
  [ConfigError, "invalid_setting", "invalid_request_error"],
  [SecretError, "secret_refused", "invalid_request_error"],
  [MissingDatabaseError, "no_database", "invalid_request_error"],
  [UnfitDatabaseError, "database_unfit", "invalid_request_error"],
  [DatabaseInUseError, "database_in_use", "service_unavailable_error"],
  [StorageError, "storage_unavailable", "service_unavailable_error"],
  [SQLiteError, "storage_unavailable", "service_unavailable_error"],
] as const;

function told(thrown: unknown): Report {
  if (thrown instanceof Fault) {
    const words = `faregate: ${faultWords(thrown)}`;
    return { error: thrown.toJson(), words, exitCode: exitCodeOf(thrown) };
  }
  if (thrown instanceof UsageError) {
    const hint = thrown.code === "invalid_usage" ? `\n${say("runHelp")}` : "";
    const words = `faregate: ${thrown.words}${hint}`;
    return { error: thrown.toJson(), words, exitCode: thrown.exitCode ?? MISTAKE_EXIT };
  }
  if (thrown instanceof RefusedPathError) {
    const { path, access, reason } = thrown;
    const refused = "storage_unavailable";
    if (access === "read") return told(mistakeOf(refused, "dataUnreadable", { path, reason }));
    return told(mistakeOf(refused, "dataUnwritable", { folder: path, reason }));
  }
  if (thrown instanceof FullDiskError) {
    return told(mistakeOf("storage_unavailable", "dataFull", { folder: thrown.folder }));
  }
  if (thrown instanceof UnknownOutcomeError) {
    const words = `faregate: ${thrown.words}`;
    return { error: thrown.toJson(), words, exitCode: MISTAKE_EXIT };
  }
  const kind = KINDS.find(([known]) => thrown instanceof known);
  if (kind) {
    const [, code, type] = kind;
    const { message } = thrown as Error;
    const error = { message, type, code, param: null };
    return { error, words: `faregate: ${message}`, exitCode: MISTAKE_EXIT };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const error = { message, type: "server_error", code: "internal_error", param: null };
  return { error, words: Bun.inspect(thrown), exitCode: BUG_EXIT };
}

/** Whether what is printed is for a program: behind `--` stand only words. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.slice(0, end < 0 ? undefined : end).includes("--json");
}

/**
 * Tells what went wrong and resolves with the exit code. Mistakes of whoever typed the command are told in a
 * line, anything else with its trace. With --json the error also stands where the answer would have.
 */
export function explain(thrown: unknown, argv: readonly string[]): number {
  const { error, words, exitCode } = told(thrown);
  if (wantsJson(argv)) process.stdout.write(`${JSON.stringify({ error })}\n`);
  process.stderr.write(`${words}\n`);
  return exitCode;
}
