import type { RoomTables } from "../sql.ts";
import { ACCOUNTS_TABLES } from "./accounts-tables.ts";
import { NOTICES_TABLES } from "./notices-tables.ts";
import { OPERATOR_TABLES } from "./operator-tables.ts";
import { PAYMENTS_TABLES } from "./payments-tables.ts";
import { SIGN_IN_TABLES } from "./sign-in-tables.ts";

/** The tables of every room of the console; they are brought up to date when the store opens. */
export const ROOMS: readonly RoomTables[] = [
  SIGN_IN_TABLES,
  ACCOUNTS_TABLES,
  NOTICES_TABLES,
  OPERATOR_TABLES,
  PAYMENTS_TABLES,
];
