import type { PublicAccount } from "../../../../src/drafts/contract/public-account.ts";
import type { MessageKey } from "../../../i18n/catalogue.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import type { useForm } from "../../../lib/form.ts";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { TextField } from "../../../ui/text-field.tsx";

type Credential = PublicAccount["credential"];

const CREDENTIALS: readonly Credential[] = ["secret", "supplied", "component"];

export const EMPTY_ACCOUNT = {
  name: "",
  appid: "",
  credential: "secret" as Credential,
  secret: "",
  token_url: "",
  token_bearer: "",
  component_appid: "",
  component_appsecret: "",
  authorizer_refresh_token: "",
  platform_url: "",
  proxy_url: "",
  author: "",
  is_default: true,
  publish_allowed: false,
};

export type AccountValues = typeof EMPTY_ACCOUNT;

interface SecretField {
  readonly name: Exclude<keyof AccountValues, "credential" | "is_default" | "publish_allowed">;
  readonly label: MessageKey;
  /** Of one that is open; what is secret has the same everywhere. */
  readonly hint?: MessageKey;
  readonly isOptional?: boolean;
  /** Whether what is typed can be seen. */
  readonly isOpen?: boolean;
}

/** What is asked for, by how the token is had. */
const FIELDS: Readonly<Record<Credential, readonly SecretField[]>> = {
  secret: [{ name: "secret", label: "drafts.secret" }],
  supplied: [
    {
      name: "token_url",
      label: "drafts.tokenUrl",
      hint: "drafts.tokenUrlHint",
      isOptional: true,
      isOpen: true,
    },
    { name: "token_bearer", label: "drafts.tokenBearer", isOptional: true },
  ],
  component: [
    { name: "component_appid", label: "drafts.componentAppid", isOpen: true },
    { name: "component_appsecret", label: "drafts.componentSecret" },
    { name: "authorizer_refresh_token", label: "drafts.refreshToken" },
  ],
};

const ALL_FIELDS: readonly string[] = Object.values(FIELDS)
  .flat()
  .map(({ name }) => name);

export function missingFields(values: AccountValues): readonly (keyof AccountValues)[] {
  const needed = FIELDS[values.credential].filter(({ isOptional }) => !isOptional);
  return (["name", "appid", ...needed.map(({ name }) => name)] as const).filter(
    (name) => values[name].trim() === "",
  );
}

/** Empty lines are not sent: the server has its own words for what is usual. */
export function bodyOf({
  publish_allowed,
  is_default,
  ...lines
}: AccountValues): Readonly<Record<string, unknown>> {
  const own: readonly string[] = FIELDS[lines.credential].map(({ name }) => name);
  const filled = Object.entries(lines)
    .map(([name, text]) => [name, text.trim()] as const)
    // What was typed for another way to a token is not meant.
    .filter(([name, text]) => text !== "" && (own.includes(name) || !ALL_FIELDS.includes(name)));
  return { ...Object.fromEntries(filled), publish_allowed, is_default };
}

interface AccountCredentialsProps {
  readonly form: ReturnType<typeof useForm<AccountValues>>;
}

/** Who the public account is, and how its token is had. */
export function AccountCredentials({ form }: AccountCredentialsProps) {
  const { t } = useSpeech();
  const { values, errors, set } = form;
  return (
    <>
      <TextField
        form={form}
        name="name"
        label={t("drafts.accountName")}
        hint={t("drafts.accountNameHint")}
      />
      <TextField form={form} name="appid" label={t("drafts.appid")} mono placeholder="wx…" />
      <Field label={t("drafts.credential")} error={errors.credential}>
        <Select
          value={values.credential}
          choices={CREDENTIALS.map((value) => ({ value, label: t(`drafts.credential_${value}`) }))}
          onChange={(credential) => set("credential", credential)}
        />
      </Field>
      {FIELDS[values.credential].map((field) => (
        <Secret key={field.name} field={field} form={form} />
      ))}
    </>
  );
}

function Secret({ field, form }: AccountCredentialsProps & { readonly field: SecretField }) {
  const { t } = useSpeech();
  const { name, label, isOptional, isOpen } = field;
  const hint = isOpen ? field.hint : "drafts.secretHint";
  // None of these messages has a place for a value.
  const say = t as (key: MessageKey) => string;
  return (
    <TextField
      form={form}
      name={name}
      label={say(label)}
      hint={hint && say(hint)}
      optional={isOptional}
      mono
      type={isOpen ? "text" : "password"}
      autoComplete="off"
    />
  );
}
