// What the lists of requests ask of the database.
import type { RequestQuery } from "../../console/store.ts";
import { type ReadStatement, statement } from "./reader.ts";
import { filterConditions, REQUEST_COLUMNS } from "./request-rows.ts";
import type { IdSpan } from "./request-spans.ts";
import { StatementParameters } from "./statement-parameters.ts";

/** What a query asks of every receipt, beyond its account. */
function conditionsOf(query: RequestQuery, parameters: StatementParameters): string {
  const conditions = filterConditions(query, parameters);
  if (query.fromMs !== undefined)
    conditions.push(`r.created_at >= ${parameters.add(query.fromMs)}`);
  if (query.toMs !== undefined) conditions.push(`r.created_at < ${parameters.add(query.toMs)}`);
  return conditions.map((condition) => ` and ${condition}`).join("");
}

/**
 * Receipts of an account within a span, to be walked from the end of it. Account and id are compared
 * as one, because only the index of both has that order: asked for the newest ids alone, PostgreSQL
 * may walk through the requests of everybody, which has no end for an account that has long been
 * silent. `account` is the place of its id.
 */
export function withinSql(
  account: string,
  { low, high }: IdSpan,
  parameters: StatementParameters,
): string {
  return `(r.account_id, r.id) >= (${account}, ${parameters.add(low)})
    and (r.account_id, r.id) < (${account}, ${parameters.add(high)})`;
}

export const NEWEST_FIRST = "order by r.account_id desc, r.id desc";

/** What lists show of the ids that were found. */
const SHOWN_OF_FOUND = `select ${REQUEST_COLUMNS} from found f
    join receipts r on r.id = f.id left join keys k on k.id = r.key_id
  order by r.id desc`;

/**
 * The newest rows of some spans that fit. The spans do not overlap, and each is left as soon as it
 * has had enough.
 */
export function searchSql(
  query: RequestQuery,
  spans: readonly IdSpan[],
  limit: number,
): ReadStatement {
  const parameters = new StatementParameters();
  const account = parameters.add(query.accountId);
  // Values that all spans share have their places behind the first span's, where they appear first.
  let rest: string | undefined;
  const parts = spans.map((span) => {
    const within = withinSql(account, span, parameters);
    rest ??= `${conditionsOf(query, parameters)} ${NEWEST_FIRST} limit ${parameters.add(limit)}`;
    return `select id from (select r.id from receipts r where ${within}${rest}) part`;
  });
  return statement(
    `with parts(id) as (${parts.join(" union all ")}),
       found(id) as (select id from parts order by id desc limit ${parameters.add(limit)})
     ${SHOWN_OF_FOUND}`,
    ...parameters.params,
  );
}

/**
 * The newest that fit among the newest `rowsMax` of a span that are astray: one more than asked for, as elsewhere. Their
 * receipts are looked at one by one: PostgreSQL would join them with a walk through all that fit, but for the offset.
 */
export function astraySql(query: RequestQuery, span: IdSpan, rowsMax: number): ReadStatement {
  const parameters = new StatementParameters();
  const within = withinSql(parameters.add(query.accountId), span, parameters);
  return statement(
    `with looked as (select r.account_id, r.id from astray_receipts r where ${within}
         ${NEWEST_FIRST} limit ${parameters.add(rowsMax)}),
       found(id) as (select l.id from looked l where exists (select 1 from receipts r
           where r.id = l.id${conditionsOf(query, parameters)} limit 1 offset 0)
         order by l.account_id desc, l.id desc limit ${parameters.add(query.limit + 1)})
     ${SHOWN_OF_FOUND}`,
    ...parameters.params,
  );
}

/** The last one of those that are looked at, where there are so many. */
export function astrayFloorSql(
  { accountId }: RequestQuery,
  span: IdSpan,
  rowsMax: number,
): ReadStatement {
  const parameters = new StatementParameters();
  const within = withinSql(parameters.add(accountId), span, parameters);
  return statement(
    `select r.id from astray_receipts r where ${within} ${NEWEST_FIRST}
     limit 1 offset ${parameters.add(rowsMax - 1)}`,
    ...parameters.params,
  );
}
