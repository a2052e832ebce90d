import type { Clock } from "../lib/clock.ts";
import { Fault } from "../lib/faults.ts";
import type { MaybePromise } from "../lib/maybe-promise.ts";
import { isInRanges } from "../lib/net/networks.ts";
import type { TimeBudget } from "../lib/threads/time-budget.ts";
import type { PresentedKey } from "./account.ts";
import { hasExpired } from "./keys/expiry.ts";
import { hashSecret, isMistyped } from "./keys/secret.ts";
import type { AccountsStore } from "./store.ts";

/** Whoever can look a key up by the hash of what was presented. */
export type KeyFinder = Pick<AccountsStore, "findKey">;

/** No key of any kind is longer; a longer header is not worth a hash. */
const SECRET_CHARS_MAX = 512;

function refused(message: string): Fault {
  return new Fault("invalid_api_key", message, { headers: { "www-authenticate": "Bearer" } });
}

/** The secret of `Authorization: Bearer <key>`. The key itself is never echoed. */
function presentedSecret(header: string | null, way: string): string {
  if (header === null || header === "") {
    throw refused(`Missing API key. Send it as ${way}.`);
  }
  if (!header.startsWith("Bearer ")) {
    throw refused(
      "Malformed Authorization header. The key must follow the word 'Bearer' and a space.",
    );
  }
  const secret = header.slice("Bearer ".length);
  if (secret === "" || secret.length > SECRET_CHARS_MAX || /[\s,]/.test(secret)) {
    throw refused(
      "Malformed API key: it must be one key without spaces, commas or line breaks around it.",
    );
  }
  return secret;
}

/** Whoever calls. */
interface Client {
  address(): string;
}

/** How a key is shown unless a caller's own clients do it in another way. */
const BEARER = "'Authorization: Bearer <key>'";

/** Who is calling. Throws the 401 that says what is wrong with the key. */
export function authenticate(
  store: KeyFinder,
  clock: Clock,
  header: string | null,
  client: Client,
  way: string = BEARER,
  timeBudget?: TimeBudget,
): MaybePromise<PresentedKey> {
  const secret = presentedSecret(header, way);
  const found = store.findKey(hashSecret(secret), timeBudget);
  if (!(found instanceof Promise)) return judged(found, secret, clock, client);
  return judgedLater(found, secret, clock, client);
}

/** By itself: a function that has another within it makes room for both, with each request that needs none. */
async function judgedLater(
  found: Promise<PresentedKey | undefined>,
  secret: string,
  clock: Clock,
  client: Client,
): Promise<PresentedKey> {
  return judged(await found, secret, clock, client);
}

/** The key, where it may be used now and from there. */
function judged(
  key: PresentedKey | undefined,
  secret: string,
  clock: Clock,
  client: Client,
): PresentedKey {
  if (!key) {
    throw refused(
      isMistyped(secret)
        ? "Incorrect API key provided: it is cut short or mistyped. Copy it again in full."
        : "Incorrect API key provided. It must be a key of this service, not one of a model vendor.",
    );
  }
  if (key.deletedAtMs !== null) throw refused("This API key was deleted. Use another one.");
  if (key.secretEndsAtMs !== null && key.secretEndsAtMs <= clock()) {
    throw refused("This API key was replaced: it has a new secret. Use that one.");
  }
  if (!key.enabled) throw refused("This API key is disabled. Enable it or use another one.");
  if (!key.accountEnabled) throw refused("The account of this API key is suspended.");
  if (hasExpired(key, clock())) {
    throw refused("This API key has expired. Create a new one.");
  }
  if (key.networks !== null && !isInRanges(client.address(), key.networks)) {
    throw new Fault("ip_not_allowed", "This API key may not be used from this network address.");
  }
  return key;
}
