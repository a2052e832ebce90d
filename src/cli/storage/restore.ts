import { resolve } from "node:path";
import type { Config } from "../../config/config.ts";
import { findOwnSecret } from "../../lib/secrets/secret-file.ts";
import { fitOf } from "../../store/secret/secret-fit.ts";
import { restore as restoreFolder } from "../../store/sqlite/backup/restore.ts";
import { mistake, readArguments } from "../terminal/arguments.ts";
import { print } from "../terminal/print.ts";
import { screenFor, withProgress } from "../terminal/progress.ts";
import { say } from "../words/language.ts";
import { inWords } from "./backup-mistakes.ts";

const SECRET_WORDS = {
  fits: undefined,
  missing: "restoredSecretMissing",
  another: "restoredSecretAnother",
  changing: "restoredSecretChanging",
} as const;

/** `restore FILE`: a backup into the data folder, proved before it takes its place. */
export async function restore(config: Config, argv: readonly string[]): Promise<number> {
  const { words, options } = readArguments(argv, ["force?", "accept-problems?", "json?"]);
  const [file, ...others] = words;
  if (!file || others.length > 0) throw mistake("restoreUnnamed");
  if (config.databaseUrl !== undefined) throw mistake("restoreByPgRestore");
  const [source, folder] = [resolve(file), resolve(config.dataDir)];
  const asked = {
    ...{ source, dataDir: folder, force: options.force === true },
    acceptProblems: options["accept-problems"] === true,
  };
  try {
    const done = await withProgress(
      (progress) => restoreFolder(asked, progress),
      screenFor(options),
    );
    const { books, aside, manifest } = done;
    const { accounts, keys, entries, receipts } = books;
    // Whether what is sealed can be opened by the next server that starts here.
    const secret = fitOf(done.secretState, config.secret ?? findOwnSecret(config.dataDir));
    const facts = { created_at: manifest.created_at, accounts, keys, entries, receipts };
    print(
      options,
      { folder, ...facts, moved_aside: aside ?? null, secret, problems: books.problems },
      () => {
        const secretWord = SECRET_WORDS[secret];
        return [
          say("restored", { file: source, folder, moment: manifest.created_at }),
          say(books.problems.length === 0 ? "booksRight" : "booksWrong"),
          ...books.problems.map((problem) => `  ${problem}`),
          say("booksSum", { accounts, keys, entries, receipts, holds: books.openHolds }),
          ...(aside === undefined ? [] : [say("movedAside", { aside })]),
          ...(secretWord ? [say(secretWord)] : []),
        ].join("\n");
      },
    );
    return 0;
  } catch (thrown) {
    throw inWords(thrown, { file: source, folder });
  }
}
