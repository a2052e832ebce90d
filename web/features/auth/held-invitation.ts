/** Where an invitation is opened, its token behind the number sign. */
export const INVITATION_PATH = "/invitation";

const NAME = "faregate.invitation";

/**
 * Keeps the token of a link while its person signs in. It must not go through the address on the way:
 * servers, their logs and other sites read those.
 */
export function holdInvitation(token: string): string {
  sessionStorage.setItem(NAME, token);
  return token;
}

export function heldInvitation(): string | undefined {
  return sessionStorage.getItem(NAME) ?? undefined;
}

export function forgetInvitation(): void {
  sessionStorage.removeItem(NAME);
}
