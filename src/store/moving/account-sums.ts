/**
 * What every account has and has used, as texts that run on both databases and give rows of texts. Each column has a name, or one
 * of the databases would give two of them as one. They are compared row by row, whatever order they come in.
 */
export const ACCOUNT_SUMS: readonly { readonly of: string; readonly sql: string }[] = [
  {
    of: "balance",
    sql: `select id, kind, cast(coalesce(max, -1) as text) as credited, cast(used as text) as used,
        cast(held as text) as held
      from scopes`,
  },
  {
    of: "entries",
    sql: `select account_id, kind, cast(count(*) as text) as count, cast(sum(amount) as text) as amount
      from entries group by account_id, kind`,
  },
  {
    of: "receipts",
    sql: `select account_id, cast(count(*) as text) as count, cast(sum(cost) as text) as cost,
        cast(sum(held) as text) as held, cast(sum(requests) as text) as requests
      from receipts group by account_id`,
  },
];

export function accountLine(of: string, row: readonly unknown[]): string {
  return `${of}: ${row.join(" ")}`;
}

/** Lines that only one side has, with the side. */
export function differences(source: readonly string[], target: readonly string[]): string[] {
  const [here, there] = [new Set(source), new Set(target)];
  return [
    ...source.filter((line) => !there.has(line)).map((line) => `SQLite: ${line}`),
    ...target.filter((line) => !here.has(line)).map((line) => `PostgreSQL: ${line}`),
  ];
}
