import { Fault } from "../../lib/faults.ts";
import { shownList } from "../../lib/listing.ts";
import type { Route } from "../../lib/route.ts";
import { changesBetween } from "../audit-changes.ts";
import {
  CHANGE_MEMBER,
  LIST_MEMBERS,
  REMOVE_MEMBER,
  type Member as ShownMember,
} from "../contract/members.ts";
import {
  type AccountCall,
  type AccountCallOf,
  checkMayGive,
  type Guards,
  isOperatorInPerson,
} from "../guards.ts";
import type { Member, MemberChange } from "../people/person.ts";
import { noteWithdrawn } from "../people/withdrawal.ts";
import type { PeopleServices } from "../services.ts";
import { shown } from "../shown.ts";

const LAST = {
  last_owner: "An account keeps at least one owner; make somebody else one first.",
  last_operator: "The installation keeps at least one operator; make somebody else one first.",
} as const;

function memberToJson(member: Member): ShownMember {
  return {
    id: member.userId,
    ...shown(member, "name", "email", "role", "operator", "twoFactor"),
    joined_at: new Date(member.createdAtMs).toISOString(),
  };
}

function noSuchMember(): Fault {
  return new Fault("not_found", "There is no such member.", { param: "id" });
}

function checkDone(change: MemberChange): void {
  if (change === "missing") throw noSuchMember();
  if (change === "done") return;
  throw new Fault("invalid_value", LAST[change], { param: "role", facts: { reason: change } });
}

async function findMember({ memberships }: PeopleServices, call: AccountCall) {
  const members = await memberships.ofAccount(call.accountId);
  return members.find(({ userId }) => userId === call.incoming.params.id);
}

/** Whoever runs the installation is not put out of it by an owner who does not, nor by a program. */
async function checkMayTouch({ memberships }: PeopleServices, call: AccountCall): Promise<void> {
  const { incoming, principal, accountId } = call;
  const userId = incoming.params.id ?? "";
  if (isOperatorInPerson(principal) || userId === principal.userId) return;
  if (!(await memberships.find(accountId, userId))?.operator) return;
  throw new Fault(
    "permission_denied",
    "Only a signed-in operator can change or remove an operator.",
    { param: "id" },
  );
}

async function changeMember(
  services: PeopleServices,
  call: AccountCallOf<typeof CHANGE_MEMBER>,
): Promise<ShownMember> {
  const { incoming, principal, accountId } = call;
  const userId = incoming.params.id ?? "";
  const form = await call.body();
  if (form.operator !== undefined) {
    const account = await services.accounts.findAccount(accountId);
    if (!isOperatorInPerson(principal) || !account?.operator) {
      throw new Fault(
        "permission_denied",
        "Only a signed-in operator can make a member an operator, and only in the operator's account.",
        { param: "operator" },
      );
    }
  }
  checkMayGive(principal, form.role);
  await checkMayTouch(services, call);
  const before = await findMember(services, call);
  const { outcome, withdrawn } = await services.memberships.change(accountId, userId, form);
  checkDone(outcome);
  await noteWithdrawn(services.audit, withdrawn, principal);
  const member = await findMember(services, call);
  const changes = before && member && changesBetween(memberToJson(before), memberToJson(member));
  const note = { ...call, action: "member.change", target: userId };
  await services.audit.write({ ...note, detail: form, changes });
  // The last: keys are in another database, which may be away.
  await services.keyRights.narrowKeysOf(userId);
  if (!member) throw noSuchMember();
  return memberToJson(member);
}

async function removeMember(services: PeopleServices, call: AccountCall) {
  const { incoming, principal, accountId, role } = call;
  const userId = incoming.params.id ?? "";
  if (role !== "owner" && userId !== principal.userId) {
    throw new Fault("permission_denied", "Only an owner can remove other members.");
  }
  await checkMayTouch(services, call);
  const gone = await findMember(services, call);
  const { outcome, withdrawn } = await services.memberships.remove(accountId, userId);
  if (outcome === "done") {
    await noteWithdrawn(services.audit, withdrawn, principal);
    // They may leave the installation too, and would then be only an id.
    const detail = gone && { email: gone.email, role: gone.role };
    await services.audit.write({ ...call, action: "member.remove", target: userId, detail });
  }
  // The last: keys are in another database, which may be away. Whoever asks again then finds nobody to remove, but this.
  await services.keyRights.narrowKeysOf(userId);
  checkDone(outcome);
  return { id: userId, deleted: true as const };
}

/** Who belongs to an account. */
export function memberRoutes(services: PeopleServices, guards: Guards): readonly Route[] {
  return [
    guards.account(LIST_MEMBERS, "viewer", async ({ accountId }) => {
      const members = await services.memberships.ofAccount(accountId);
      return shownList(members.map(memberToJson));
    }),
    guards.account(CHANGE_MEMBER, "owner", (call) => changeMember(services, call)),
    guards.account(REMOVE_MEMBER, "viewer", (call) => removeMember(services, call)),
  ];
}
