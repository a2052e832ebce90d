import { describe, expect, test } from "bun:test";
import { unlikeAdditions } from "../../../test/store/additions.ts";
import { SIGN_IN_TABLES } from "../../accounts/tables/sign-in-versions.ts";
import type { RoomTables } from "../../lib/sql/sql.ts";
import { TABLES } from "../postgres/schema.ts";
import { MONEY_TABLES } from "../sqlite/money-schema.ts";
import { RESPONSE_TABLES } from "../sqlite/responses/responses-schema.ts";
import released from "./released.json";
import { ROOMS } from "./rooms.ts";
import { checksumOf } from "./upgrade.ts";

const checksumsOf = ({ versions }: RoomTables) => versions.map(checksumOf);

/** A new version has its checksum added to the end of its list; none of those that stand there ever changes. */
test("every version has the text that it was released with", () => {
  expect({
    sqlite: { money: checksumsOf(MONEY_TABLES), responses: checksumsOf(RESPONSE_TABLES) },
    postgres: { money: checksumsOf(TABLES) },
    rooms: Object.fromEntries(ROOMS.map((tables) => [tables.room, checksumsOf(tables)])),
  }).toEqual(released);
});

describe.each([
  { name: "money on SQLite", tables: MONEY_TABLES },
  { name: "stored responses on SQLite", tables: RESPONSE_TABLES },
  { name: "money on PostgreSQL", tables: TABLES },
  ...ROOMS.map((tables) => ({ name: tables.room, tables })),
])("the tables of $name", ({ tables: { versions, least } }) => {
  test("need no version that there is not", () => {
    expect(least).toBeGreaterThan(0);
    expect(least).toBeLessThanOrEqual(versions.length);
  });

  test("are only added to after the version that programs must know", () => {
    const unlike = versions.flatMap((text, at) =>
      at < least ? [] : unlikeAdditions(text, versions.slice(0, at)),
    );
    expect(unlike).toEqual([]);
  });
});

test("the sign-in library, which asks for all columns, knows all versions of its tables", () => {
  expect(SIGN_IN_TABLES.least).toBe(SIGN_IN_TABLES.versions.length);
});

describe("the rule of what only adds", () => {
  test("knows what older programs do not notice", () => {
    const text = `
      -- A table with all that belongs to it.
      create table labels (id text primary key, name text not null);
      create unique index labels_by_name on labels (name);
      insert into labels values ('a', 'b');
      create index keys_by_name on keys (name);
      alter table keys add column label text;
      update keys set label = name;
      alter table keys add column weight bigint not null default 1;
      create function keys_of(name text) returns bigint language plpgsql as $body$
      begin
        delete from keys where keys.name = name;
        return 1;
      end $body$;
      alter table entries drop constraint entries_kind_check;
      alter table entries add constraint entries_kind_check check (kind in ('post', 'void', 'more'));
      -- Older programs never write such an entry.
      create unique index entries_more_once on entries (hold_id) where kind = 'more';`;
    expect(unlikeAdditions(text)).toEqual([]);
  });

  test("sees what they would stumble over", () => {
    const statements = [
      "drop table keys",
      "alter table keys drop column name",
      "alter table keys rename column name to title",
      "alter table keys add column label text not null",
      "alter table keys alter column name type bigint",
      "create unique index keys_by_name on keys (name)",
      "create trigger key_added after insert on keys execute function f()",
      "create or replace function f() returns trigger language plpgsql",
      "update keys set name = ''",
      "insert into keys values ('a')",
      "delete from keys",
      "alter table entries add constraint entries_small check (amount < 5)",
    ];
    expect(unlikeAdditions(statements.join(";\n"))).toEqual(statements);
    const body = "as $body$ begin return null; end $body$";
    const made = `create function f() returns trigger language plpgsql ${body}`;
    expect(unlikeAdditions(`${made};`)).toEqual([]);
    expect(unlikeAdditions(`${made};`, [`${made};`])).toHaveLength(1);
    expect(unlikeAdditions(`${made}; drop table keys;`)).toHaveLength(1);
    expect(unlikeAdditions(`-- Behind $body$ as it is.\ndrop table keys;\n${made};`)).toEqual([
      "drop table keys",
    ]);
    const dropped = "alter table entries drop constraint entries_kind_check";
    expect(unlikeAdditions(dropped)).toEqual(["drop constraint entries_kind_check"]);
  });
});
