import { get, instant, listOf, patch, post, put, remove } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { CREDENTIALS, suppliedTokenForm, ticketForm } from "./access-form.ts";
import { deletedOf } from "./draft.ts";
import { destination } from "./preview.ts";
import { newPublicAccountForm, publicAccountChangeForm } from "./public-account-form.ts";

/** An account of the platform that drafts go to. */
const publicAccount = z
  .strictObject({
    object: z.literal("public_account"),
    id: z.string(),
    name: z.string(),
    kind: z.enum(["built-in", "wechat"]),
    sandbox: z.boolean(),
    appid: z.string(),
    platform_url: z.string().nullable(),
    credential: z.enum(CREDENTIALS).describe("How the token is obtained."),
    proxy: z.string().nullable().describe("Its origin only: the rest is secret."),
    token_source: z.string().nullable().describe("Its origin only: the rest is secret."),
    component_appid: z.string().nullable(),
    is_default: z.boolean(),
    theme: z.string().nullable(),
    author: z.string().nullable(),
    publish_allowed: z.boolean(),
    can_publish: z
      .boolean()
      .describe("Whether both the public account and the installation allow publishing."),
    created_at: instant,
  })
  .meta({ id: "PublicAccount" });

const shownPublicAccount = publicAccount
  .extend({
    material_path: z
      .string()
      .nullable()
      .describe("The page of its box on the built-in platform, if there is one."),
  })
  .meta({ id: "ShownPublicAccount" });

const finding = z
  .strictObject({
    check: z.enum([
      "proxy",
      "credential",
      "ip",
      "draft_right",
      "publish_right",
      "quota",
      "destination",
    ]),
    state: z
      .enum(["ok", "failed", "unknown", "skipped", "off", "warning"])
      .describe("off: possible, but not wanted here. warning: probably not intended."),
    message: z.string(),
    reason: z.string().nullable().describe("Which of several causes it has."),
    fix: z.string().nullable(),
    ip: z
      .string()
      .nullable()
      .describe("The address of this gateway as the platform sees it, to be put on its list."),
    errcode: z.int().nullable(),
    rid: z.string().nullable(),
  })
  .meta({ id: "Finding" });

export const diagnosis = z
  .strictObject({
    object: z.literal("diagnosis"),
    public_account_id: z.string(),
    sandbox: z.boolean(),
    destination,
    healthy: z.boolean().describe("Whether drafts can be pushed."),
    can_publish: z
      .boolean()
      .describe(
        "Whether they can be published: by the platform, the installation and the account.",
      ),
    verified: z
      .boolean()
      .nullable()
      .describe("Whether the platform treats the account as verified; null where not known."),
    drafts: z.int().nullable(),
    quota: z.strictObject({ limit: z.int(), used: z.int(), left: z.int() }).nullable(),
    findings: z.array(finding).readonly(),
  })
  .meta({ id: "Diagnosis" });

/** As the console shows it. */
export type PublicAccount = z.output<typeof shownPublicAccount>;
export type Finding = z.output<typeof finding>;
export type Diagnosis = z.output<typeof diagnosis>;

const DOCTOR = "Checks credential, address, rights and quota.";

/** The same in the console and for keys, but for what is shown. */
function operationsAt<Shown extends z.ZodType>(path: string, shown: Shown, addedStatus: number) {
  return {
    list: get(path, "Lists public accounts.", { answer: listOf(shown) }),
    add: post(path, "Adds a public account; a real one becomes the default.", {
      body: newPublicAccountForm,
      example: { name: "Weekly", appid: "wx3f9a1c7e5b2d8064", secret: "0123456789abcdef" },
      status: addedStatus,
      answer: shown,
    }),
    show: get(`${path}/:id`, "Shows a public account.", { answer: shown }),
    change: patch(`${path}/:id`, "Changes the named members.", {
      body: publicAccountChangeForm,
      example: { author: "Ada" },
      answer: shown,
    }),
    remove: remove(`${path}/:id`, "Deletes a public account and its secrets.", {
      answer: deletedOf("public_account"),
    }),
  };
}

const ACCOUNTS = "/api/accounts/:account/public-accounts";
const inConsole = operationsAt(ACCOUNTS, shownPublicAccount, 201);

export const IN_CONSOLE = {
  ...inConsole,
  change: { ...inConsole.change, example: { author: "Ada", is_default: true as const } },
  examine: post(`${ACCOUNTS}/:id/doctor`, DOCTOR, { answer: diagnosis }),
};

/** Keys name one by its id or its name. */
const OF_KEY = "/v1/wechat/accounts";

export const BY_KEY = {
  ...operationsAt(OF_KEY, publicAccount, 200),
  examine: post(`${OF_KEY}/:id:doctor`, `${DOCTOR} Without an id, it checks the default account.`, {
    answer: diagnosis,
  }),
};
export const SUPPLY_TOKEN = put(
  `${OF_KEY}/:id/token`,
  "Hands over a token that another service fetched.",
  {
    body: suppliedTokenForm,
    example: { access_token: "84_…", expires_in: 7200 },
    answer: publicAccount,
  },
);
export const SUPPLY_TICKET = put(
  `${OF_KEY}/:id/ticket`,
  "Hands over the newest ticket of a third-party platform.",
  { body: ticketForm, example: { component_verify_ticket: "ticket@@@…" }, answer: publicAccount },
);
