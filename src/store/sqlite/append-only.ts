/**
 * Triggers keep entries and receipts as they were written, against any SQL. Two updates of receipts are
 * allowed: the receipt of a request that was taken for dead is replaced once, by that of its correction; a receipt
 * that refusals share counts more of them. Receipts are deleted while a row of `retention` allows it, entries never.
 *
 * Without recursive_triggers, which each connection sets for itself, `insert or replace` deletes rows without a
 * delete trigger. But the statements of a trigger take the conflict policy of the statement that fires it. So each
 * insert fires one that SQLite ignores, unless that policy is to replace: then the trigger of replace_guard refuses.
 */
export const APPEND_ONLY = `
  -- Allows receipts from before a time to be deleted, in the transaction that inserts the row: no row has the id 0, so
  -- the transaction cannot commit before it deletes the row again.
  create table retention (
    id integer primary key check (id = 1),
    created_before integer not null,
    uncommitted integer not null default 0 check (uncommitted = 0)
      references retention (id) deferrable initially deferred
  ) strict;

  create table replace_guard (id integer primary key check (id = 1)) strict;
  insert into replace_guard values (1);
  -- Older programs do not know this table.
  create trigger replace_guard_inserted after insert on replace_guard
    begin select raise(abort, 'entries and receipts are never replaced by an insert'); end;
  -- Older programs do not know this table.
  create trigger replace_guard_updated before update on replace_guard
    begin select raise(abort, 'the row of replace_guard stays as it is'); end;
  -- Older programs do not know this table.
  create trigger replace_guard_deleted before delete on replace_guard
    begin select raise(abort, 'the row of replace_guard stays as it is'); end;

  -- Older programs only insert entries, and never replace one.
  create trigger entries_inserted after insert on entries
    begin insert or ignore into replace_guard (id) values (1); end;
  -- Older programs never update entries.
  create trigger entries_updated before update on entries
    begin select raise(abort, 'entries are never updated'); end;
  -- Older programs never delete entries.
  create trigger entries_deleted before delete on entries
    begin select raise(abort, 'entries are never deleted'); end;

  -- Older programs insert receipts, with an upsert where one may be there, and never by "insert or replace".
  create trigger receipts_inserted after insert on receipts
    begin insert or ignore into replace_guard (id) values (1); end;
  -- Older programs insert the entry of a correction before they replace its receipt.
  create trigger receipts_replaced before update on receipts
    when old.billing_reason = 'interrupted' and (
      new.billing_reason <> 'interrupted'
      and (new.id, new.account_id, new.key_id) is (old.id, old.account_id, old.key_id)
      and exists (select 1 from entries
        where hold_id = new.id and kind = 'correction' and amount = new.cost)) is not true
    begin select raise(abort, 'an interrupted receipt is only replaced by that of its correction'); end;
  -- Older programs update no other receipt but one that refusals share, and of that only these two columns.
  create trigger receipts_updated before update on receipts
    when old.billing_reason <> 'interrupted' and (
      old.last_at is not null
      and new.requests >= old.requests and new.last_at >= old.last_at
      and (new.id, new.account_id, new.key_id, new.created_at, new.endpoint, new.model, new.stream, new.status,
          new.billing_reason, new.error_code, new.channel, new.vendor_request_id, new.response_id, new.fresh,
          new.cache_read, new.cache_write, new.cache_write_long, new.output, new.reasoning, new.web_searches,
          new.clamped, new.usage_source, new.price_version, new.lines, new.cost, new.held, new.loss,
          new.first_byte_ms, new.duration_ms, new.served_model, new.attempts, new.vendor_cost, new.refusal,
          new.output_clamp)
        is (old.id, old.account_id, old.key_id, old.created_at, old.endpoint, old.model, old.stream, old.status,
          old.billing_reason, old.error_code, old.channel, old.vendor_request_id, old.response_id, old.fresh,
          old.cache_read, old.cache_write, old.cache_write_long, old.output, old.reasoning, old.web_searches,
          old.clamped, old.usage_source, old.price_version, old.lines, old.cost, old.held, old.loss,
          old.first_byte_ms, old.duration_ms, old.served_model, old.attempts, old.vendor_cost, old.refusal,
          old.output_clamp)) is not true
    begin select raise(abort, 'receipts are never updated'); end;
  -- Older programs never delete receipts.
  create trigger receipts_deleted before delete on receipts
    when not exists (select 1 from retention where old.created_at < created_before)
    begin select raise(abort, 'receipts are only deleted by retention'); end;
`;
