import { DOLLARS_MAX, isDollars } from "./dollars.ts";
import { type Environment, webAddress } from "./environment.ts";
import { ConfigError } from "./members.ts";

/** A place where people can prove who they are. */
export interface OidcProvider {
  readonly id: string;
  /** On the button. */
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const SECRET_CHARS_MIN = 32;
const OIDC = /^FAREGATE_OIDC_(?<name>[A-Z0-9]+)_ISSUER$/;

/** What secrets at rest are sealed with, if it is not the data folder's own. */
export function readSecret(
  env: Environment,
  name: "FAREGATE_SECRET" | "FAREGATE_SECRET_NEXT" = "FAREGATE_SECRET",
): string | undefined {
  const secret = env[name];
  if (!secret) return undefined;
  if (secret.length >= SECRET_CHARS_MIN) return secret;
  throw new ConfigError(
    `${name} is too short; it must have at least ${SECRET_CHARS_MIN} characters.`,
  );
}

/** An amount of dollars, as the decimal that was written. */
export function readAmount(env: Environment, name: string): string {
  const text = env[name] || "0";
  if (isDollars(text, DOLLARS_MAX)) return text;
  throw new ConfigError(
    `${name} is "${text}"; it must be a plain decimal of dollars, such as 5, and at most ${DOLLARS_MAX}.`,
  );
}

function readProvider(env: Environment, name: string): OidcProvider {
  const value = (field: string) => {
    const variable = `FAREGATE_OIDC_${name}_${field}`;
    const text = env[variable];
    if (text) return text;
    throw new ConfigError(`${variable} is missing; the provider's issuer is set.`);
  };
  return {
    id: name.toLowerCase(),
    name: env[`FAREGATE_OIDC_${name}_LABEL`] || name[0] + name.slice(1).toLowerCase(),
    issuer: webAddress(`FAREGATE_OIDC_${name}_ISSUER`, value("ISSUER")),
    clientId: value("CLIENT_ID"),
    clientSecret: value("CLIENT_SECRET"),
  };
}

export function readOidc(env: Environment): readonly OidcProvider[] {
  return Object.keys(env)
    .filter((variable) => env[variable])
    .map((variable) => OIDC.exec(variable)?.groups?.name)
    .filter((name) => name !== undefined)
    .sort()
    .map((name) => readProvider(env, name));
}
