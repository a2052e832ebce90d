import type { RoomTables } from "../../lib/sql/sql.ts";

export const DRAFT_DOORS_TABLES: RoomTables = {
  room: "draft-doors",
  versions: [
    `
    create table kept_keys (
      account_id text not null,
      purpose text not null,
      key_id text not null,
      sealed_secret text not null,
      primary key (account_id, purpose)
    );

    create table serving (
      place integer primary key check (place = 1),
      address text not null
    );
    `,
  ],
};
