import { safeFetch } from "../../lib/net/safe-fetch.ts";
import type { AccountCredentials } from "../accounts.ts";
import type { Publish } from "./publication.ts";
import { publishEvent, signedAddress } from "./publish-event.ts";

const DEADLINE_MS = 5_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** An account names the address, so it must not lead into the networks of this machine. */
function filterFor(address: string, isLoopbackFine: boolean) {
  const { origin } = new URL(address);
  const isExempt = (url: URL) =>
    isLoopbackFine && url.origin === origin && LOOPBACK_HOST.test(url.hostname);
  return { allowPrivate: false, isExempt };
}

/**
 * Tells an account's server how a publish has ended; throws when it was not taken. What the real
 * platform signs with is a word that an account's owner has chosen there. Here it is the secret,
 * which is all that an owner has been given.
 */
export async function pushPublish(
  publish: Publish,
  { account, secret }: AccountCredentials,
  isLoopbackFine: boolean,
  nowMs: number,
): Promise<void> {
  if (account.callback === null) return;
  const address = signedAddress(account.callback, secret, account.appid, nowMs);
  const answer = await safeFetch(address, filterFor(address, isLoopbackFine), {
    method: "POST",
    headers: { "content-type": "text/xml" },
    body: Buffer.from(publishEvent(publish, nowMs)),
    bytesMax: ANSWER_BYTES_MAX,
    deadlineMs: DEADLINE_MS,
  });
  if (answer.status !== 200) throw new Error(`the callback answered ${answer.status}`);
}
