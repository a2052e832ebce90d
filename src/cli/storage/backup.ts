import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { version } from "../../../package.json" with { type: "json" };
import type { Config } from "../../config/config.ts";
import { backUp } from "../../store/sqlite/backup/backup.ts";
import { mistake, mistakeOf, readArguments } from "../terminal/arguments.ts";
import { print } from "../terminal/print.ts";
import { screenFor, withProgress } from "../terminal/progress.ts";
import { say } from "../words/language.ts";
import { inWords } from "./backup-mistakes.ts";
import { noteBackup } from "./last-backup.ts";

const MIB = 1_048_576;

/** What becomes of the secret: in the backup, in the environment, or for somebody to keep. */
function secretWords({ secret }: Config, withSecret: boolean): string {
  if (withSecret) return say("backupHasSecret");
  return say(secret === undefined ? "backupWithoutSecretFile" : "backupWithoutSecret");
}

const isFolder = (path: string) => existsSync(path) && statSync(path).isDirectory();

/** Before anything is copied: a backup is one file, in a folder that is there. */
function requirePlace(target: string): void {
  const folder = dirname(target);
  if (!isFolder(folder)) throw mistakeOf("file_not_found", "noFolder", { path: folder });
  if (!isFolder(target)) return;
  const example = join(target, "today.tar");
  throw mistakeOf("invalid_file", "backupIsFolder", { path: target, example });
}

/** `backup FILE`: everything of one moment in one file, while the server runs. */
export async function backup(config: Config, argv: readonly string[]): Promise<number> {
  const { words, options } = readArguments(argv, ["force?", "with-secret?", "json?"]);
  const [file, ...others] = words;
  if (!file || others.length > 0) throw mistake("backupUnnamed");
  if (config.databaseUrl !== undefined) throw mistake("backupByPgDump");
  const withSecret = options["with-secret"] === true;
  if (withSecret && !existsSync(join(config.dataDir, "secret.key"))) throw mistake("noSecretFile");
  const target = resolve(file);
  requirePlace(target);
  const { dataDir } = config;
  const asked = { dataDir, target, force: options.force === true, withSecret, program: version };
  try {
    const manifest = await withProgress((progress) => backUp(asked, progress), screenFor(options));
    noteBackup(dataDir, { file: target, atMs: Date.parse(manifest.created_at) });
    const bytes = statSync(target).size;
    const { receipts, entries, created_at: createdAt } = manifest;
    const value = {
      file: target,
      bytes,
      created_at: createdAt,
      receipts,
      entries,
      secret: withSecret,
    };
    print(options, value, () => {
      const size = (bytes / MIB).toFixed(1);
      const done = say("backedUp", { file: target, size, receipts, entries });
      return `${done}\n${secretWords(config, withSecret)}`;
    });
    return 0;
  } catch (thrown) {
    throw inWords(thrown, { file: target, folder: dirname(target) });
  }
}
