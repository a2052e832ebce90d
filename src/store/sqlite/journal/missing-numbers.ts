import type { Database } from "bun:sqlite";

interface Span {
  readonly first: number;
  readonly last: number;
}

const spanned = ({ first, last }: Span) => (first === last ? `${first}` : `${first} to ${last}`);

/** Numbers between those that are there. The database gives each entry the next one, and none is ever taken out. */
const ENTRIES_SQL = `
  select before + 1 as first, seq - 1 as last from (
    select seq, lag(seq, 1, 0) over (order by seq) as before from entries
  ) where seq > before + 1 order by seq`;

/** What was settled since the lines before became rows. */
const LINES_SQL = `
  select before + 1 as first, seq - 1 as last from (
    select seq, lag(seq, 1, (select applied from journal_position)) over (order by seq) as before
    from journal
  ) where seq > before + 1 order by seq`;

const GAPS_SQL = "select first, last from journal_gaps order by first";

/**
 * What is not there any more, by numbers that have no gap as long as nothing is lost. Sums cannot tell: what is left
 * by a log that was cut, or by a copy of an earlier day, adds up.
 */
export function missingNumbers(db: Database): string[] {
  const found = (text: string) => db.query<Span, []>(text).all();
  return [
    ...found(ENTRIES_SQL).map((span) => `entries: ${spanned(span)} missing; rows were taken out`),
    ...[...found(GAPS_SQL), ...found(LINES_SQL)].map(
      (span) =>
        `journal: ${spanned(span)} missing; what was settled there is lost: the log was cut, or an older ` +
        "faregate.sqlite was put in its place",
    ),
  ];
}
