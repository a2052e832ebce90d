import { type Expression, type Kysely, sql as raw } from "kysely";
import type { Hit, SearchQuery, SearchStore } from "../../console/store.ts";
import type { DraftLine } from "../../drafts/draft.ts";
import { findDraftLine, listDrafts } from "../../drafts/tables/draft-lines.ts";
import type { DraftsTables } from "../../drafts/tables/schema.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import { tablesOf } from "../../lib/sql/tables.ts";
import { type MoneyReader, readRows, statement } from "../money-reads/reader.ts";
import { StatementParameters } from "../money-reads/statement-parameters.ts";
import { containing, patternsOf } from "./containing.ts";

interface HitRow {
  readonly id: string;
  readonly name: string;
  readonly hint: string | null;
  readonly account_id: string;
}

/** What is looked at of the tables of rooms. */
interface SearchedTables {
  members: { user_id: string; account_id: string; created_at: number };
  auth_user: { id: string; name: string; email: string };
}

/** The titles of so many drafts are read at once: others may ask between. */
const DRAFTS_AT_A_TIME = 50;

function readHit({ id, name, hint, account_id: accountId }: HitRow): Hit {
  return { id, name, hint, accountId };
}

/** A condition made of parts, whose values are numbered as they come. */
class Condition extends StatementParameters {
  readonly #parts: string[] = [];

  /** `?` is the place of each value. */
  and(text: string, ...values: readonly (string | number)[]): this {
    const rest = [...values];
    this.#parts.push(text.replace(/\?/g, () => this.add(rest.shift() ?? "")));
    return this;
  }

  /** A text is in a column, or what else finds it is so. */
  named(column: string, text: string, or: string, ...values: readonly string[]): this {
    const has = containing([column], text, (value) => this.add(value));
    return this.and(`(${has} or ${or})`, ...values);
  }

  within(column: string, accountId: string | undefined): this {
    return accountId === undefined ? this : this.and(`${column} = ?`, accountId);
  }

  override toString(): string {
    return this.#parts.join(" and ");
  }
}

/** As `containing` says it of the money. */
function has(column: Expression<string>, text: string): readonly Expression<boolean>[] {
  return patternsOf(text).map((pattern) => raw`lower(${column}) like ${pattern} escape '\\'`);
}

/** By the titles of all its articles, the first of which stands for the draft. */
function readDraft({ id, articles, accountId }: DraftLine): Hit {
  return { id, name: articles.map(({ title }) => title).join(" · "), hint: null, accountId };
}

/** The search over both databases, by the same texts on both engines. */
export class SearchReads implements SearchStore {
  readonly #money: MoneyReader;
  readonly #tables: Kysely<SearchedTables>;
  readonly #drafts: Kysely<DraftsTables>;

  constructor(money: MoneyReader, sql: Sql) {
    this.#money = money;
    this.#tables = tablesOf(sql);
    this.#drafts = tablesOf(sql);
  }

  async #fromMoney(select: string, where: Condition, order: string, limit: number) {
    const text = `${select} where ${where} order by ${order} limit ${where.add(limit)}`;
    const rows = await readRows<HitRow>(this.#money, statement(text, ...where.params));
    return rows.map(readHit);
  }

  accounts({ text, limit }: SearchQuery): Promise<readonly Hit[]> {
    const where = new Condition().named("name", text, "id = ?", text);
    const select = "select id, name, null as hint, id as account_id from accounts";
    return this.#fromMoney(select, where, "id desc", limit);
  }

  keys({ text, accountId, limit }: SearchQuery): Promise<readonly Hit[]> {
    // As the pages show it: an ellipsis and the last four.
    const lastFour = text.replace(/^(?:…|\.\.\.)/, "");
    const where = new Condition()
      .named("name", text, "id = ? or last_four = ?", text, lastFour)
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

  people({ text, accountId, limit }: SearchQuery): Promise<readonly Hit[]> {
    const all = this.#tables
      .selectFrom("members as m")
      .innerJoin("auth_user as u", "u.id", "m.user_id")
      .select(["u.id", "u.name", "u.email as hint", "m.account_id as accountId"])
      .where(({ eb, or, ref }) =>
        or([...has(ref("u.name"), text), ...has(ref("u.email"), text), eb("u.id", "=", text)]),
      )
      .orderBy("m.created_at", "desc")
      .orderBy("u.id")
      .orderBy("m.account_id")
      .limit(limit);
    return (accountId === undefined ? all : all.where("m.account_id", "=", accountId)).execute();
  }

  async drafts({ text, accountId, limit }: SearchQuery): Promise<readonly Hit[]> {
    const draft = await findDraftLine(this.#drafts, text);
    if (accountId === undefined) return draft ? [readDraft(draft)] : [];
    if (draft?.accountId === accountId) return [readDraft(draft)];
    return this.#draftsByTitle(text.toLowerCase(), accountId, limit);
  }

  /** From page to page of what lists show: the articles themselves are many megabytes with their pictures. */
  async #draftsByTitle(wanted: string, accountId: string, limit: number): Promise<readonly Hit[]> {
    const hits: Hit[] = [];
    let after: string | undefined;
    do {
      const page = await listDrafts(this.#drafts, accountId, after, DRAFTS_AT_A_TIME);
      const named = page.map(readDraft);
      hits.push(...named.filter(({ name }) => name.toLowerCase().includes(wanted)));
      after = page.length < DRAFTS_AT_A_TIME ? undefined : page.at(-1)?.id;
    } while (after !== undefined && hits.length < limit);
    return hits.slice(0, limit);
  }
}
