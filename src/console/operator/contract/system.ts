import { get, instant, post } from "../../../lib/contract.ts";
import * as z from "../../../lib/schemas.ts";
import { channelLine } from "./channels.ts";

const ADDRESS_CHARS_MAX = 254;

const systemFacts = z
  .strictObject({
    object: z.literal("system"),
    version: z.string(),
    runtime: z.string(),
    started_at: instant,
    uptime_seconds: z.int(),
    database: z.strictObject({
      engine: z.enum(["sqlite", "postgres"]),
      bytes: z.number(),
      parts: z.array(z.strictObject({ name: z.string(), bytes: z.number() })).readonly(),
    }),
    storage_queue: z.int().describe("Storage operations without an answer yet."),
    open_holds: z.int(),
    requests_holding: z.int().describe("Requests of this process that hold money."),
    requests_waiting: z.int().describe("Requests that wait for money."),
    requests_ended: z.int(),
    memory: z.strictObject({ resident_bytes: z.number(), heap_bytes: z.number() }),
    sandbox_only: z.boolean().describe("Whether only the sandbox can be called."),
    revision: z.int().describe("Grows with each change of the operators' settings."),
    channels: z.array(channelLine).readonly(),
    problems: z
      .array(z.strictObject({ subject: z.string(), message: z.string() }))
      .readonly()
      .describe("Settings that could not be applied."),
    mail: z
      .strictObject({ server: z.string().describe("Host and port."), from: z.string() })
      .nullable()
      .describe("Null without a mail server."),
    metrics_url: z.string(),
  })
  .meta({ id: "SystemFacts" });

export type SystemFacts = z.output<typeof systemFacts>;

export const SHOW_SYSTEM = get("/api/operator/system", "Shows the state of the process.", {
  answer: systemFacts,
});
export const SHOW_METRICS = get(
  "/metrics",
  "Shows metrics for Prometheus; open with FAREGATE_METRICS_PUBLIC=on.",
  { answer: { contentType: "text/plain; version=0.0.4; charset=utf-8" } },
);
export const TEST_MAIL = post(
  "/api/operator/mail/test",
  "Sends a test mail to the caller, or to `to`.",
  {
    body: z.strictObject({
      to: z.email("Write an e-mail address.").max(ADDRESS_CHARS_MAX).optional(),
    }),
    example: { to: "ada@example.com" },
    answer: z.strictObject({ ok: z.literal(true), to: z.string() }),
  },
);
