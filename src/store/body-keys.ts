import type { BodyTable } from "../conversations/record.ts";

/** The columns by which a row with a body is named. */
export const BODY_KEYS: Readonly<Record<BodyTable, readonly string[]>> = {
  responses: ["id"],
  kept_answers: ["key_id", "value"],
};

/** Bodies that are read and replaced at once: each may have some megabytes. */
export const BODIES_AT_ONCE = 50;
