import type { Hit, SearchQuery, SearchStore } from "../../console/store.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import { type MoneyReader, readRows, statement } from "../money-reads/reader.ts";
import { containing } from "../reads/containing.ts";

interface HitRow {
  readonly id: string;
  readonly name: string;
  readonly hint: string | null;
  readonly account_id: string;
}

interface DraftRow {
  readonly id: string;
  readonly articles: string;
  readonly account_id: string;
}

/** Of drafts that have the words somewhere, so many are opened to see whether they are in a title. */
const DRAFTS_OPENED_MAX = 40;

function readHit({ id, name, hint, account_id: accountId }: HitRow): Hit {
  return { id, name, hint, accountId };
}

/** A condition made of parts, whose values are numbered as they come. */
class Condition {
  readonly params: (string | number)[] = [];
  readonly #parts: string[] = [];

  /** `?` is the place of each value. */
  and(text: string, ...values: readonly (string | number)[]): this {
    const rest = [...values];
    this.#parts.push(text.replace(/\?/g, () => this.place(rest.shift() ?? "")));
    return this;
  }

  /** A text is in one of some columns, or what else finds it is so. */
  named(columns: readonly string[], text: string, or: string, ...values: readonly string[]): this {
    return this.and(`(${this.#has(columns, text)} or ${or})`, ...values);
  }

  having(column: string, text: string): this {
    return this.and(this.#has([column], text));
  }

  #has(columns: readonly string[], text: string): string {
    return containing(columns, text, (value) => this.place(value));
  }

  within(column: string, accountId: string | undefined): this {
    return accountId === undefined ? this : this.and(`${column} = ?`, accountId);
  }

  place(value: string | number): string {
    return `$${this.params.push(value)}`;
  }

  toString(): string {
    return this.#parts.join(" and ");
  }
}

function titlesOf(articles: string): readonly string[] {
  const parsed = JSON.parse(articles) as readonly { readonly title?: string }[];
  return parsed.map(({ title }) => title ?? "");
}

/** The search over both databases, by the same texts on both engines. */
export class SearchReads implements SearchStore {
  readonly #money: MoneyReader;
  readonly #sql: Sql;

  constructor(money: MoneyReader, sql: Sql) {
    this.#money = money;
    this.#sql = sql;
  }

  async #fromMoney(select: string, where: Condition, order: string, limit: number) {
    const text = `${select} where ${where} order by ${order} limit ${where.place(limit)}`;
    const rows = await readRows<HitRow>(this.#money, statement(text, ...where.params));
    return rows.map(readHit);
  }

  accounts({ text, limit }: SearchQuery): Promise<readonly Hit[]> {
    const where = new Condition().named(["name"], text, "id = ?", text);
    const select = "select id, name, null as hint, id as account_id from accounts";
    return this.#fromMoney(select, where, "id desc", limit);
  }

  keys({ text, accountId, limit }: SearchQuery): Promise<readonly Hit[]> {
    // As the pages show it: an ellipsis and the last four.
    const lastFour = text.replace(/^(?:…|\.\.\.)/, "");
    const where = new Condition()
      .named(["name"], text, "id = ? or last_four = ?", text, lastFour)
      // Receipts lead to a deleted one by its id; whoever looks for a name means those that there are.
      .and("(deleted_at is null or id = ?)", text)
      .within("account_id", accountId);
    const select = "select id, name, last_four as hint, account_id from keys";
    return this.#fromMoney(select, where, "id desc", limit);
  }

  async requests({ text, accountId, limit }: SearchQuery): Promise<readonly Hit[]> {
    const select = "select id, id as name, model as hint, account_id from receipts";
    const own = new Condition().and("id = ?", text).within("account_id", accountId);
    // The condition of the partial index is spelled out, or SQLite would not use it.
    const ofAnswer = new Condition()
      .and("response_id is not null and response_id = ?", text)
      .within("account_id", accountId);
    const found = await this.#fromMoney(select, own, "id desc", limit);
    return found.length > 0 ? found : this.#fromMoney(select, ofAnswer, "id desc", limit);
  }

  async people({ text, accountId, limit }: SearchQuery): Promise<readonly Hit[]> {
    const where = new Condition()
      .named(["u.name", "u.email"], text, "u.id = ?", text)
      .within("m.account_id", accountId);
    const rows = await this.#sql.query<HitRow>(
      `select u.id, u.name, u.email as hint, m.account_id
       from members m join auth_user u on u.id = m.user_id
       where ${where} order by m.created_at desc, u.id, m.account_id limit ${where.place(limit)}`,
      where.params,
    );
    return rows.map(readHit);
  }

  async drafts(query: SearchQuery): Promise<readonly Hit[]> {
    const { text, accountId, limit } = query;
    const byId = new Condition().and("id = ?", text).within("account_id", accountId);
    const found = await this.#drafts(byId, 1);
    if (found.length > 0 || accountId === undefined) return found;
    const inside = new Condition().and("account_id = ?", accountId).having("articles", text);
    const wanted = text.toLowerCase();
    const hits = await this.#drafts(inside, DRAFTS_OPENED_MAX);
    return hits.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, limit);
  }

  /** By the titles of all its articles, the first of which stands for the draft. */
  async #drafts(where: Condition, limit: number): Promise<readonly Hit[]> {
    const rows = await this.#sql.query<DraftRow>(
      `select id, articles, account_id from drafts
       where ${where} order by id desc limit ${where.place(limit)}`,
      where.params,
    );
    return rows.map(({ id, articles, account_id: accountId }) => {
      const name = titlesOf(articles).join(" · ");
      return { id, name, hint: null, accountId };
    });
  }
}
