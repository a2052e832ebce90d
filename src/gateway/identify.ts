import { authenticate } from "../accounts/authenticate.ts";
import type { Incoming } from "../lib/route.ts";
import type { Caller } from "./run.ts";
import type { Services } from "./services.ts";

/** Where clients of other vendors' wires put their key. On all other paths only Bearer counts. */
const KEY_HEADERS: Readonly<Record<string, string>> = {
  messages: "x-api-key",
  gemini: "x-goog-api-key",
};

function presentedKey(headers: Headers, endpoint: string): string | null {
  const bearer = headers.get("authorization");
  const header = KEY_HEADERS[endpoint];
  if (bearer !== null || header === undefined) return bearer;
  const key = headers.get(header);
  return key === null ? null : `Bearer ${key}`;
}

/** Who calls, on which endpoint. The key is checked before a byte of the body is read. */
export async function identify(
  services: Pick<Services, "accounts" | "clock">,
  endpoint: string,
  incoming: Incoming,
): Promise<Caller> {
  const { request, requestId } = incoming;
  const startedAtMs = services.clock();
  const header = presentedKey(request.headers, endpoint);
  const key = await authenticate(services.accounts, services.clock, header, () =>
    incoming.address(),
  );
  return { requestId, key, endpoint, startedAtMs };
}
