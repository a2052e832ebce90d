import { decimal, get, instant, listOf, PAGE } from "../../../lib/contract.ts";
import * as z from "../../../lib/schemas.ts";

export const TROUBLE_KINDS = [
  "storage_down",
  "disk_full",
  "disk_low",
  "unavailable",
  "channel_down",
  "channel_quota",
  "channel_refused",
  "channel_limited",
  "channel_failing",
  "channel_errors",
  "channel_keys",
  "channel_broken",
  "model_broken",
  "notices",
  "gate_away",
] as const;

const trouble = z
  .strictObject({
    kind: z.enum(TROUBLE_KINDS),
    severity: z.enum(["bad", "warn"]).describe("`bad`: requests fail, or soon will."),
    subject: z.string().nullable().describe("The id of the channel or model; of disks the folder."),
    name: z.string().nullable().describe("The name of the subject."),
    since: instant.describe("When it began, or was seen first."),
    detail: z.string().nullable().describe("The exact words of the vendor or the system."),
    count: z
      .number()
      .nullable()
      .describe("The number of failed requests, calls, keys or messages; for a disk, free bytes."),
    total: z.number().nullable().describe("How many there are in all."),
  })
  .meta({ id: "Trouble" });

const counts = z.strictObject({
  requests: z.int(),
  failures: z.int().describe("Status 500 and above."),
  unavailable: z.int().describe("Status 503."),
});

const health = z
  .strictObject({
    object: z.literal("health"),
    at: instant,
    troubles: z.array(trouble).readonly().describe("The worst first."),
    recent: counts.nullable().describe("Requests of all accounts in the last five minutes."),
    open_alerts: z.int().describe("Alerts that are not over."),
  })
  .meta({ id: "Health" });

const sums = z.strictObject({
  requests: z.int(),
  failures: z.int().describe("Status 400 and above."),
  spend: decimal,
});

const overview = z
  .strictObject({
    object: z.literal("operator_overview"),
    accounts: z.int(),
    active_accounts: z.int().describe("Accounts with a key that was used within the day."),
    day: sums.describe("The last 24 hours, of all accounts."),
    day_before: sums.describe("The 24 hours before."),
    recent: counts.describe("The last five minutes."),
  })
  .meta({ id: "OperatorOverview" });

const alert = z
  .strictObject({
    object: z.literal("alert"),
    id: z.string(),
    kind: z.string(),
    account_id: z.string(),
    account_name: z.string().nullable(),
    subject: z.string().describe("A channel, a model or a budget; empty for the account itself."),
    title: z.string(),
    title_zh: z.string(),
    told_at: instant,
    ended_at: instant.nullable().describe("Null until it is over."),
    notices: z
      .array(
        z.strictObject({
          channel: z.enum(["email", "webhook"]),
          address: z.string().describe("Empty for a webhook."),
          state: z.enum(["queued", "sent", "failed"]),
          error: z.string().nullable(),
        }),
      )
      .readonly()
      .describe("The messages of the alert, each with its state."),
  })
  .meta({ id: "ReportedAlert" });

export type Trouble = z.output<typeof trouble>;
export type Health = z.output<typeof health>;
export type OperatorOverview = z.output<typeof overview>;
export type ReportedAlert = z.output<typeof alert>;

export const SHOW_HEALTH = get("/api/operator/health", "Lists what is wrong now.", {
  answer: health,
});
export const SHOW_OPERATOR_OVERVIEW = get(
  "/api/operator/overview",
  "Shows requests and spend of all accounts.",
  { answer: overview },
);
export const LIST_TOLD_ALERTS = get(
  "/api/operator/alerts",
  "Lists the alerts of all accounts, newest first.",
  { query: z.object(PAGE), answer: listOf(alert) },
);
