import { z } from "zod";
import type { KeyChanges } from "../../accounts/account.ts";
import { type BudgetTerms, budgetsProblem } from "../../accounts/keys/budget.ts";
import { BUDGET_PERIODS, zoneName } from "../../accounts/keys/budget-window.ts";
import { parseUsd } from "../../catalogue/money.ts";
import { isRange } from "../../lib/net/networks.ts";

const NAME_CHARS_MAX = 100;
const MODELS_MAX = 500;
const NETWORKS_MAX = 100;
const COUNT_MAX = 1_000_000_000;
const CONCURRENCY_MAX = 100_000;
const YEAR_MAX = 2100;

const OVERLAP_SECONDS_DEFAULT = 86_400;
const OVERLAP_SECONDS_MAX = 30 * 86_400;
const OVERLAP_WORDS = `Write a whole number of seconds from 0 to ${OVERLAP_SECONDS_MAX}.`;

/** What nobody sees, or what turns the text around it. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;

const name = z
  .string("Give the key a name.")
  .trim()
  .min(1, "Give the key a name.")
  .max(NAME_CHARS_MAX, `A name has at most ${NAME_CHARS_MAX} characters.`)
  .refine((text) => !UNSEEN.test(text), "A name has no invisible characters.");

const amount = z.string("Write an amount such as 12.50.").transform((text, context) => {
  const nano = parseUsd(text.trim());
  if (nano !== undefined && nano > 0n) return nano;
  context.addIssue("An amount is more than 0 and at most 1,000,000 dollars, such as 12.50.");
  return z.NEVER;
});

const timeZone = z
  .string("Write the name of a time zone such as Europe/Berlin.")
  .transform((text, context) => {
    const known = zoneName(text);
    if (known !== undefined) return known;
    context.addIssue("This is not the name of a time zone; write one such as Europe/Berlin.");
    return z.NEVER;
  });

const budget = z
  .strictObject({
    amount,
    period: z.enum(BUDGET_PERIODS, `A period is one of ${BUDGET_PERIODS.join(", ")}.`),
    time_zone: timeZone.optional(),
  })
  .transform(
    (row): BudgetTerms => ({
      amount: row.amount,
      period: row.period,
      timeZone: row.time_zone ?? "UTC",
    }),
  );

const budgets = z.array(budget, "Write a list of budgets.").superRefine((list, context) => {
  const problem = budgetsProblem(list);
  if (problem) {
    context.addIssue({ code: "custom", message: problem.message, path: [problem.index] });
  }
});

const networks = z
  .array(
    z.string().refine(isRange, "Write an address or a range such as 10.0.0.0/8."),
    "Write a list of networks.",
  )
  .max(NETWORKS_MAX, `A key has at most ${NETWORKS_MAX} networks.`)
  .nullable();

/** A limit, or null for none. */
function limit(max: number) {
  const message = `Write a whole number from 1 to ${max}, or leave it out for no limit.`;
  return z.int(message).min(1, message).max(max, message).nullable();
}

const flag = z.boolean("Write true or false.");

function expiry(nowMs: number) {
  const message = "Write a time such as 2027-01-31T12:00:00Z.";
  return z.iso
    .datetime({ offset: true, error: message })
    .refine((text) => Date.parse(text) > nowMs, "This time has passed; choose a later one.")
    .refine(
      (text) => new Date(text).getUTCFullYear() < YEAR_MAX,
      `Choose a year before ${YEAR_MAX}, or leave it out.`,
    )
    .nullable();
}

function models(exists: (id: string) => boolean) {
  return z
    .array(
      z.string().refine(exists, "There is no model of this name; the list of models has them all."),
      "Write a list of models.",
    )
    .max(MODELS_MAX, `A key has at most ${MODELS_MAX} models.`)
    .nullable();
}

/** What a form may be checked against. */
export interface FormGround {
  readonly nowMs: number;
  readonly modelExists: (id: string) => boolean;
}

function settings({ nowMs, modelExists }: FormGround) {
  return {
    budgets: budgets.optional(),
    models: models(modelExists).optional(),
    networks: networks.optional(),
    rpm: limit(COUNT_MAX).optional(),
    tpm: limit(COUNT_MAX).optional(),
    concurrency: limit(CONCURRENCY_MAX).optional(),
    expires_at: expiry(nowMs).optional(),
    hard: flag.optional(),
    account_read: flag.optional(),
    show_cost: flag.optional(),
  };
}

export function newKeyForm(ground: FormGround) {
  return z.strictObject({ name, ...settings(ground) });
}

export function changeKeyForm(ground: FormGround) {
  return z.strictObject({
    name: name.optional(),
    enabled: flag.optional(),
    ...settings(ground),
  });
}

/** How long the secret of before works on: a day, unless it is said. */
export const rotationForm = z.strictObject({
  overlap_seconds: z
    .int(OVERLAP_WORDS)
    .min(0, OVERLAP_WORDS)
    .max(OVERLAP_SECONDS_MAX, OVERLAP_WORDS)
    .default(OVERLAP_SECONDS_DEFAULT),
});

type ChangedKey = z.infer<ReturnType<typeof changeKeyForm>>;

/** A form as the settings of a key. What was not said is not there. */
export function toChanges(form: ChangedKey): KeyChanges {
  const said = {
    name: form.name,
    enabled: form.enabled,
    budgets: form.budgets,
    models: form.models,
    networks: form.networks,
    requestsPerMinute: form.rpm === null ? 0 : form.rpm,
    tokensPerMinute: form.tpm === null ? 0 : form.tpm,
    concurrency: form.concurrency === null ? 0 : form.concurrency,
    expiresAtMs:
      typeof form.expires_at === "string" ? Date.parse(form.expires_at) : form.expires_at,
    hard: form.hard,
    accountRead: form.account_read,
    showCost: form.show_cost,
  };
  const entries = Object.entries(said).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as KeyChanges;
}
