import { Fault } from "../lib/faults.ts";

const CSRF_HEADER = "x-faregate-csrf";

function refused(message: string): Fault {
  return new Fault("permission_denied", message);
}

/** Refuses what a page of another site has sent, as far as the browser says so. */
export function checkOrigin(request: Request, trusted: readonly string[]): void {
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  if (origin !== null && !trusted.includes(origin)) {
    throw refused(
      `Requests from pages of ${origin.slice(0, 200)} are not taken. If the console is reached at ` +
        "that address, set FAREGATE_PUBLIC_URL to it.",
    );
  }
  if (site !== null && site !== "same-origin") {
    throw refused("Requests from pages of other sites are not taken.");
  }
}

/**
 * Refuses a change that a page of another site could have made with the cookie of whoever is signed in: it must
 * carry a header that no form can send, and the browser must vouch for where it comes from.
 */
export function checkSameOrigin(request: Request, trusted: readonly string[]): void {
  if (request.headers.get(CSRF_HEADER) !== "1") {
    throw refused(`Send the header '${CSRF_HEADER}: 1' with every change.`);
  }
  if (!request.headers.has("origin") && !request.headers.has("sec-fetch-site")) {
    throw refused("A change made with a session must carry the Origin header of the console.");
  }
  checkOrigin(request, trusted);
}
