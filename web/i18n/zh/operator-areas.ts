import type { OperatorAreas } from "../catalogue.ts";
import { audit } from "./audit.ts";
import { channels } from "./channels.ts";
import { codes } from "./codes.ts";
import { health } from "./health.ts";
import { ledger } from "./ledger.ts";
import { operatorAccounts } from "./operator-accounts.ts";
import { prices } from "./prices.ts";
import { system } from "./system.ts";

export const operatorAreas: OperatorAreas = {
  operatorAccounts,
  channels,
  prices,
  codes,
  health,
  ledger,
  audit,
  system,
};
