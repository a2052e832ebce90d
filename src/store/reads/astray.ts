// Requests whose id tells another time than they have themselves, because a clock was set between both.
import { ID_ALPHABET, ID_TIME_CHARS } from "../../lib/ids.ts";

/** A request gets its id before its time is taken: that of its admission, where it was cut short. */
export const SLACK_MS = 120_000;
/** A clock that is corrected goes back a little, and ids stay ahead of it until it has caught up. */
export const LEAD_MS = 5_000;

const FIRST_PLACE = "req_".length + 1;

/** The time that the id of a receipt tells. `find` is how a database is asked where in a text another begins. */
function idTimeSql(find: "instr" | "strpos"): string {
  const digits = Array.from({ length: ID_TIME_CHARS }, (_, at) => {
    const worth = ID_ALPHABET.length ** (ID_TIME_CHARS - 1 - at);
    const place = `${find}('${ID_ALPHABET}', substr(id, ${FIRST_PLACE + at}, 1))`;
    return `cast(${place} - 1 as bigint) * ${worth}`;
  });
  return digits.join("\n    + ");
}

/**
 * Which receipts are astray: where lists look for requests of a time, by their ids, these are not. It is the
 * condition of an index of its own, and so has to be asked for in the very same words.
 */
function astraySql(find: "instr" | "strpos"): string {
  return `${idTimeSql(find)}
    - created_at not between -${SLACK_MS} and ${LEAD_MS}`;
}

export const ASTRAY_SQL = { sqlite: astraySql("instr"), postgres: astraySql("strpos") } as const;

/** As part of the tables of money. */
export function astrayIndex(condition: string): string {
  return `
  -- Requests whose ids tell another time than they have, since a clock was set: a list finds them here.
  create index receipts_astray on receipts (account_id, id, key_id, model, status)
    where ${condition};
  `;
}
