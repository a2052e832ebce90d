import type { RequestFilter, RequestPage, RequestQuery, RequestRow } from "../../console/store.ts";
import { idTime } from "../../lib/ids.ts";
import type { Integer } from "../keys/key-rows.ts";
import { HOUR_MS } from "../reads/rollups.ts";
import { Places } from "./places.ts";
import { type MoneyReader, type ReadStatement, readRows, statement } from "./reader.ts";
import { countedFor, type Guide, readGuide } from "./request-guide.ts";
import {
  filterConditions,
  REQUEST_COLUMNS,
  type RequestCells,
  readRequest,
} from "./request-rows.ts";
import { type IdSpan, requestIdAt, requestIdBehind, spansOf } from "./request-spans.ts";

/** How much one page may cost, whatever it searches for. */
export interface SearchLimits {
  /** Receipts that are looked at. */
  readonly rowsMax: number;
  /** Days of sums that a search is guided by at a time, and how many of them it may go into. */
  readonly guideDays: number;
  readonly daysMax: number;
  /** Guides that are followed before a page is given out that is not full. */
  readonly guidesMax: number;
}

const LIMITS: SearchLimits = { rowsMax: 30_000, guideDays: 96, daysMax: 14, guidesMax: 3 };

/** The longest that a request may have run before it shows in the tail of one that came after it. */
const TAIL_MS = 20 * 60_000;
/** Rows that are looked at for a tail. */
const TAIL_ROWS = 1_000;
/** Settlements of the same moment are written in any order. */
const TAIL_OVERLAP_MS = 2_000;
/** When a receipt `r` was last written. */
const ENDED = "coalesce(r.last_at, r.created_at + r.duration_ms)";
/** Nothing sorts behind it. */
const LAST_ID = "req_~";

/** How far a search has come. */
interface Walk {
  readonly rows: RequestRow[];
  within: IdSpan;
  left: number;
}

function isFiltered({ keyId, model, status }: RequestFilter): boolean {
  return keyId !== undefined || model !== undefined || status !== undefined;
}

function withinOf({ fromMs, toMs, beforeId }: RequestQuery): IdSpan {
  const before = beforeId ?? LAST_ID;
  const high = toMs === undefined ? LAST_ID : requestIdBehind(toMs);
  // An id is a little older than the time of its request.
  return { low: requestIdAt((fromMs ?? 0) - 1_000), high: before < high ? before : high };
}

/** What a query asks of every receipt, beyond its account. */
function conditionsOf(query: RequestQuery, places: Places): string {
  const conditions = filterConditions(query, places);
  if (query.fromMs !== undefined) conditions.push(`r.created_at >= ${places.add(query.fromMs)}`);
  if (query.toMs !== undefined) conditions.push(`r.created_at < ${places.add(query.toMs)}`);
  return conditions.map((condition) => ` and ${condition}`).join("");
}

/**
 * Receipts of an account within a span, to be walked from the end of it. Account and id are compared
 * as one, because only the index of both has that order: asked for the newest ids alone, PostgreSQL
 * may walk through the requests of everybody, which has no end for an account that has long been
 * silent. `account` is the place of its id.
 */
function withinSql(account: string, { low, high }: IdSpan, places: Places): string {
  return `(r.account_id, r.id) >= (${account}, ${places.add(low)})
    and (r.account_id, r.id) < (${account}, ${places.add(high)})`;
}

const NEWEST_FIRST = "order by r.account_id desc, r.id desc";

/**
 * The newest rows of some spans that fit. The spans do not overlap, and each is left as soon as it
 * has had enough.
 */
function searchSql(query: RequestQuery, spans: readonly IdSpan[], limit: number): ReadStatement {
  const places = new Places();
  const account = places.add(query.accountId);
  // Values that all spans share have their places behind the first span's, where they appear first.
  let rest: string | undefined;
  const parts = spans.map((span) => {
    const within = withinSql(account, span, places);
    rest ??= `${conditionsOf(query, places)} ${NEWEST_FIRST} limit ${places.add(limit)}`;
    return `select id from (select r.id from receipts r where ${within}${rest}) part`;
  });
  return statement(
    `with parts(id) as (${parts.join(" union all ")}),
       found(id) as (select id from parts order by id desc limit ${places.add(limit)})
     select ${REQUEST_COLUMNS} from found f
       join receipts r on r.id = f.id left join keys k on k.id = r.key_id
     order by r.id desc`,
    ...places.params,
  );
}

/** The lists of requests. Pages go by the index of an account's ids, which sort by time. */
export class RequestReads {
  readonly #reader: MoneyReader;

  readonly #limits: SearchLimits;

  constructor(reader: MoneyReader, limits = LIMITS) {
    this.#reader = reader;
    this.#limits = limits;
  }

  async list(query: RequestQuery): Promise<RequestPage> {
    const within = withinOf(query);
    if (isFiltered(query)) return this.#search(query, within);
    const rows = await this.#rows(searchSql(query, [within], query.limit + 1));
    return pageOf(rows, query.limit, null);
  }

