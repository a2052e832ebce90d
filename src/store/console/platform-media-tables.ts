import type { RoomTables } from "../../lib/sql/sql.ts";

/** Uploads to the public-account platform. The bytes are apart, so that lists need not read them. */
export const PLATFORM_MEDIA_TABLES: RoomTables = {
  room: "platform-media",
  versions: [
    `
    create table platform_media (
      media_id text primary key,
      appid text not null,
      keeping text not null,
      type text not null,
      file_name text not null,
      format text not null,
      bytes bigint not null,
      title text not null,
      introduction text not null,
      public_id text not null,
      created_at bigint not null,
      expires_at bigint,
      position bigint not null
    );
    create unique index platform_media_public on platform_media (public_id);
    create index platform_media_of_account on platform_media (appid, keeping, type, position);
    create index platform_media_by_end on platform_media (expires_at);

    create table platform_media_files (
      media_id text primary key references platform_media (media_id) on delete cascade,
      data text not null
    );
    `,
  ],
};
