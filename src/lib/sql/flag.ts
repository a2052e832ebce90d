import type { ColumnType } from "kysely";

/** A column that is written as a boolean, or by what it was, and read as both engines keep it. */
export type Flag = ColumnType<0 | 1, boolean, boolean | 0 | 1>;
