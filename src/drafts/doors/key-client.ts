import type { PresentedKey } from "../../accounts/account.ts";
import { identify } from "../../gateway/identify.ts";
import { Fault } from "../../lib/faults.ts";
import type { Incoming } from "../../lib/route.ts";
import type { Client } from "./desk.ts";
import { askWith } from "./model-call.ts";
import type { DoorServices } from "./services.ts";

/** Whoever calls with a key. */
export interface KeyClient extends Client {
  readonly key: PresentedKey;
}

/** Before a byte of the body is read. A key's rates are for models; drafts do not count to them. */
export async function clientOf(services: DoorServices, incoming: Incoming): Promise<KeyClient> {
  const { key } = await identify(services, "drafts", incoming);
  const authorization = incoming.request.headers.get("authorization") ?? "";
  const ask = askWith(services.gateway, incoming, authorization);
  return { accountId: key.accountId, by: key.name, ask, key };
}

/** Public accounts belong to all keys of an account; changing them takes one that may see all. */
export function checkAccountKey({ key }: KeyClient): void {
  if (key.accountRead) return;
  throw new Fault("permission_denied", "This takes a key with account-read.");
}
