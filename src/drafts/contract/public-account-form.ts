import { isBareAddress } from "../../lib/net/bare-address.ts";
import * as z from "../../lib/schemas.ts";
import { THEMES } from "../render/themes.ts";
import { ACCESS_CHANGE, type CredentialKind, NEW_ACCESS } from "./access-form.ts";
import { line } from "./form-line.ts";

const URL_CHARS_MAX = 1_000;
const BUILT_IN = "built-in";

const name = line("The name").refine((text) => !text.startsWith("pub_"), {
  error: "A name does not begin as an id does, with pub_.",
});
const theme = z
  .string()
  .refine((id) => THEMES.some((known) => known.id === id), { error: "There is no such theme." })
  .nullable()
  .optional();
const shared = {
  theme,
  author: line("The author").nullable().optional(),
  publish_allowed: z.boolean().optional(),
};

const newForm = z.strictObject({
  name,
  appid: line("The appid").optional(),
  /** What the third-party platform's documents call the same. */
  authorizer_appid: line("The authorizer_appid").optional(),
  /** Absent where the token comes by another way. */
  secret: line("The secret").optional(),
  /** The installation's usual platform where absent. The secret goes there. */
  platform_url: z
    .string()
    .max(URL_CHARS_MAX)
    .refine((text) => text === BUILT_IN || isBareAddress(text), {
      error: `Write the platform's address as https://…, or "${BUILT_IN}".`,
    })
    .optional(),
  /** Of drafts that name no other; true for a real one where absent. */
  is_default: z.boolean("Whether drafts go to it: true or false.").optional(),
  ...NEW_ACCESS,
  ...shared,
});

type NewForm = z.output<typeof newForm>;

/** What each way to a token needs, and what else it may have. */
const WAYS: Readonly<
  Record<CredentialKind, Readonly<Record<"needs" | "takes", readonly (keyof NewForm)[]>>>
> = {
  secret: { needs: ["secret"], takes: [] },
  supplied: { needs: [], takes: ["token_url", "token_bearer"] },
  component: {
    needs: ["component_appid", "component_appsecret", "authorizer_refresh_token"],
    takes: ["component_verify_ticket"],
  },
};

/** Which way it is, where the form does not say so itself. */
function wayOf({ credential, token_url, component_appid }: NewForm): CredentialKind {
  if (credential !== undefined) return credential;
  if (component_appid !== undefined) return "component";
  return token_url === undefined ? "secret" : "supplied";
}

/** Every way to a token has members of its own; those of another are a mistake that is said. */
function checkWay(form: NewForm, context: z.RefinementCtx): void {
  const way = wayOf(form);
  const { needs, takes } = WAYS[way];
  const say = (field: keyof NewForm, message: string) =>
    context.addIssue({ code: "custom", path: [field], message });
  if (form.appid === undefined && form.authorizer_appid === undefined) {
    say("appid", "The appid is missing.");
  }
  for (const field of needs) {
    if (form[field] !== undefined) continue;
    const hint =
      field === "secret" ? '; without an AppSecret, give token_url or credential: "supplied"' : "";
    say(field, `A public account with the credential "${way}" needs ${field}${hint}.`);
  }
  for (const other of Object.values(WAYS).flatMap((each) => [...each.needs, ...each.takes])) {
    if (form[other] === undefined || needs.includes(other) || takes.includes(other)) continue;
    say(other, `A public account with the credential "${way}" has no ${other}; leave it out.`);
  }
  if (form.token_bearer !== undefined && form.token_url === undefined) {
    say("token_bearer", "There is no token_url that it could be for.");
  }
}

const changeForm = z.strictObject({
  name: name.optional(),
  secret: line("The secret").optional(),
  is_default: z.literal(true, "Make another one the default instead.").optional(),
  ...ACCESS_CHANGE,
  ...shared,
});

function componentOf(form: NewForm) {
  if (wayOf(form) !== "component") return undefined;
  return {
    appid: form.component_appid ?? "",
    secret: form.component_appsecret ?? "",
    ticket: form.component_verify_ticket,
    refreshToken: form.authorizer_refresh_token ?? "",
  };
}

export const newPublicAccountForm = newForm.superRefine(checkWay).transform((form) => ({
  name: form.name,
  appid: form.appid ?? form.authorizer_appid ?? "",
  secret: form.secret,
  platformUrl: form.platform_url === BUILT_IN ? null : form.platform_url,
  isDefault: form.is_default,
  proxyUrl: form.proxy_url,
  /** Somebody else keeps the token: it is asked for at `url`, or handed to us. */
  supplied:
    wayOf(form) === "supplied" ? { url: form.token_url, bearer: form.token_bearer } : undefined,
  component: componentOf(form),
  theme: form.theme,
  author: form.author,
  publishAllowed: form.publish_allowed,
}));

export const publicAccountChangeForm = changeForm.transform((form) => ({
  name: form.name,
  secret: form.secret,
  proxyUrl: form.proxy_url,
  tokenUrl: form.token_url,
  tokenBearer: form.token_bearer,
  componentSecret: form.component_appsecret,
  refreshToken: form.authorizer_refresh_token,
  theme: form.theme,
  author: form.author,
  publishAllowed: form.publish_allowed,
  isDefault: form.is_default,
}));

type Read = z.output<typeof newPublicAccountForm>;
export type NewPublicAccount = Pick<Read, "name" | "appid"> & Partial<Read>;

/** Absent members stay, null takes away. */
export type PublicAccountChange = Partial<z.output<typeof publicAccountChangeForm>>;
