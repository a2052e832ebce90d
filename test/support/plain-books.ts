import { OperatorReads } from "../../src/store/console/operator-books.ts";
import type { MoneyReader, ReadStatement } from "../../src/store/money-reads/reader.ts";
import type { Site } from "../store/engines.ts";

/** A text with its values written into it: tests read past the store, which takes no parameters. */
function filled({ text, params }: ReadStatement): string {
  return text.replace(/\$(\d+)/g, (_, place: string) => {
    const value = params[Number(place) - 1];
    return typeof value === "number" ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
  });
}

function readerOf(site: Site): MoneyReader {
  return {
    nowMsSql: "0",
    read: (statements) => Promise.all(statements.map((each) => site.raw(filled(each)))),
    close: async () => {},
  };
}

/** What operators read, by the texts that serve, on a database of the tests. */
export class PlainBooks extends OperatorReads {
  constructor(site: Site) {
    super(readerOf(site), async () => ({ engine: "sqlite", bytes: 1, parts: [] }));
  }
}
