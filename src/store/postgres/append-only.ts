/**
 * Triggers keep entries and receipts as they were written, against any SQL. Two updates of receipts are
 * allowed: the receipt of a request that was taken for dead is replaced once, by that of its correction; a receipt
 * that refusals share counts more of them. Receipts are deleted while a row of `retention` allows it, entries never.
 */
export const APPEND_ONLY = `
  -- Allows receipts from before a time to be deleted, in the transaction that inserts the row: no row has the id 0, so
  -- the transaction cannot commit before it deletes the row again.
  create table retention (
    id bigint primary key check (id = 1),
    created_before bigint not null,
    uncommitted bigint not null default 0 check (uncommitted = 0)
      references retention (id) deferrable initially deferred
  );

  create function refuse_change_of_entries() returns trigger language plpgsql as $body$
  begin
    raise exception '% of entries is refused: entries are only inserted', lower(tg_op);
  end $body$;
  -- Older programs only insert entries.
  create trigger entries_changed before update or delete or truncate on entries
    for each statement execute function refuse_change_of_entries();

  create function refuse_change_of_receipts() returns trigger language plpgsql as $body$
  begin
    if tg_op = 'DELETE' then
      if exists (select 1 from retention where old.created_at < created_before) then
        return old;
      end if;
      raise exception 'receipts are only deleted by retention';
    end if;
    if tg_op = 'UPDATE' then
      if old.billing_reason = 'interrupted' then
        if new.billing_reason <> 'interrupted'
          and (new.id, new.account_id, new.key_id) = (old.id, old.account_id, old.key_id) then
          return new;
        end if;
        raise exception 'an interrupted receipt is only replaced by that of its correction';
      end if;
      if old.last_at is not null and new.requests >= old.requests and new.last_at >= old.last_at then
        old.requests := new.requests;
        old.last_at := new.last_at;
        if new is not distinct from old then
          return new;
        end if;
      end if;
    end if;
    raise exception '% of receipts is refused: a receipt stays as it was written', lower(tg_op);
  end $body$;
  -- Older programs never delete receipts. They update those that were interrupted, and the counts of one that refusals
  -- share.
  create trigger receipts_changed before update or delete on receipts
    for each row execute function refuse_change_of_receipts();
  -- Older programs never truncate.
  create trigger receipts_truncated before truncate on receipts
    for each statement execute function refuse_change_of_receipts();

  create function require_correction() returns trigger language plpgsql as $body$
  begin
    if not exists (select 1 from entries
      where hold_id = new.id and kind = 'correction' and amount = new.cost) then
      raise exception 'an interrupted receipt is only replaced by that of its correction';
    end if;
    return null;
  end $body$;
  -- Older programs write the entry and the receipt of a correction in one statement, so it is looked for at the commit.
  create constraint trigger receipts_corrected after update on receipts deferrable initially deferred
    for each row when (old.billing_reason = 'interrupted') execute function require_correction();
`;
