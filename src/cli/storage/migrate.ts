import { resolve } from "node:path";
import type { Config } from "../../config/config.ts";
import { moveToPostgres } from "../../store/moving/move.ts";
import { MoveFault } from "../../store/moving/move-fault.ts";
import { DatabaseInUseError } from "../../store/store.ts";
import { mistake, mistakeOf, readOptions, text } from "../terminal/arguments.ts";
import { print } from "../terminal/print.ts";
import { screenFor, withProgress } from "../terminal/progress.ts";
import { say } from "../words/language.ts";

const PROTOCOLS = ["postgres:", "postgresql:"];

function inWords(thrown: unknown, folder: string): unknown {
  if (thrown instanceof DatabaseInUseError)
    return mistakeOf("database_in_use", "folderInUse", { folder });
  if (!(thrown instanceof MoveFault)) return thrown;
  const { trouble, detail } = thrown;
  switch (trouble) {
    case "not_empty":
      return mistake("moveNotEmpty", { table: detail });
    case "wrong_books":
      return mistake("moveBooksWrong", { problems: detail });
    case "differs":
      return mistake("moveDiffers", { problems: detail });
    case "refused":
      return mistakeOf("storage_unavailable", "moveRefused", { reason: detail });
    case "unknown":
      return mistakeOf("storage_unavailable", "moveUnknown");
  }
}

/** `migrate --to postgres://…`: the installation moves from its files into PostgreSQL. */
export async function migrate(config: Config, argv: readonly string[]): Promise<number> {
  const options = readOptions(argv, ["to", "accept-problems?", "json?"]);
  const url = text(options, "to");
  if (url === undefined) throw mistake("optionMissing", { option: "--to" });
  if (!URL.canParse(url) || !PROTOCOLS.includes(new URL(url).protocol)) {
    throw mistake("notPostgresUrl", { option: "--to" });
  }
  if (config.databaseUrl !== undefined) throw mistake("moveFromFiles");
  const folder = resolve(config.dataDir);
  const asked = { dataDir: folder, url, acceptProblems: options["accept-problems"] === true };
  try {
    const { tables, rows, books } = await withProgress(
      (progress) => moveToPostgres(asked, progress),
      screenFor(options),
    );
    const { accounts, keys, entries, receipts, problems } = books;
    print(options, { tables, rows, accounts, keys, entries, receipts, problems }, () =>
      [
        say("moved", { tables, rows }),
        say("booksSum", { accounts, keys, entries, receipts, holds: books.openHolds }),
        ...problems.map((problem) => `  ${problem}`),
        say("movedNext", { folder }),
        say(config.secret === undefined ? "movedSecretFile" : "movedSecret"),
      ].join("\n"),
    );
    return 0;
  } catch (thrown) {
    throw inWords(thrown, folder);
  }
}
