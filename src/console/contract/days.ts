import { zoneName } from "../../accounts/keys/budget-window.ts";
import { textParameter } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { isDay } from "../usage/calendar.ts";

const ZONE_CHARS_SHOWN = 64;

export const dayParameter = (name: string) =>
  textParameter
    .refine(isDay, `'${name}' must be a date such as 2026-01-31.`)
    .meta({ examples: ["2026-01-31"] });

export const zoneParameter = z
  .string()
  .transform((asked, context) => {
    const name = zoneName(asked);
    if (name !== undefined) return name;
    const shown = asked.slice(0, ZONE_CHARS_SHOWN);
    context.addIssue(`'${shown}' is not a time zone; write one such as Europe/Berlin.`);
    return z.NEVER;
  })
  .default("UTC")
  .describe("The time zone of the days, such as Europe/Berlin; UTC by default.");
