// Versions of the tables of money in which the database itself reckoned which receipts are astray: all that is theirs
// stands here as it was released, whatever becomes of ids or of what counts as astray.

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARS = 10;
const FIRST_PLACE = "req_".length + 1;

/** How a database is asked where in a text another begins. */
type Find = "instr" | "strpos";

/** The time that the id of a receipt tells. */
function idTimeSql(find: Find): string {
  const digits = Array.from({ length: TIME_CHARS }, (_, at) => {
    const worth = DIGITS.length ** (TIME_CHARS - 1 - at);
    const place = `${find}('${DIGITS}', substr(id, ${FIRST_PLACE + at}, 1))`;
    return `cast(${place} - 1 as bigint) * ${worth}`;
  });
  return digits.join("\n    + ");
}

function astraySql(find: Find): string {
  return `${idTimeSql(find)}
    - created_at not between -120000 and 5000`;
}

export function astrayIndex(find: Find): string {
  return `
  -- Requests whose ids tell another time than they have, since a clock was set: a list finds them here.
  create index receipts_astray on receipts (account_id, id, key_id, model, status)
    where ${astraySql(find)};
  `;
}

/** Fills the table that has taken the place of the index: by the index, which knows them all. */
export function astrayIndexToTable(find: Find): string {
  return `insert into astray_receipts (account_id, id)
    select account_id, id from receipts
    where ${astraySql(find)};
  drop index receipts_astray;`;
}
