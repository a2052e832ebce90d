import { textParameter } from "../../lib/contract.ts";
import { isDay } from "../usage/calendar.ts";

export const dayParameter = (name: string) =>
  textParameter.refine(isDay, `'${name}' must be a date such as 2026-01-31.`);
