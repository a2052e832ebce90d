import { type AliasedRawBuilder, type Insertable, sql } from "kysely";
import type { Flag } from "./flag.ts";

type Way = "plain" | "flag" | "amount" | "json";

/** A column, and the way in which a value stands in it. */
interface Column<Name extends string = string, Kept extends Way = Way> {
  readonly name: Name;
  readonly way: Kept;
}

const columnBy =
  <Kept extends Way>(way: Kept) =>
  <const Name extends string>(name: Name): Column<Name, Kept> => ({ name, way });

/** Whatever both engines give back as they got it. */
export const plain = columnBy("plain");
export const flag = columnBy("flag");
/** Written as bigint and read as text, since a number would lose the end of a large one. */
export const amount = columnBy("amount");
export const json = columnBy("json");

/** Members whose columns have their names. */
export function asNamed<const Name extends string>(...names: readonly Name[]) {
  const columns = names.map((name) => [name, plain(name)]);
  return Object.fromEntries(columns) as { [N in Name]: Column<N, "plain"> };
}

type WayOf<Value> = [Value] extends [boolean]
  ? "flag"
  : [Value] extends [bigint | null]
    ? "amount"
    : "plain" | "json";

type Columns<Whole> = { readonly [Member in keyof Whole]: Column<string, WayOf<Whole[Member]>> };

/** What is read of a value, by its way. */
interface Read<Value> {
  plain: Value;
  flag: 0 | 1;
  amount: string | Extract<Value, null>;
  json: string | Extract<Value, null>;
}

/** The types of a value's column, by its way. */
interface Typed<Value> {
  plain: Value;
  flag: Flag;
  amount: Value;
  json: string | Extract<Value, null>;
}

type RowOf<Whole, At extends Columns<Whole>> = {
  readonly [Member in keyof Whole]: Read<Whole[Member]>[At[Member]["way"]];
};

type TableOf<Whole, At extends Columns<Whole>> = {
  readonly [Member in keyof Whole as At[Member]["name"]]: Typed<Whole[Member]>[At[Member]["way"]];
};

/** The columns of a table in which such things are kept. */
export type ColumnsOf<Of> = Of extends Kept<infer Whole, infer At> ? TableOf<Whole, At> : never;

function select(member: string, { name, way }: Column): AliasedRawBuilder<unknown, string> {
  const column = sql.ref(name);
  return (way === "amount" ? sql`cast(${column} as text)` : column).as(member);
}

function read(way: Way, value: unknown): unknown {
  if (way === "flag") return value === 1;
  if (value === null || way === "plain") return value;
  return way === "amount" ? BigInt(value as string) : JSON.parse(value as string);
}

function write(way: Way, value: unknown): unknown {
  return way === "json" && value !== null ? JSON.stringify(value) : value;
}

/** Where the members of something are kept in a table, for reading and for writing it. */
class Kept<Whole, At extends Columns<Whole>> {
  readonly #at: readonly (readonly [string, Column])[];
  /** To be selected, or returned. */
  readonly columns: readonly {
    [Member in keyof Whole & string]: AliasedRawBuilder<RowOf<Whole, At>[Member], Member>;
  }[keyof Whole & string][];

  constructor(at: At) {
    this.#at = Object.entries<Column>(at);
    this.columns = this.#at.map(([member, column]) => select(member, column)) as never;
  }

  /** What was selected so, as it was before it was kept. */
  readonly read = (row: RowOf<Whole, At>): Whole => {
    const cells = new Map<string, unknown>(Object.entries(row));
    const members = this.#at.map(([name, { way }]) => [name, read(way, cells.get(name))]);
    return Object.fromEntries(members);
  };

  /** The values of a row. */
  cells(whole: Whole & object): Insertable<TableOf<Whole, At>> {
    const members = new Map<string, unknown>(Object.entries(whole));
    const cells = this.#at.map(([member, { name, way }]) => [
      name,
      write(way, members.get(member)),
    ]);
    return Object.fromEntries(cells);
  }
}

/** Says once, for selecting, reading and writing, in which columns something is kept. */
export function keptAs<Whole>() {
  return <const At extends Columns<Whole>>(at: At): Kept<Whole, At> => new Kept(at);
}
