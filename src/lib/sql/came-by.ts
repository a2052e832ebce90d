import { sql } from "kysely";
import { latestOf } from "../clock.ts";

/** Whether the time in a column has come, by the rule of `hasCome`. */
export function cameBy(column: string, nowMs: number, mostMs: number) {
  const time = sql.ref(column);
  return sql<boolean>`(${time} <= ${nowMs} or ${time} > ${latestOf(nowMs, mostMs)})`;
}
