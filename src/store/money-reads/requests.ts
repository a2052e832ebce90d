import type { RequestFilter, RequestPage, RequestQuery, RequestRow } from "../../console/store.ts";
import { idTime } from "../../lib/ids.ts";
import type { Integer } from "../keys/key-rows.ts";
import { HOUR_MS } from "../reads/rollups.ts";
import { type MoneyReader, type ReadStatement, readRows, statement } from "./reader.ts";
import { countedFor, type Guide, readGuide } from "./request-guide.ts";
import {
  filterConditions,
  REQUEST_COLUMNS,
  type RequestCells,
  readRequest,
} from "./request-rows.ts";
import {
  type IdSpan,
  requestIdAt,
  requestIdBefore,
  requestIdBehind,
  spansOf,
} from "./request-spans.ts";
import {
  astrayFloorSql,
  astraySql,
  NEWEST_FIRST,
  searchSql,
  withinSql,
} from "./request-statements.ts";
import { StatementParameters } from "./statement-parameters.ts";

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

/** What was found, the newest first: one more than asked for, where there is one. */
interface Found {
  readonly rows: readonly RequestRow[];
  /** Where a search was left before it had enough; null where there is nothing further. */
  readonly reached: string | null;
}

/** How far a search has come. */
interface Walk {
  readonly rows: RequestRow[];
  within: IdSpan;
  left: number;
}

function isFiltered({ keyId, model, status }: RequestFilter): boolean {
  return keyId !== undefined || model !== undefined || status !== undefined;
}

function isOfSomeTime({ fromMs, toMs }: RequestQuery): boolean {
  return fromMs !== undefined || toMs !== undefined;
}

function withinOf({ fromMs, toMs, beforeId }: RequestQuery): IdSpan {
  const before = beforeId ?? LAST_ID;
  const high = toMs === undefined ? LAST_ID : requestIdBehind(toMs);
  return { low: requestIdBefore(fromMs ?? 0), high: before < high ? before : high };
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
    const { limit } = query;
    const within = withinOf(query);
    const found = isFiltered(query)
      ? await this.#search(query, within)
      : { rows: await this.#rows(searchSql(query, [within], limit + 1)), reached: null };
    // Who asks for everything has walked through all ids, whatever times they tell.
    const isAll = !isFiltered(query) && !isOfSomeTime(query);
    return pageOf(isAll ? found : await this.#withAstray(query, found), limit);
  }

  /**
   * What was found by the times of ids, and beside it the requests whose ids tell another time: in one order, and
   * each once.
   */
  async #withAstray(query: RequestQuery, { rows, reached }: Found): Promise<Found> {
    const { limit, beforeId: high = LAST_ID } = query;
    const { rowsMax } = this.#limits;
    const low = (rows.length > limit ? rows.at(-1)?.id : reached) ?? "";
    const span = { low, high };
    const [cells = [], floors = []] = await this.#reader.read([
      astraySql(query, span, rowsMax),
      astrayFloorSql(query, span, rowsMax),
    ]);
    const astray = (cells as readonly RequestCells[]).map(readRequest);
    const each = new Map([...rows, ...astray].map((row) => [row.id, row]));
    const newest = [...each.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1));
    const [floor] = floors as readonly { readonly id: string }[];
    if (!floor) return { rows: newest, reached };
    return { rows: newest.filter(({ id }) => id >= floor.id), reached: floor.id };
  }

  /**
   * What is rare is not searched for among everything: sums say in which hours it is, and only the
   * receipts of those are looked at.
   */
  async #search(query: RequestQuery, start: IdSpan): Promise<Found> {
    const walk: Walk = { rows: [], within: start, left: this.#limits.rowsMax };
    for (let guides = 1; ; guides++) {
      const wanted = query.limit + 1 - walk.rows.length;
      const limits = { ...this.#limits, wanted };
      const guide = await readGuide(this.#reader, query, walk.within, limits);
      if (!(await this.#follow(query, guide, walk))) {
        return { rows: walk.rows, reached: walk.within.high };
      }
      const { rows, within } = walk;
      if (rows.length > query.limit || guide.fromHour === null) return { rows, reached: null };
      const high = requestIdAt(guide.fromHour * HOUR_MS);
      if (high < within.high) walk.within = { ...within, high };
      if (guides === this.#limits.guidesMax) return { rows, reached: walk.within.high };
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
    const parameters = new StatementParameters();
    const within = withinSql(parameters.add(accountId), span, parameters);
    const text = `select r.id from receipts r where ${within} ${NEWEST_FIRST}
      limit 1 offset ${parameters.add(rowsMax)}`;
    const [floor] = await readRows<{ id: string }>(
      this.#reader,
      statement(text, ...parameters.params),
    );
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
    const parameters = new StatementParameters();
    const since = { low: requestIdAt(bornMs - TAIL_MS), high: LAST_ID };
    const within = withinSql(parameters.add(filter.accountId), since, parameters);
    const newest = `select * from receipts r where ${within} ${NEWEST_FIRST}
      limit ${parameters.add(TAIL_ROWS)}`;
    const me = parameters.add(id);
    const news = `(r.id > ${me} or ${ENDED} > ${parameters.add(endedMs - TAIL_OVERLAP_MS)})`;
    // What refusals share is given again, as more of them may have come.
    const conditions = [
      `(r.id <> ${me} or r.last_at is not null)`,
      news,
      ...filterConditions(filter, parameters),
    ];
    return this.#rows(
      statement(
        `select ${REQUEST_COLUMNS} from (${newest}) r left join keys k on k.id = r.key_id
         where ${conditions.join(" and ")} order by r.id desc limit ${parameters.add(limit)}`,
        ...parameters.params,
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

function pageOf({ rows, reached }: Found, limit: number): RequestPage {
  const shown = rows.slice(0, limit);
  const next = rows.length > limit ? (shown.at(-1)?.id ?? null) : reached;
  return { rows: shown, next };
}
