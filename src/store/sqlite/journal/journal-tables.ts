/**
 * What was settled, a line each, on disk before anybody hears of it. All other rows of money follow from it,
 * and take its lines out in the same transaction; those that could not be made into rows are set aside. It
 * has no index: nothing of it is ever looked for but all that is there, in order.
 */
export const JOURNAL_TABLES = `
  create table journal (
    seq integer primary key,
    record text not null
  ) strict;
  create table journal_set_aside (
    seq integer primary key,
    record text not null,
    reason text not null,
    created_at integer not null
  ) strict;
`;

/**
 * Lines are numbered without a gap, also when those before have become rows and are gone: up to which number
 * that is stands here. Numbers that somebody was told of and that are not in the file any more are a gap,
 * which stays for `verify` to tell.
 */
export const JOURNAL_NUMBERS = `
  create table journal_position (
    id integer primary key check (id = 1),
    applied integer not null
  ) strict;
  insert into journal_position select 1, coalesce(min(seq), 1) - 1 from journal;
  create table journal_gaps (
    first integer primary key,
    last integer not null check (last >= first),
    found_at integer not null
  ) strict;
`;
