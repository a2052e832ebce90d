import { z } from "zod";
import { isRange } from "../../lib/net/networks.ts";
import { ACCOUNT_TYPES, type AccountChanges, PRODUCT_RIGHTS } from "../account.ts";
import type { WireObject } from "../endpoint.ts";
import { DAILY_QUOTAS, type QuotaName } from "../quotas.ts";
import type { Interruption } from "./interruptions.ts";

const CALLBACK = z
  .url({ protocol: /^https?$/, error: "callback must begin with http:// or https://" })
  .max(1_024);

export const ACCOUNT_FORM = z.strictObject({
  name: z.string().max(64).optional(),
  type: z.enum(ACCOUNT_TYPES).optional(),
  verified: z.boolean().optional(),
  comments: z.boolean().optional(),
  product: z.enum(PRODUCT_RIGHTS).optional(),
  networks: z.array(z.string().refine(isRange, "not an address or CIDR range")).max(100).optional(),
  frozen: z.boolean().optional(),
  callback: CALLBACK.nullable().optional(),
});

export const NEW_ACCOUNT_FORM = ACCOUNT_FORM.extend({ owner: z.string().max(64).optional() });

/** The same in the words of the platform; what is not there stays as it is. */
export function accountChanges(form: z.infer<typeof ACCOUNT_FORM>): AccountChanges {
  return {
    ...(form.name !== undefined && { name: form.name }),
    ...(form.type !== undefined && { type: form.type }),
    ...(form.verified !== undefined && { verified: form.verified }),
    ...(form.comments !== undefined && { commentRight: form.comments }),
    ...(form.product !== undefined && { productRight: form.product }),
    ...(form.networks !== undefined && { ipList: form.networks }),
    ...(form.frozen !== undefined && { frozen: form.frozen }),
    ...(form.callback !== undefined && { callbackUrl: form.callback ?? undefined }),
  };
}

const YEARS_MS = 20 * 366 * 86_400_000;

export const CLOCK_FORM = z.strictObject({
  offset_ms: z.number().int().min(-YEARS_MS).max(YEARS_MS),
});

const FAULT_FORM = z
  .strictObject({
    route: z.string().max(200),
    count: z.number().int().min(1).max(10_000).default(1),
    delay_ms: z.number().int().min(0).default(0),
    after_commit: z.boolean().default(false),
    errcode: z.number().int().optional(),
    http: z.number().int().min(400).max(599).optional(),
    answer: z.record(z.string(), z.json()).optional(),
    drop_before_commit: z.literal(true).optional(),
    drop_after_commit: z.literal(true).optional(),
  })
  .refine(
    (form) =>
      [
        form.errcode,
        form.http,
        form.answer,
        form.drop_before_commit,
        form.drop_after_commit,
      ].filter((effect) => effect !== undefined).length <= 1,
    "give one of errcode, http, answer, drop_before_commit and drop_after_commit",
  );

/** The same, with waits no longer than the installation has them. */
export function faultForm(delayMsMax: number) {
  return FAULT_FORM.refine(({ delay_ms }) => delay_ms <= delayMsMax, {
    path: ["delay_ms"],
    error: `delay_ms must be at most ${delayMsMax}`,
  });
}

function effectOf(form: z.infer<typeof FAULT_FORM>): Interruption["effect"] {
  if (form.errcode !== undefined) return { kind: "errcode", errcode: form.errcode };
  if (form.http !== undefined) return { kind: "http", status: form.http };
  if (form.answer !== undefined) return { kind: "answer", answer: form.answer as WireObject };
  return { kind: form.drop_before_commit || form.drop_after_commit ? "drop" : "none" };
}

export function interruptionOf(form: z.infer<typeof FAULT_FORM>): Interruption {
  const afterCommit = form.after_commit || form.drop_after_commit === true;
  const { route, delay_ms: delayMs } = form;
  return { route, delayMs, afterCommit, effect: effectOf(form) };
}

const QUOTA_NAMES = Object.keys(DAILY_QUOTAS) as [QuotaName, ...QuotaName[]];

export const QUOTA_FORM = z.strictObject({
  appid: z.string().max(64),
  name: z.enum(QUOTA_NAMES),
  used: z.number().int().min(0).max(1_000_000_000),
});

export const TOKEN_FORM = z.strictObject({
  appid: z.string().max(64),
  kind: z.enum(["stable", "third-party", "cloud"]),
  sets: z.array(z.number().int().min(1).max(10_000)).max(100).default([]),
});

export const PUBLISH_FORM = z.strictObject({
  status: z.literal([0, 2, 3, 4]).default(0),
  fail_idx: z.array(z.number().int().min(1).max(100)).max(100).default([]),
  delay_ms: z.number().int().min(0).max(3_600_000).optional(),
  count: z.number().int().min(1).max(1_000).default(1),
});
