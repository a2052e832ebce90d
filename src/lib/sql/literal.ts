import { type RawBuilder, sql } from "kysely";

/** A value in the text itself: a statement uses an index with a condition only if it says the same words. */
export function literal<const T extends string | number>(value: T): RawBuilder<T> {
  return sql.lit(value);
}
