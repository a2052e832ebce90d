import type { RoomTables } from "../../lib/sql/sql.ts";

/** Which secret the installation's rows are sealed with, told by sums that say nothing of it. */
export const SECRET_TABLES: RoomTables = {
  room: "secret",
  least: 1,
  versions: [
    `
    create table installation_secret (
      place integer primary key check (place = 1),
      secret_sum text not null,
      next_sum text,
      resealed integer not null
    );
    `,
  ],
};
