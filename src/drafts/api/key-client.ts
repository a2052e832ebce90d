import type { PresentedKey } from "../../accounts/account.ts";
import { isAtLeast, type Role, rightsChanged } from "../../accounts/guards.ts";
import { keyOf } from "../../gateway/arriving/identify.ts";
import { Fault } from "../../lib/faults.ts";
import type { Incoming } from "../../lib/route.ts";
import type { Client } from "./client.ts";
import { askWith } from "./model-call.ts";
import type { DoorServices } from "./services.ts";
import type { Doer } from "./work/box-work.ts";

/** Whoever calls with a key. */
export interface KeyClient extends Client {
  readonly key: PresentedKey;
  /** What the key may do: as much as whoever made it, at this moment. */
  readonly role: Role;
}

/** Before a byte of the body is read. A key's rates are for models; drafts do not count to them. */
export async function clientOf(services: DoorServices, incoming: Incoming): Promise<KeyClient> {
  const key = await keyOf(services, incoming);
  const authorization = incoming.request.headers.get("authorization") ?? "";
  const ask = askWith(services.call, incoming, authorization);
  const role = await services.rights.roleOf(key);
  if (role === undefined) {
    throw new Fault(
      "permission_denied",
      "The maker of this key or its secret no longer belongs to the account; make a new key.",
    );
  }
  const { accountId } = key;
  incoming.memory?.belongsTo(`account ${accountId}`);
  const who = async () => {
    const { userId, name } = await services.rights.principalOf(key);
    return { userId, name, key: key.id };
  };
  const note: Doer["note"] = async (action, target, detail) => {
    const principal = await services.rights.principalOf(key);
    const noted = { action, target, detail: { key: key.id, ...detail } };
    await services.audit.write({ principal, accountId, ...noted });
  };
  return { accountId, by: key.name, ask, who, note, key, role };
}

/** The same once more, when all that was sent is there: a key may have been ended while it came, or may less. */
export async function judgeAgain(
  services: DoorServices,
  incoming: Incoming,
  { key, role }: KeyClient,
): Promise<void> {
  const now = await clientOf(services, incoming);
  if (now.role !== role || now.key.accountRead !== key.accountRead) throw rightsChanged();
}

/** A key may no more than whoever made it may in the console. */
export function checkRole({ role }: Pick<KeyClient, "role">, least: Role): void {
  if (isAtLeast(role, least)) return;
  throw new Fault(
    "permission_denied",
    `This call needs the role ${least}; the maker of this key has the role ${role}.`,
  );
}

/** Public accounts belong to all keys of an account; changing them takes one that may see all. */
export function checkAccountKey({ key }: KeyClient): void {
  if (key.accountRead) return;
  throw new Fault("permission_denied", "This call needs a key with account-read.");
}
