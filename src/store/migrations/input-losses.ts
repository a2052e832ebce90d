/** On PostgreSQL the trigger of append-only receipts compares whole rows. */
const STAYS = `
  -- Older programs do not know this column.
  create trigger receipts_input_loss before update of input_loss on receipts
    when old.billing_reason <> 'interrupted' and new.input_loss is not old.input_loss
    begin select raise(abort, 'receipts are never updated'); end;
`;

/** `integer` is the type that has 64 bits on the database; `sorted` makes ids sort by their bytes there. */
export function inputLosses(integer: "integer" | "bigint", sorted = ""): string {
  const isSqlite = integer === "integer";
  return `
  -- What the house lost since the vendor counted more input than our bound. Older programs write receipts without it.
  alter table receipts add column input_loss ${integer} not null default 0;
  -- The same by UTC day. A row is there only where something was lost, so each day has few of them.
  create table input_losses (
    day ${integer} not null,
    account_id text ${sorted} not null,
    channel text ${sorted} not null,
    requests ${integer} not null,
    loss ${integer} not null,
    primary key (day, account_id, channel)
  )${isSqlite ? " strict, without rowid" : ""};
  ${isSqlite ? STAYS : ""}
  `;
}
