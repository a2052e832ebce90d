import { SIGN_IN_TABLES } from "../../accounts/tables/sign-in-versions.ts";
import { ACCOUNTS_TABLES } from "../../accounts/tables/versions.ts";
import { DRAFT_DOORS_TABLES, DRAFTS_TABLES } from "../../drafts/tables/versions.ts";
import { OPERATOR_TABLES } from "../../installation/tables/versions.ts";
import type { RoomTables } from "../../lib/sql/sql.ts";
import { NOTICES_TABLES } from "../../notices/tables/versions.ts";
import { PAYMENTS_TABLES } from "../../payments/tables/versions.ts";
import {
  PLATFORM_MEDIA_TABLES,
  PLATFORM_PUBLISHING_TABLES,
  PLATFORM_TABLES,
} from "../../platform/tables/versions.ts";
import { SECRET_TABLES } from "../secret/versions.ts";

/** The tables of every room of the console; they are brought up to date when the store opens. */
export const ROOMS: readonly RoomTables[] = [
  SIGN_IN_TABLES,
  ACCOUNTS_TABLES,
  NOTICES_TABLES,
  OPERATOR_TABLES,
  PAYMENTS_TABLES,
  PLATFORM_TABLES,
  PLATFORM_MEDIA_TABLES,
  PLATFORM_PUBLISHING_TABLES,
  DRAFTS_TABLES,
  DRAFT_DOORS_TABLES,
  SECRET_TABLES,
];
