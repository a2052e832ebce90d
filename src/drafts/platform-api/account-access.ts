import { Fault } from "../../lib/faults.ts";
import type { Vault } from "../../lib/secrets/vault.ts";
import type { CredentialKind } from "../contract/access-form.ts";
import type { NewPublicAccount, PublicAccountChange } from "../contract/public-account-form.ts";
import type { PublicAccount, PublicAccountAccess } from "../draft.ts";
import { openSource, sealSource } from "./credential.ts";

const NO_ACCESS: PublicAccountAccess = {
  credential: "secret",
  proxyOrigin: null,
  sealedProxy: null,
  sourceOrigin: null,
  sealedSource: null,
  componentAppid: null,
  sealedComponentSecret: null,
};

/** By which way each member of a change is one. */
const MEMBERS: readonly (readonly [keyof PublicAccountChange, string, CredentialKind])[] = [
  ["secret", "secret", "secret"],
  ["tokenUrl", "token_url", "supplied"],
  ["tokenBearer", "token_bearer", "supplied"],
  ["componentSecret", "component_appsecret", "component"],
  ["refreshToken", "authorizer_refresh_token", "component"],
];

export function credentialKind({ access }: PublicAccount): CredentialKind {
  return access?.credential ?? "secret";
}

/** Refuses what an account of another kind would have. */
export function checkCredential(
  account: PublicAccount,
  kind: CredentialKind,
  param: string | undefined,
): void {
  const has = credentialKind(account);
  if (has === kind) return;
  const message = `This public account has the credential "${has}"; this is for one with "${kind}".`;
  throw new Fault("invalid_value", message, { param });
}

function proxyOf(url: string, vault: Vault) {
  return { proxyOrigin: new URL(url).origin, sealedProxy: vault.seal(url) };
}

function sourceOf(url: string, bearer: string | null, vault: Vault) {
  return {
    sourceOrigin: new URL(url).origin,
    sealedSource: sealSource({ url, bearer }, vault),
  };
}

/** What a new public account may have in place of an AppSecret; undefined where it has nothing but that. */
export function newAccess(
  { proxyUrl, supplied, component }: NewPublicAccount,
  vault: Vault,
): PublicAccountAccess | undefined {
  if (proxyUrl === undefined && !supplied && !component) return undefined;
  const { url, bearer } = supplied ?? {};
  return {
    ...NO_ACCESS,
    ...(proxyUrl !== undefined && proxyOf(proxyUrl, vault)),
    ...(supplied && { credential: "supplied" }),
    ...(url !== undefined && sourceOf(url, bearer ?? null, vault)),
    ...(component && {
      credential: "component",
      componentAppid: component.appid,
      sealedComponentSecret: vault.seal(component.secret),
    }),
  };
}

function changedProxy(
  { proxyUrl }: PublicAccountChange,
  vault: Vault,
): Partial<PublicAccountAccess> {
  if (proxyUrl === undefined) return {};
  return proxyUrl === null ? { proxyOrigin: null, sealedProxy: null } : proxyOf(proxyUrl, vault);
}

function changedSource(
  { sealedSource }: PublicAccountAccess,
  { tokenUrl, tokenBearer }: PublicAccountChange,
  vault: Vault,
): Partial<PublicAccountAccess> {
  if (tokenUrl === undefined && tokenBearer === undefined) return {};
  if (tokenUrl === null) return { sourceOrigin: null, sealedSource: null };
  // What another address takes the place of need not be opened, and perhaps cannot be any more.
  const isKept = tokenUrl === undefined && sealedSource !== null;
  const before = isKept ? openSource(sealedSource, vault) : undefined;
  const url = tokenUrl ?? before?.url;
  if (url === undefined) {
    throw new Fault("invalid_value", "There is no token_url that it could be for.", {
      param: "token_bearer",
    });
  }
  // A bearer is for the place that it was given for: another address does not get it.
  const bearer = before?.bearer ?? null;
  return sourceOf(url, tokenBearer === undefined ? bearer : tokenBearer, vault);
}

export function changedAccess(
  account: PublicAccount,
  change: PublicAccountChange,
  vault: Vault,
): PublicAccountAccess | undefined {
  for (const [member, param, kind] of MEMBERS) {
    if (change[member] !== undefined) checkCredential(account, kind, param);
  }
  const before = account.access ?? NO_ACCESS;
  const changed = {
    ...changedProxy(change, vault),
    ...changedSource(before, change, vault),
    ...(change.componentSecret !== undefined && {
      sealedComponentSecret: vault.seal(change.componentSecret),
    }),
  };
  return Object.keys(changed).length === 0 ? account.access : { ...before, ...changed };
}
