import { get, instant, patch, post, put, remove, told } from "../../lib/contract.ts";
import { isRange } from "../../lib/net/networks.ts";
import * as z from "../../lib/schemas.ts";
import { ACCOUNT_TYPES, PRODUCT_RIGHTS } from "../account.ts";
import { DAILY_QUOTAS, type QuotaName } from "../quotas.ts";
import { APPID } from "./platform-call.ts";

const YEARS_MS = 20 * 366 * 86_400_000;
const CALLS_MAX = 1_000;
const CALLS_DEFAULT = 100;

const PATH = told(z.string(), "Below the platform's address.", "/cgi-bin/draft/add");

const CALLBACK = z
  .url({ protocol: /^https?$/, error: "callback must begin with http:// or https://" })
  .max(1_024);

const accountForm = z.strictObject({
  name: z.string().max(64).exactOptional(),
  type: z.enum(ACCOUNT_TYPES).exactOptional(),
  verified: z.boolean().exactOptional(),
  comments: z.boolean().exactOptional(),
  product: z.enum(PRODUCT_RIGHTS).exactOptional(),
  networks: z
    .array(z.string().refine(isRange, "not an address or CIDR range"))
    .max(100)
    .exactOptional(),
  frozen: z.boolean().exactOptional(),
  callback: CALLBACK.nullable().exactOptional(),
});

const account = z
  .strictObject({
    appid: APPID,
    owner: told(z.string(), "Whose it is.", "test controls"),
    name: told(z.string(), "As its page shows it.", "Sandbox"),
    type: z.enum(ACCOUNT_TYPES),
    verified: z.boolean(),
    comments: z.boolean().describe("Whether its articles may have comments."),
    product: z.enum(PRODUCT_RIGHTS).describe("Whether its articles may have products."),
    networks: told(
      z.array(z.string()).readonly(),
      "Networks that may fetch tokens; empty allows all.",
      [],
    ),
    frozen: z.boolean().describe("Whether the platform refuses to issue tokens."),
    callback: told(z.string().nullable(), "Where events are sent.", null),
  })
  .meta({ id: "PlatformAccount" });

const createdAccount = account.extend({
  secret: told(z.string(), "Told this once.", "0123456789abcdef0123456789abcdef"),
});

