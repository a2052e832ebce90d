import { z } from "zod";
import type { NewPublicAccount, PublicAccountChange } from "../public-accounts.ts";
import { THEMES } from "../render/themes.ts";

const LINE_CHARS_MAX = 200;
const URL_CHARS_MAX = 1_000;
const BUILT_IN = "built-in";

function line(what: string) {
  return z
    .string(`${what} is a text.`)
    .trim()
    .min(1, `${what} is empty.`)
    .max(LINE_CHARS_MAX, `At most ${LINE_CHARS_MAX} characters.`);
}

/** The secret goes to this address, so it is one that can be read without doubt. */
function isPlatformUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return (
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.username === "" &&
    url.search === "" &&
    url.hash === ""
  );
}

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
  appid: line("The appid"),
  secret: line("The secret"),
  platform_url: z
    .string()
    .max(URL_CHARS_MAX)
    .refine((text) => text === BUILT_IN || isPlatformUrl(text), {
      error: `Write the platform's address as https://…, or "${BUILT_IN}".`,
    })
    .optional(),
  is_default: z.boolean("Whether drafts go to it: true or false.").optional(),
  ...shared,
});

const changeForm = z.strictObject({
  name: name.optional(),
  secret: line("The secret").optional(),
  is_default: z.literal(true, "Make another one the default instead.").optional(),
  ...shared,
});

export const newPublicAccountForm: z.ZodType<NewPublicAccount> = newForm.transform((form) => ({
  name: form.name,
  appid: form.appid,
  secret: form.secret,
  platformUrl: form.platform_url === BUILT_IN ? null : form.platform_url,
  isDefault: form.is_default,
  theme: form.theme,
  author: form.author,
  publishAllowed: form.publish_allowed,
}));

export const publicAccountChangeForm: z.ZodType<PublicAccountChange> = changeForm.transform(
  (form) => ({
    name: form.name,
    secret: form.secret,
    theme: form.theme,
    author: form.author,
    publishAllowed: form.publish_allowed,
    isDefault: form.is_default,
  }),
);
