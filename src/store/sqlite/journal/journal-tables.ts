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
