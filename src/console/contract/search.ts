import { get, listOf, textParameter } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";

const hit = z
  .strictObject({
    kind: z.enum(["account", "key", "model", "person", "request", "draft"]),
    id: z.string(),
    name: z.string(),
    hint: z.string().nullable().describe("Details that distinguish it from others with its name."),
    account_id: z.string().nullable().describe("Null if it belongs to no account."),
    account_name: z.string().nullable(),
  })
  .meta({ id: "Hit" });

export type Hit = z.output<typeof hit>;

const query = z.object({ q: textParameter.trim().default("") });

export const SEARCH = get(
  "/api/accounts/:account/search",
  "Finds things of an account by name or id, and models.",
  { query, answer: listOf(hit) },
);
export const SEARCH_EVERYWHERE = get(
  "/api/operator/search",
  "Finds things of all accounts by name or id.",
  { query, answer: listOf(hit) },
);
