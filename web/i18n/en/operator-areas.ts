import { audit } from "./audit.ts";
import { channels } from "./channels.ts";
import { codes } from "./codes.ts";
import { health } from "./health.ts";
import { ledger } from "./ledger.ts";
import { operatorAccounts } from "./operator-accounts.ts";
import { prices } from "./prices.ts";
import { system } from "./system.ts";

/** What only those who run the installation read; it comes with their pages. */
export const operatorAreas = {
  operatorAccounts,
  channels,
  prices,
  codes,
  health,
  ledger,
  audit,
  system,
} as const;