const faultForm = z
  .strictObject({
    route: z.string().max(200).describe("Such as `/cgi-bin/draft/add`, or `*` for every call."),
    count: z.number().int().min(1).max(10_000).default(1).describe("How many calls."),
    delay_ms: z.number().int().min(0).default(0),
    after_commit: z.boolean().default(false).describe("Whether the call is carried out first."),
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

export type FaultForm = z.output<typeof faultForm>;

/** The same, with waits no longer than the installation has them. */
export function boundedFault(delayMsMax: number) {
  return faultForm.refine(({ delay_ms }) => delay_ms <= delayMsMax, {
    path: ["delay_ms"],
    error: `delay_ms must be at most ${delayMsMax}`,
  });
}

const faults = z.strictObject({
  data: z.array(
    z.looseObject({
      route: PATH,
      left: told(z.int(), "For how many more calls.", 1),
      delay_ms: told(z.int(), "How long they wait.", 0),
      after_commit: z.boolean(),
      kind: z.enum(["none", "drop", "errcode", "http", "answer"]).describe("The effect."),
    }),
  ),
});

const call = z.strictObject({
  rid: told(z.string(), "The id that errors name.", "6919a3c0-1a2b3c4d-5e6f7a8b"),
  appid: told(z.string().nullable(), "The public account that called, if known.", null),
  at: instant,
  cost_ms: told(z.number(), "How long it took.", 3),
  method: told(z.string(), "Of HTTP.", "POST"),
  path: PATH,
  url: told(z.string(), "As in the call.", "http://127.0.0.1:8080/platform/cgi-bin/draft/add"),
  client_ip: told(z.string(), "The caller's address.", "127.0.0.1"),
  errcode: told(z.int(), "0 if the call succeeded.", 0),
  field: told(z.string().nullable(), "The field at fault.", null),
  request_body: told(z.string(), "Its first part; files are only counted.", "{}"),
  response_body: told(z.string(), "What was answered.", '{"media_id":"…"}'),
});

const clock = z.strictObject({
  offset_ms: told(z.int(), "The platform's time minus the real time.", 0),
  now: instant.describe("Shows the platform's time."),
});

const LIMIT_WORDS = `limit must be from 1 to ${CALLS_MAX}.`;
const QUOTA_NAMES = Object.keys(DAILY_QUOTAS) as [QuotaName, ...QuotaName[]];
const quota = z.strictObject({
  appid: z.string().max(64),
  name: z.enum(QUOTA_NAMES),
  used: z.number().int().min(0).max(1_000_000_000),
});

/** Rows of tables; what they must be is known where the tables are. */
const state = z
  .record(
    z.string(),
    z
      .array(z.record(z.string(), z.union([z.string(), z.number(), z.null()])).readonly())
      .readonly(),
  )
  .readonly()
  .meta({ id: "PlatformState" });

const at = (path: string) => `/platform/__sandbox/${path}`;

export const LIST_ACCOUNTS = get(at("accounts"), "Lists all public accounts.", {
  answer: z.strictObject({ data: z.array(account) }),
});
export const CREATE_ACCOUNT = post(at("accounts"), "Creates a public account with these rights.", {
  body: accountForm.extend({ owner: z.string().max(64).optional() }),
  example: { name: "Tests", verified: true },
  status: 201,
  answer: createdAccount,
});
export const CHANGE_ACCOUNT = patch(at("accounts/:appid"), "Changes the named members.", {
  body: accountForm,
  example: { frozen: true },
  answer: account,
});
export const SHOW_CLOCK = get(at("clock"), "Shows the platform's time.", { answer: clock });
export const SET_CLOCK = put(
  at("clock"),
  "Moves the platform's time, and does at once what is due.",
  {
    body: z.strictObject({ offset_ms: z.number().int().min(-YEARS_MS).max(YEARS_MS) }),
    example: { offset_ms: 7_200_000 },
    answer: clock,
  },
);
export const LIST_FAULTS = get(at("faults"), "Lists the faults to come.", { answer: faults });
export const ADD_FAULT = post(at("faults"), "Makes the next calls of a route fail.", {
  body: faultForm,
  example: { route: "/cgi-bin/draft/add", errcode: -1 },
  status: 201,
  answer: faults,
});
export const CLEAR_FAULTS = remove(at("faults"), "Removes all faults and ends their delays.", {
  answer: faults,
});
export const LIST_CALLS = get(
  at("requests"),
  "Lists the last calls of the platform, newest first.",
  {
    query: z.object({
      appid: z.string().optional(),
      limit: z
        .string()
        .transform(Number)
        .refine((limit) => Number.isInteger(limit) && limit >= 1 && limit <= CALLS_MAX, LIMIT_WORDS)
        .default(CALLS_DEFAULT),
    }),
    answer: z.strictObject({ data: z.array(call) }),
  },
);
export const SET_QUOTA = put(at("quotas"), "Sets how many calls count as made today.", {
  body: quota,
  example: { appid: "wx0123456789abcdef", name: "draft_add", used: 999 },
  answer: quota,
});
export const GIVE_TOKEN = post(at("tokens"), "Issues a token of any kind.", {
  body: z.strictObject({
    appid: z.string().max(64),
    kind: z.enum(["stable", "third-party", "cloud"]),
    sets: z
      .array(z.number().int().min(1).max(10_000))
      .max(100)
      .default([])
      .describe("The permission sets of a third party."),
  }),
  example: { appid: "wx0123456789abcdef", kind: "third-party", sets: [11] },
  answer: z.strictObject({
    access_token: told(z.string(), "For the platform's calls.", "86_abcdefghijkl"),
    expires_in: told(z.int(), "In seconds.", 7_200),
    refresh_token: told(z.string(), "For a third party.", "refreshtoken@@@abcdefghijkl").optional(),
  }),
});
export const PLAN_PUBLISHES = post(at("publishing"), "Sets how the next publications end.", {
  body: z.strictObject({
    status: z.literal([0, 2, 3, 4]).default(0).describe("As the platform's `publish_status`."),
    fail_idx: z.array(z.number().int().min(1).max(100)).max(100).default([]),
    delay_ms: z.number().int().min(0).max(3_600_000).optional(),
    count: z.number().int().min(1).max(1_000).default(1),
  }),
  example: { status: 3, count: 1 },
  answer: z.strictObject({ planned: told(z.int(), "How many.", 1) }),
});
export const DUMP_STATE = get(at("state"), "Dumps the state.", {
  answer: state,
});
export const RESTORE_STATE = put(at("state"), "Replaces the state by a dump.", {
  body: state,
  example: {},
  answer: z.strictObject({ restored: z.literal(true) }),
});
export const RESET_STATE = remove(
  at("state"),
  "Deletes everything but the accounts, and resets the clock.",
  { answer: z.strictObject({ reset: z.literal(true) }) },
);
