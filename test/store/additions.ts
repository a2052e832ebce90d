// What an older program does not notice of a version, while it goes on beside the newer one that brought it.

interface Made {
  /** Tables and columns (`table.column`) that this very text makes, and nobody has used before. */
  readonly names: Set<string>;
  /** Constraints that it drops, to put others in their places. */
  readonly dropped: Set<string>;
}

/** Each way to add something, and whether a statement that looks like it does no more than that. */
const ADDITIONS: readonly (readonly [RegExp, (found: string[], made: Made) => boolean])[] = [
  [/^create table (?:if not exists )?(\w+)/, ([table = ""], { names }) => !!names.add(table)],
  [/^create index \w+ on \w+/, () => true],
  // Older programs know nothing of it, and may write what it refuses.
  [/^create unique index \w+ on (\w+)/, ([table = ""], { names }) => names.has(table)],
  [
    /^alter table (\w+) add column (\w+)( .*)$/,
    ([table, column, rest = ""], { names }) => {
      names.add(`${table}.${column}`);
      return !/\bunique\b/.test(rest) && (!/\bnot null\b/.test(rest) || /\bdefault\b/.test(rest));
    },
  ],
  [/^update (\w+) set (\w+) =/, ([table, column], { names }) => names.has(`${table}.${column}`)],
  [/^insert into (\w+)/, ([table = ""], { names }) => names.has(table)],
  [/^alter table \w+ drop constraint (\w+)$/, ([name = ""], { dropped }) => !!dropped.add(name)],
  [
    /^alter table \w+ add constraint (\w+) check\b/,
    ([name = ""], { dropped }) => dropped.delete(name),
  ],
  [/^alter table (\w+) /, ([table = ""], { names }) => names.has(table)],
];

function isAddition(statement: string, made: Made): boolean {
  for (const [pattern, judge] of ADDITIONS) {
    const found = pattern.exec(statement);
    if (found) return judge(found.slice(1), made);
  }
  return false;
}

/** Where its author says in a comment what older programs make of it. */
const JUDGED = /--[^\n]*\bolder programs\b/i;

/** The statements of a version that do more than add something. */
export function unlikeAdditions(text: string): string[] {
  const made: Made = { names: new Set(), dropped: new Set() };
  const pieces = text.split(/;\s*(?:\n|$)/).filter((piece) => !JUDGED.test(piece));
  const statements = pieces.map((piece) =>
    piece
      .replaceAll(/--[^\n]*/g, "")
      .replaceAll(/\s+/g, " ")
      .trim()
      .toLowerCase(),
  );
  const others = statements.filter((each) => each !== "" && !isAddition(each, made));
  return [...others, ...[...made.dropped].map((name) => `drop constraint ${name}`)];
}
