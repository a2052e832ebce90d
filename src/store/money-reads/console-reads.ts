import type {
  ConsoleStore,
  HourRange,
  RequestDetail,
  RequestFilter,
  RequestQuery,
  StatementQuery,
  UsageFilter,
} from "../../console/store.ts";
import type { Integer } from "../keys/key-rows.ts";
import { Reads } from "../reads/reads.ts";
import { type MoneyReader, readRows, statement } from "./reader.ts";
import { RequestReads, type SearchLimits } from "./requests.ts";
import { readStatement } from "./statement.ts";
import { UsageReads } from "./usage.ts";

interface EndRow {
  readonly kind: "post" | "void";
  readonly amount: string;
  readonly created_at: Integer;
}

/** The condition of the partial index is spelled out, or SQLite would not use it. */
const END_SQL = `select kind, cast(amount as text) as amount, created_at from entries
  where hold_id = $1 and kind in ('post', 'void')`;

/** What the console reads of the money database, by the same texts on both engines. */
export class ConsoleReads implements ConsoleStore {
  readonly #reader: MoneyReader;
  readonly #usage: UsageReads;
  readonly #requests: RequestReads;
  readonly #reads: Reads;

  constructor(reader: MoneyReader, limits?: SearchLimits) {
    this.#reader = reader;
    this.#usage = new UsageReads(reader);
    this.#requests = new RequestReads(reader, limits);
    this.#reads = new Reads((text, params) => readRows(reader, { text, params }), reader.nowMsSql);
  }

  standing(accountId: string, range: HourRange, besides?: readonly string[]) {
    return this.#usage.standing(accountId, range, besides);
  }

  usageByHour(filter: UsageFilter) {
    return this.#usage.byHour(filter);
  }

  usageByModel(filter: UsageFilter) {
    return this.#usage.byModel(filter);
  }

  usageByKey(filter: UsageFilter) {
    return this.#usage.byKey(filter);
  }

  listRequests(query: RequestQuery) {
    return this.#requests.list(query);
  }

  requestsSince(filter: RequestFilter, id: string, limit: number) {
    return this.#requests.since(filter, id, limit);
  }

  requestsById(accountId: string, id: string) {
    return this.#requests.byId(accountId, id);
  }

  async findRequest(accountId: string, id: string): Promise<RequestDetail | undefined> {
    const receipt = await this.#reads.findReceipt(id, accountId);
    if (!receipt) return undefined;
    const [ends = [], names = []] = await this.#reader.read([
      statement(END_SQL, receipt.requestId),
      statement("select name from keys where id = $1", receipt.keyId),
    ]);
    const [end] = ends as readonly EndRow[];
    const [key] = names as readonly { name: string }[];
    return {
      receipt,
      keyName: key?.name ?? "",
      end: end
        ? { kind: end.kind, amount: BigInt(end.amount), createdAtMs: Number(end.created_at) }
        : null,
    };
  }

  statement(query: StatementQuery) {
    return readStatement(this.#reader, query);
  }

  listKeys(accountId: string) {
    return this.#reads.listKeys(accountId);
  }

  async findKey(accountId: string, id: string) {
    const key = await this.#reads.describeKey(id);
    return key?.accountId === accountId ? key : undefined;
  }
}