  /**
   * What is rare is not searched for among everything: sums say in which hours it is, and only the
   * receipts of those are looked at.
   */
  async #search(query: RequestQuery, start: IdSpan): Promise<RequestPage> {
    const walk: Walk = { rows: [], within: start, left: this.#limits.rowsMax };
    for (let guides = 1; ; guides++) {
      const wanted = query.limit + 1 - walk.rows.length;
      const limits = { ...this.#limits, wanted };
      const guide = await readGuide(this.#reader, query, walk.within, limits);
      if (!(await this.#follow(query, guide, walk))) {
        return pageOf(walk.rows, query.limit, walk.within.high);
      }
      const { rows, within } = walk;
      if (rows.length > query.limit || guide.fromHour === null)
        return pageOf(rows, query.limit, null);
      const high = requestIdAt(guide.fromHour * HOUR_MS);
      if (high < within.high) walk.within = { ...within, high };
      if (guides === this.#limits.guidesMax) return pageOf(rows, query.limit, walk.within.high);
    }
  }

  /** Takes what a guide leads to, until there is enough. False when it had to be left before. */
  async #follow(query: RequestQuery, guide: Guide, walk: Walk): Promise<boolean> {
    const enough = query.limit + 1;
    for (let at = 0; at < guide.hours.length && walk.rows.length < enough; ) {
      if (walk.left <= 0) return false;
      const wanted = enough - walk.rows.length;
      const counts = { wanted: countedFor(query, wanted), rowsMax: walk.left };
      const { spans, used, rows } = spansOf(guide.hours.slice(at), walk.within, counts);
      const bounded = rows > walk.left ? await this.#bounded(query, spans, walk.left) : spans;
      walk.rows.push(...(await this.#found(query, bounded, wanted)));
      walk.left -= rows;
      at += used;
      const reached = bounded.at(-1)?.low;
      if (reached !== undefined) walk.within = { ...walk.within, high: reached };
      if (bounded !== spans && walk.rows.length < enough) return false;
    }
    return true;
  }

  async #found(
    query: RequestQuery,
    spans: readonly IdSpan[],
    limit: number,
  ): Promise<readonly RequestRow[]> {
    return spans.length === 0 ? [] : this.#rows(searchSql(query, spans, limit));
  }

  /** An hour of more rows than may be looked at: the newest part of it. */
  async #bounded(
    { accountId }: RequestQuery,
    spans: readonly IdSpan[],
    rowsMax: number,
  ): Promise<readonly IdSpan[]> {
    const [span] = spans;
    if (!span) return spans;
    const places = new Places();
    const within = withinSql(places.add(accountId), span, places);
    const text = `select r.id from receipts r where ${within} ${NEWEST_FIRST}
      limit 1 offset ${places.add(rowsMax)}`;
    const [floor] = await readRows<{ id: string }>(this.#reader, statement(text, ...places.params));
    return floor ? [{ low: floor.id, high: span.high }] : spans;
  }

  async #rows(asked: ReadStatement): Promise<readonly RequestRow[]> {
    return (await readRows<RequestCells>(this.#reader, asked)).map(readRequest);
  }

  /** What came after a request, or ended after it and had begun before. */
  async since(filter: RequestFilter, id: string, limit: number): Promise<readonly RequestRow[]> {
    const bornMs = idTime(id) ?? 0;
    const [known] = await readRows<{ ended: Integer }>(
      this.#reader,
      statement(
        `select ${ENDED} as ended from receipts r where r.id = $1 and r.account_id = $2`,
        id,
        filter.accountId,
      ),
    );
    const endedMs = Number(known?.ended ?? bornMs);
    const places = new Places();
    const since = { low: requestIdAt(bornMs - TAIL_MS), high: LAST_ID };
    const within = withinSql(places.add(filter.accountId), since, places);
    const newest = `select * from receipts r where ${within} ${NEWEST_FIRST}
      limit ${places.add(TAIL_ROWS)}`;
    const me = places.add(id);
    const news = `(r.id > ${me} or ${ENDED} > ${places.add(endedMs - TAIL_OVERLAP_MS)})`;
    // What refusals share is given again, as more of them may have come.
    const conditions = [
      `(r.id <> ${me} or r.last_at is not null)`,
      news,
      ...filterConditions(filter, places),
    ];
    return this.#rows(
      statement(
        `select ${REQUEST_COLUMNS} from (${newest}) r left join keys k on k.id = r.key_id
         where ${conditions.join(" and ")} order by r.id desc limit ${places.add(limit)}`,
        ...places.params,
      ),
    );
  }

  async byId(accountId: string, id: string): Promise<readonly RequestRow[]> {
    const column = id.startsWith("req_") ? "id" : "response_id";
    return this.#rows(
      statement(
        `select ${REQUEST_COLUMNS} from receipts r left join keys k on k.id = r.key_id
         where r.${column} = $1 and r.account_id = $2 order by r.id desc limit 8`,
        id,
        accountId,
      ),
    );
  }
}

function pageOf(rows: readonly RequestRow[], limit: number, reached: string | null): RequestPage {
  const shown = rows.slice(0, limit);
  const next = rows.length > limit ? (shown.at(-1)?.id ?? null) : reached;
  return { rows: shown, next };
}
