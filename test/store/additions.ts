// What an older program does not notice of a version, while it goes on beside the newer one that brought it.

interface Made {
  /** Tables and columns (`table.column`) that this very text makes, and nobody has used before. */
  readonly names: Set<string>;
  /** Constraints that it drops, to put others in their places. */
  readonly dropped: Set<string>;
  /** The versions before it. */
  readonly before: string;
}

/** Each way to add something, and whether a statement that looks like it does no more than that. */
const ADDITIONS: readonly (readonly [RegExp, (found: string[], made: Made) => boolean])[] = [
  [/^create table (?:if not exists )?(\w+)/, ([table = ""], { names }) => !!names.add(table)],
  [/^create index \w+ on \w+/, () => true],
  // Of a name that nobody calls yet; what it does is no statement of the version, and taken out.
  [
    /^create function (\w+)\([^()]*\) returns \w+ language \w+$/,
    ([name = ""], { before }) => !before.includes(`function ${name}(`),
  ],
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

/** A comment, which stays, or what a function does: a comment may speak of the sign that such a body begins with. */
const COMMENT_OR_BODY = /--[^\n]*|\bas \$body\$.*?\$body\$/gs;

function withoutBodies(text: string): string {
  return text.replaceAll(COMMENT_OR_BODY, (found) => (found.startsWith("--") ? found : ""));
}

/** The statements of a version that do more than add something to the versions before it. */
export function unlikeAdditions(text: string, before: readonly string[] = []): string[] {
  const made: Made = { names: new Set(), dropped: new Set(), before: before.join("\n") };
  const pieces = withoutBodies(text)
    .split(/;\s*(?:\n|$)/)
    .filter((piece) => !JUDGED.test(piece));
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
