import { SIGNUP_MODES } from "../../../accounts/settings.ts";
import { parseUsd } from "../../../catalogue/money.ts";
import { MARKUP_PERCENT_MAX } from "../../../config/file.ts";
import { decimal, get, put } from "../../../lib/contract.ts";
import * as z from "../../../lib/schemas.ts";
import { PREVIEW } from "./described.ts";
import { pricePreview } from "./models.ts";

const SIGNUP_CREDIT_USD_MAX = 1_000;
const RATE_MAX = 1_000_000;
const DECIMAL = /^\d{1,7}(?:\.\d{1,6})?$/;

const markup = z
  .string()
  .regex(DECIMAL, 'Write a plain decimal such as "12.5".')
  .refine((text) => Number(text) <= MARKUP_PERCENT_MAX, `At most ${MARKUP_PERCENT_MAX} percent.`);

const credit = z
  .string()
  .refine((text) => parseUsd(text) !== undefined, 'Write dollars such as "0.5".')
  .refine(
    (text) => Number(text) <= SIGNUP_CREDIT_USD_MAX,
    `At most ${SIGNUP_CREDIT_USD_MAX} dollars.`,
  );

const currency = z.strictObject({
  code: z.string().regex(/^[A-Z]{3}$/, "Write three capital letters such as CNY."),
  rate: z
    .string()
    .regex(DECIMAL, 'Write a plain decimal such as "7.1".')
    .refine((text) => Number(text) > 0 && Number(text) <= RATE_MAX, "Must be above zero."),
});

const settingsForm = z.strictObject({
  markup_percent: markup.nullish(),
  signup: z.enum(SIGNUP_MODES).nullish(),
  signup_credit: credit.nullish(),
  display_currency: currency.nullish(),
});

const settings = z
  .strictObject({
    object: z.literal("settings"),
    markup_percent: z.string().describe("Added to the shipped prices."),
    signup: z.enum(SIGNUP_MODES),
    signup_credit: decimal,
    display_currency: z
      .strictObject({ code: z.string(), rate: z.string() })
      .nullable()
      .describe("A second currency for amounts, and its rate per dollar."),
  })
  .meta({ id: "InstallationSettings" });

export type InstallationSettings = z.output<typeof settings>;
export type SettingsForm = z.input<typeof settingsForm>;

const SETTINGS = "/api/operator/settings";

export const SHOW_SETTINGS = get(SETTINGS, "Shows the settings of the installation.", {
  answer: settings,
});
export const CHANGE_SETTINGS = put(
  SETTINGS,
  "Changes the named settings; null resets to the configuration.",
  {
    query: z.object(PREVIEW),
    body: settingsForm,
    example: { markup_percent: "12.5", display_currency: { code: "CNY", rate: "7.1" } },
    answer: z.discriminatedUnion("object", [settings, pricePreview]),
  },
);
