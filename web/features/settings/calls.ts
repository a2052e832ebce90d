// What a person does to their own sign-in, over better-auth's endpoints.
import { api } from "../../lib/api.ts";
import { askedPasskey } from "../../lib/auth/auth.ts";

export const SESSIONS = "/api/auth/list-sessions";
export const PASSKEYS = "/api/auth/passkey/list-user-passkeys";
/** The code of a refusal where the sign-in lies too far back for something delicate. */
export const NOT_FRESH = "SESSION_NOT_FRESH";

export interface SignInSession {
  readonly id: string;
  readonly token: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly ipAddress?: string | null;
  readonly userAgent?: string | null;
}

export interface Passkey {
  readonly id: string;
  readonly name?: string | null;
  readonly createdAt: string | null;
  readonly backedUp: boolean;
}

/** The ways into an identity; one of them is `credential` where there is a password. */
export interface Way {
  readonly providerId: string;
}

export interface TotpSetUp {
  readonly totpURI: string;
  readonly backupCodes: readonly string[];
}

/** Whoever has no password sends none. */
const proof = (password: string) => (password === "" ? {} : { password });

export function beginTotp(password: string): Promise<TotpSetUp> {
  return api.post("/api/auth/two-factor/enable", proof(password));
}

export function endTotp(password: string): Promise<unknown> {
  return api.post("/api/auth/two-factor/disable", proof(password));
}

export async function newBackupCodes(password: string): Promise<readonly string[]> {
  const path = "/api/auth/two-factor/generate-backup-codes";
  return (await api.post<Pick<TotpSetUp, "backupCodes">>(path, proof(password))).backupCodes;
}

/** False where the person closed the browser's dialog. */
export async function addPasskey(name: string): Promise<boolean> {
  const options = await api.get<PublicKeyCredentialCreationOptionsJSON>(
    "/api/auth/passkey/generate-register-options",
    { name },
  );
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await askedPasskey(navigator.credentials.create({ publicKey }));
  if (!credential) return false;
  const body = { response: credential.toJSON(), name };
  await api.post("/api/auth/passkey/verify-registration", body);
  return true;
}
