import type { Vault } from "../../lib/secrets/vault.ts";
import type { PublicAccount } from "../draft.ts";

/** By which way a token is had. */
export type Credential = SecretCredential | SuppliedCredential | ComponentCredential;

export interface SecretCredential {
  readonly kind: "secret";
  readonly secret: string;
}

/** Somebody else keeps the token: it is asked for at an address, or handed to us. */
export interface SuppliedCredential {
  readonly kind: "supplied";
  readonly publicAccountId: string;
  readonly source: { readonly url: string; readonly bearer: string | null } | undefined;
}

/** A third-party platform that the public account has authorised. */
export interface ComponentCredential {
  readonly kind: "component";
  readonly publicAccountId: string;
  readonly componentAppid: string;
  readonly componentSecret: string;
}

/** Who asks for a token, and where. */
export interface TokenHolder {
  /** Names the platform, whatever its address is at this moment. */
  readonly box: string;
  readonly platformUrl: string;
  /** Whether that is the built-in platform, whose address nobody has written. */
  readonly isBuiltIn?: boolean;
  readonly appid: string;
  readonly credential: Credential;
  /** The proxy that the platform is called by, where the public account has one of its own. */
  readonly proxy?: string | undefined;
}

/** What of a credential must not be seen in anything that is said about a call. */
export function secretsOf(credential: Credential): readonly string[] {
  if (credential.kind === "secret") return [credential.secret];
  if (credential.kind === "component") return [credential.componentSecret];
  const { source } = credential;
  return source ? [source.url, ...(source.bearer === null ? [] : [source.bearer])] : [];
}

/** What helps where the platform refuses every token; undefined for what the code itself says. */
export function staleTokenFix(credential: Credential): string | undefined {
  if (credential.kind === "secret") return undefined;
  const { publicAccountId } = credential;
  if (credential.kind === "component") {
    return "Check that the account still authorises the third-party platform; set its new authorizer_refresh_token.";
  }
  return credential.source
    ? `Renew the token at ${new URL(credential.source.url).origin}, which was asked for it again.`
    : `Supply a new one: PUT /v1/wechat/accounts/${publicAccountId}/token.`;
}

export function credentialOf(
  { id: publicAccountId, access, sealedSecret }: PublicAccount,
  vault: Vault,
): Credential {
  if (access?.credential === "supplied") {
    const source =
      access.sealedSource === null ? undefined : openSource(access.sealedSource, vault);
    return { kind: "supplied", publicAccountId, source };
  }
  if (access?.credential === "component") {
    return {
      kind: "component",
      publicAccountId,
      componentAppid: access.componentAppid ?? "",
      componentSecret: vault.open(access.sealedComponentSecret ?? ""),
    };
  }
  return { kind: "secret", secret: vault.open(sealedSecret) };
}

type Source = NonNullable<SuppliedCredential["source"]>;

export function sealSource(source: Source, vault: Vault): string {
  return vault.seal(JSON.stringify([source.url, source.bearer]));
}

export function openSource(sealed: string, vault: Vault): Source {
  const [url, bearer] = JSON.parse(vault.open(sealed)) as [string, string | null];
  return { url, bearer };
}
