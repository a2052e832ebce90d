import { Fault } from "../../lib/faults.ts";
import type { Vault } from "../../lib/secrets/vault.ts";
import type { CredentialKind } from "../contract/access-form.ts";
import type { PublicAccount, PublicAccountAccess } from "../draft.ts";
import { openSource, sealSource } from "./credential.ts";

/** What a new public account may have in place of an AppSecret, and the proxy it is called by. */
export interface NewAccess {
  readonly proxyUrl?: string | undefined;
  /** Somebody else keeps the token: it is asked for at `url`, or handed to us. */
  readonly supplied?:
    | { readonly url: string | undefined; readonly bearer: string | undefined }
    | undefined;
  readonly component?: NewComponent | undefined;
}

interface NewComponent {
  readonly appid: string;
  readonly secret: string;
  readonly ticket: string | undefined;
  readonly refreshToken: string;
}

/** Absent members stay, null takes away. */
export interface AccessChange {
  readonly secret?: string | undefined;
  readonly proxyUrl?: string | null | undefined;
  readonly tokenUrl?: string | null | undefined;
  readonly tokenBearer?: string | null | undefined;
  readonly componentSecret?: string | undefined;
  readonly refreshToken?: string | undefined;
}

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
const MEMBERS: readonly (readonly [keyof AccessChange, string, CredentialKind])[] = [
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

/** Undefined where there is nothing but an AppSecret. */
export function newAccess(form: NewAccess, vault: Vault): PublicAccountAccess | undefined {
  const { proxyUrl, supplied, component } = form;
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

function changedProxy({ proxyUrl }: AccessChange, vault: Vault): Partial<PublicAccountAccess> {
  if (proxyUrl === undefined) return {};
  return proxyUrl === null ? { proxyOrigin: null, sealedProxy: null } : proxyOf(proxyUrl, vault);
}

function changedSource(
  { sealedSource }: PublicAccountAccess,
  { tokenUrl, tokenBearer }: AccessChange,
  vault: Vault,
): Partial<PublicAccountAccess> {
  if (tokenUrl === undefined && tokenBearer === undefined) return {};
  if (tokenUrl === null) return { sourceOrigin: null, sealedSource: null };
  const before = sealedSource === null ? undefined : openSource(sealedSource, vault);
  const url = tokenUrl ?? before?.url;
  if (url === undefined) {
    throw new Fault("invalid_value", "There is no token_url that it could be for.", {
      param: "token_bearer",
    });
  }
  // A bearer is for the place that it was given for: another address does not get it.
  const kept = tokenUrl === undefined ? (before?.bearer ?? null) : null;
  return sourceOf(url, tokenBearer === undefined ? kept : tokenBearer, vault);
}

export function changedAccess(
  account: PublicAccount,
  change: AccessChange,
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
