import { type Call, isAtLeast, type Role } from "../../accounts/guards.ts";
import { Fault } from "../../lib/faults.ts";
import type { PublicAccount } from "../../platform/account.ts";
import type { Platform } from "../../platform/platform.ts";

/** What a public account's owner is called before there is an operator's account. */
const HOUSE = "house";

export interface MaterialAccess {
  readonly platform: Platform;
  /** The accounts that a person belongs to. */
  membershipsOf(
    userId: string,
  ): Promise<readonly { readonly accountId: string; readonly role: Role }[]>;
  operatorAccountId(): Promise<string | undefined>;
  /** Makes the public account that every installation has, where nobody has asked for it yet. */
  openHouse(): Promise<void>;
}

export interface Entry {
  readonly account: PublicAccount;
  /** The account of this installation that it belongs to; null where that is nobody's. */
  readonly accountId: string | null;
  /** What the principal may do with it. */
  readonly role: Role;
}

function ownerOf({ owner }: PublicAccount, operatorAccountId: string | undefined): string | null {
  return owner === HOUSE ? (operatorAccountId ?? null) : owner;
}

/** The public accounts that somebody may see: an operator all, others those of their accounts. */
export async function accountsFor(
  access: MaterialAccess,
  { principal }: Call,
): Promise<readonly Entry[]> {
  const operatorAccountId = await access.operatorAccountId();
  const { userId, operator } = principal;
  const joined = userId === undefined || operator ? [] : await access.membershipsOf(userId);
  const roles = new Map(joined.map(({ accountId, role }) => [accountId, role]));
  const isOfHouse = operator || roles.has(operatorAccountId ?? "");
  if (isOfHouse) await access.openHouse();
  const owners = [...roles.keys(), ...(isOfHouse ? [HOUSE] : [])];
  const { accounts } = access.platform;
  const lists = operator
    ? [await accounts.list()]
    : await Promise.all(owners.map((owner) => accounts.list(owner)));
  return lists.flat().flatMap((account) => {
    const accountId = ownerOf(account, operatorAccountId);
    const role = operator ? "owner" : roles.get(accountId ?? "");
    return role ? [{ account, accountId, role }] : [];
  });
}

/** The public account that a path names, for those who may see it and do this with it. */
export async function enterAccount<Of extends Call>(
  access: MaterialAccess,
  call: Of,
  least: Role,
): Promise<Of & Entry> {
  const { principal, incoming } = call;
  const account = await access.platform.accounts.find(incoming.params.appid ?? "");
  const accountId = account ? ownerOf(account, await access.operatorAccountId()) : null;
  const joined = principal.userId === undefined ? [] : await access.membershipsOf(principal.userId);
  const role = principal.operator
    ? "owner"
    : joined.find((membership) => membership.accountId === accountId)?.role;
  if (!account || !role) throw new Fault("not_found", "There is no such account.");
  if (isAtLeast(role, least)) return { ...call, account, accountId, role };
  throw new Fault("permission_denied", `This call needs the role ${least}; yours is ${role}.`);
}

/** Whether who has this role may change what the account holds. */
export function mayChange(role: Role): boolean {
  return isAtLeast(role, "member");
}
