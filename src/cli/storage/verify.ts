import type { Config } from "../../config/config.ts";
import type { FileProblem } from "../../store/sqlite/files/check-files.ts";
import type { VerifiedFolder } from "../../store/sqlite/files/verify-folder.ts";
import { withStore } from "../context.ts";
import { readOptions } from "../terminal/arguments.ts";
import { print } from "../terminal/print.ts";
import { screenFor, withWait } from "../terminal/progress.ts";
import { say, sayMistake } from "../words/language.ts";

/** For programs, and for whoever sits there. */
interface Report {
  readonly message: string;
  readonly words: string;
}

function fileWords({ file, kind, detail }: FileProblem): Report {
  if (kind === "missing") return sayMistake("fileMissing", { file });
  if (kind === "empty") return sayMistake("fileEmpty", { file });
  return sayMistake(kind === "damaged" ? "fileDamaged" : "fileUnreadable", { file, detail });
}

interface Found extends Pick<VerifiedFolder, "books"> {
  readonly problems: readonly Report[];
}

async function examine(config: Config): Promise<Found> {
  if (config.databaseUrl !== undefined) {
    const books = await withStore(config, ({ store }) => store.ledger.verify());
    return { problems: [], books };
  }
  const { verifyFolder } = await import("../../store/sqlite/files/verify-folder.ts");
  const { files, books } = await verifyFolder(config.dataDir);
  return { problems: files.map(fileWords), books };
}

/** Looks at the files and recomputes every sum of the books. Exit code 1 when something is wrong. */
export async function verify(config: Config, argv: readonly string[]): Promise<number> {
  const options = readOptions(argv, ["json?"]);
  const { problems: ofFiles, books } = await withWait(
    "proving",
    examine(config),
    screenFor(options),
  );
  const ofBooks = books?.problems.map((problem) => ({ message: problem, words: problem })) ?? [];
  const problems = [...ofFiles, ...ofBooks];
  const ok = problems.length === 0;
  const value = {
    ok,
    accounts: books?.accounts ?? null,
    keys: books?.keys ?? null,
    entries: books?.entries ?? null,
    receipts: books?.receipts ?? null,
    open_holds: books?.openHolds ?? null,
    problems: problems.map(({ message }) => message),
  };
  print(options, value, () =>
    [
      ok ? say("booksRight") : say("booksWrong"),
      ...problems.map(({ words }) => `  ${words}`),
      books ? say("booksSum", { ...books, holds: books.openHolds }) : say("booksNotAdded"),
    ].join("\n"),
  );
  return ok ? 0 : 1;
}
