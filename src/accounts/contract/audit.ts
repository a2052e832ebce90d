import { get, instant, listOf, momentParameter, PAGE, textParameter } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";

const change = z.strictObject({ from: z.unknown(), to: z.unknown() });

const auditRecord = z
  .strictObject({
    id: z.string(),
    created_at: instant,
    user_id: z.string().nullable().describe("Null if a token or a command did it."),
    actor: z.string(),
    actor_name: z.string().nullable(),
    account_id: z.string().nullable().describe("Null if it concerns the installation."),
    account_name: z.string().nullable(),
    action: z.string().describe("Subject and verb, such as `key.create`."),
    target: z.string(),
    target_name: z.string().nullable(),
    detail: z.record(z.string(), z.unknown()).readonly(),
    changes: z
      .record(z.string(), change)
      .readonly()
      .nullable()
      .describe("By the name of the member; null if the change was not recorded."),
  })
  .meta({ id: "AuditRecord" });

export type AuditRecord = z.output<typeof auditRecord>;

export const LIST_AUDIT = get("/api/operator/audit", "Lists changes, newest first.", {
  query: z.object({
    ...PAGE,
    account: textParameter.optional(),
    actor: textParameter.optional(),
    action: textParameter.optional().describe("`key.create`, or `key` for all about keys."),
    target: textParameter.optional(),
    from: momentParameter.optional(),
    to: momentParameter.optional().describe("Not included."),
  }),
  answer: listOf(auditRecord),
});
