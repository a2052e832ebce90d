// Signing in and out, over better-auth's endpoints. Its own client would weigh as much as the router.
import { ApiError, api, OFFLINE } from "../api.ts";

interface SignInAnswer {
  readonly twoFactorRedirect?: boolean;
}

const HOME = "/console";

/** True where a second factor is asked for. */
export async function signIn(email: string, password: string): Promise<boolean> {
  const answer = await api.post<SignInAnswer>("/api/auth/sign-in/email", { email, password });
  return answer.twoFactorRedirect === true;
}

/** What became of a sign-up: signed in, to be confirmed by mail, or the address was somebody's already. */
export type SignedUp = "in" | "confirm" | "taken";

/**
 * Where nothing can send mail an address is good at once, unless it was somebody's already: then the
 * password that was chosen just now does not sign in.
 */
export async function signUp(name: string, email: string, password: string): Promise<SignedUp> {
  const form = { name, email, password };
  const answer = await api.post<{ status?: string }>("/api/auth/sign-up/email", form);
  if (answer.status === "confirm") return "confirm";
  try {
    await signIn(email, password);
    return "in";
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.status === 401) return "taken";
    throw thrown;
  }
}

/** The link of a sign-up's mail, with the password that was chosen then. */
export function confirmSignUp(token: string, password: string): Promise<unknown> {
  return api.post("/api/sign-up/confirm", { token, password });
}

export function verifyTotp(code: string, trustDevice: boolean): Promise<unknown> {
  return api.post("/api/auth/two-factor/verify-totp", { code, trustDevice });
}

export function verifyBackupCode(code: string): Promise<unknown> {
  return api.post("/api/auth/two-factor/verify-backup-code", { code });
}

export function signOut(): Promise<unknown> {
  return api.post("/api/auth/sign-out");
}

export function requestReset(email: string): Promise<unknown> {
  const redirectTo = `${HOME}/reset-password`;
  return api.post("/api/auth/request-password-reset", { email, redirectTo });
}

export function resetPassword(token: string, newPassword: string): Promise<unknown> {
  return api.post("/api/auth/reset-password", { token, newPassword });
}

/** Leaves for the provider's page. */
export async function signInWith(providerId: string, callbackURL: string): Promise<void> {
  const { url } = await api.post<{ url: string }>("/api/auth/sign-in/social", {
    provider: providerId,
    callbackURL: `${HOME}${callbackURL}`,
    errorCallbackURL: `${HOME}/sign-in`,
  });
  location.assign(url);
}

/** Whether this browser can turn a passkey's question and answer into JSON by itself. */
export function passkeysWork(): boolean {
  return (
    typeof PublicKeyCredential !== "undefined" &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === "function"
  );
}

/** What came of the browser's own dialog; nothing where the person closed it. */
export async function askedPasskey(
  asked: Promise<Credential | null>,
): Promise<PublicKeyCredential | undefined> {
  const credential = await asked.catch((thrown: Error) => {
    if (thrown.name === "NotAllowedError" || thrown.name === "AbortError") return null;
    throw new ApiError(0, thrown.name || OFFLINE, thrown.message, null);
  });
  return credential instanceof PublicKeyCredential ? credential : undefined;
}

/** False where the person closed the browser's dialog. */
export async function signInWithPasskey(): Promise<boolean> {
  const options = await api.get<PublicKeyCredentialRequestOptionsJSON>(
    "/api/auth/passkey/generate-authenticate-options",
  );
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await askedPasskey(navigator.credentials.get({ publicKey }));
  if (!credential) return false;
  await api.post("/api/auth/passkey/verify-authentication", { response: credential.toJSON() });
  return true;
}
