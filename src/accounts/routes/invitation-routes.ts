import { Reply } from "../../lib/contract.ts";
import { Fault } from "../../lib/faults.ts";
import { shownList } from "../../lib/listing.ts";
import type { Incoming, Route } from "../../lib/route.ts";
import type { Account } from "../account.ts";
import {
  ACCEPT_INVITATION,
  type Acceptance,
  INVITE,
  type InvitationLink,
  LIST_INVITATIONS,
  MAIL_AGAIN,
  type NewInvitation,
  OPEN_INVITATION,
  type OpenInvitation,
  TELL_LINK,
  WITHDRAW_INVITATION,
} from "../contract/invitations.ts";
import {
  type AccountCall,
  type AccountCallOf,
  checkMayGive,
  type Guards,
  isOperatorInPerson,
  type OpenCallOf,
  type Principal,
  personOf,
} from "../guards.ts";
import { acceptanceOf, guestPrincipal } from "../people/acceptance.ts";
import type { Invitation } from "../people/person.ts";
import { noteWithdrawn } from "../people/withdrawal.ts";
import { checkOrigin, checkSameOrigin } from "../same-origin.ts";
import type { PeopleServices } from "../services.ts";
import { shown } from "../shown.ts";
import type { Mail } from "../sign-in/mail.ts";
import type { SignedIn } from "../sign-in/sign-in.ts";

function invitationToJson(invitation: Invitation): OpenInvitation {
  return {
    ...shown(invitation, "id", "email", "role", "operator", "invitedBy", "mailed"),
    ...shown(invitation, "createdAtMs", "expiresAtMs"),
  };
}

function gone(): Fault {
  return new Fault("not_found", "This invitation has been used, withdrawn, or has expired.", {
    param: "token",
  });
}

async function findInvitation(services: PeopleServices, token: string) {
  const invitation = await services.memberships.invitation(token);
  const account = invitation && (await services.accounts.findAccount(invitation.accountId));
  if (!invitation || !account) throw gone();
  return { invitation, account };
}

/** A mail server that is away takes nothing from the invitation: the link can be handed over. */
async function mail({ sendMail, log }: PeopleServices, letter: Mail): Promise<boolean> {
  try {
    await sendMail?.(letter);
    return sendMail !== undefined;
  } catch (thrown) {
    log.warn("invitation_not_mailed", { thrown });
    return false;
  }
}

function linkOf({ signIn }: PeopleServices, token: string): string {
  return `${signIn.origins.own}/console/invitation#${token}`;
}

function letterOf(invitation: Invitation, account: Account, link: string): Mail {
  const { email: to, invitedBy } = invitation;
  return {
    to,
    subject: `An invitation to ${account.name} on Faregate`,
    text: `${invitedBy} invites you to ${account.name}. The link works once, for seven days:\n\n${link}`,
  };
}

/** Whoever has the link of an invitation has what it gives, so both are for the same people. */
function checkMayInvite(
  principal: Principal,
  account: Account,
  form: Pick<Invitation, "role" | "operator">,
): void {
  if (form.operator && !(isOperatorInPerson(principal) && account.operator)) {
    throw new Fault(
      "permission_denied",
      "Only a signed-in operator can invite operators, and only to the operator's account.",
      { param: "operator" },
    );
  }
  checkMayGive(principal, form.role);
}

async function accountOf({ accounts }: PeopleServices, accountId: string): Promise<Account> {
  const account = await accounts.findAccount(accountId);
  if (!account) throw new Fault("not_found", "There is no such account.");
  return account;
}

async function invite(
  services: PeopleServices,
  call: AccountCallOf<typeof INVITE>,
): Promise<NewInvitation> {
  const { principal, accountId } = call;
  const form = await call.body();
  const account = await accountOf(services, accountId);
  checkMayInvite(principal, account, form);
  if (!principal.operator) await services.invitations.spend(accountId);
  const { invitation, token } = await services.memberships.invite(
    account,
    { ...form, invitedBy: principal.name, senderId: personOf(principal) },
    services.sendMail !== undefined,
  );
  const link = linkOf(services, token);
  const mailed = await mail(services, letterOf(invitation, account, link));
  if (!mailed) await services.memberships.noteUnmailed(invitation);
  const { id: target } = invitation;
  await services.audit.write({ ...call, action: "invitation.create", target, detail: form });
  // A link that was mailed is shown to nobody else, so that it proves whose mail one reads.
  return { ...invitationToJson({ ...invitation, mailed }), token_link: mailed ? null : link };
}

/** An open invitation of the account, with its link, for somebody who might have made it. */
async function linkAgain(
  services: PeopleServices,
  { incoming, principal, accountId }: AccountCall,
) {
  const { memberships } = services;
  const account = await accountOf(services, accountId);
  const invitation = await memberships.openInvitation(accountId, incoming.params.id ?? "");
  if (!invitation) throw gone();
  checkMayInvite(principal, account, invitation);
  const token = await memberships.tokenOf(invitation);
  if (token !== undefined) return { account, invitation, link: linkOf(services, token) };
  throw new Fault(
    "invalid_value",
    "The link of this invitation cannot be shown any more. Withdraw the invitation and invite again.",
    { param: "id" },
  );
}

async function tellLink(services: PeopleServices, call: AccountCall): Promise<InvitationLink> {
  const { invitation, link } = await linkAgain(services, call);
  const { id: target, mailed } = invitation;
  if (mailed) {
    throw new Fault(
      "invalid_value",
      "This link was mailed and is not shown here. Send the mail again, or withdraw the invitation.",
      { param: "id" },
    );
  }
  const detail = { email: invitation.email };
  await services.audit.write({ ...call, action: "invitation.link", target, detail });
  return { id: target, token_link: link };
}

/** To its address and to nobody else, so whether it proves the address stays as it was. */
async function mailAgain(services: PeopleServices, call: AccountCall): Promise<OpenInvitation> {
  const { invitation, account, link } = await linkAgain(services, call);
  const { principal, accountId } = call;
  if (!services.sendMail) {
    throw new Fault(
      "invalid_value",
      "This server cannot send mail. Copy the link, or set FAREGATE_SMTP_URL.",
      { param: "id" },
    );
  }
  if (!principal.operator) await services.invitations.spend(accountId);
  if (!(await mail(services, letterOf(invitation, account, link)))) {
    throw new Fault("mail_failed", "The mail server refused the mail. Try again later.");
  }
  const { id: target, email } = invitation;
  await services.audit.write({ ...call, action: "invitation.mail", target, detail: { email } });
  return invitationToJson(invitation);
}

/** Somebody with the link: signed in already, or new and about to choose a password. */
async function guestOf(
  { signIn }: PeopleServices,
  incoming: Incoming,
  invitation: Invitation,
  { name, password }: Omit<Acceptance, "token">,
): Promise<SignedIn> {
  const { request } = incoming;
  if (password !== undefined) {
    checkOrigin(request, signIn.origins.trusted);
    const person = { email: invitation.email, name: name ?? invitation.email, password };
    return signIn.register(person, incoming, invitation.mailed);
  }
  const person = await signIn.session(incoming);
  if (!person) throw new Fault("not_signed_in", "Sign in, or choose a name and a password.");
  checkSameOrigin(request, signIn.origins.trusted);
  if (person.email.toLowerCase() === invitation.email) return person;
  throw new Fault(
    "permission_denied",
    `This invitation is for ${invitation.email}; you are signed in as ${person.email}.`,
  );
}

async function open(services: PeopleServices, call: OpenCallOf<typeof OPEN_INVITATION>) {
  const { invitation, account } = await findInvitation(services, (await call.body()).token);
  const { role, email } = invitation;
  return { account_name: account.name, role, email };
}

async function accept(services: PeopleServices, call: OpenCallOf<typeof ACCEPT_INVITATION>) {
  const { token, ...form } = await call.body();
  const { invitation, account } = await findInvitation(services, token);
  const person = await guestOf(services, call.incoming, invitation, form);
  const accepted = await services.memberships.accept(invitation, person.userId);
  const { isDone, membership, withdrawn } = accepted;
  if (!isDone) throw gone();
  await services.audit.write(acceptanceOf(invitation, person, membership));
  await noteWithdrawn(services.audit, withdrawn, guestPrincipal(person));
  const { role } = membership ?? invitation;
  return new Reply({ account_id: account.id, role }, { cookies: person.cookies });
}

async function withdraw({ memberships, audit }: PeopleServices, call: AccountCall) {
  const { incoming, accountId } = call;
  const id = incoming.params.id ?? "";
  const invitation = await memberships.openInvitation(accountId, id);
  if (!(await memberships.withdraw(accountId, id))) throw gone();
  const detail = { email: invitation?.email };
  await audit.write({ ...call, action: "invitation.withdraw", target: id, detail });
  return { id, deleted: true as const };
}

/** How people come to an account. */
export function invitationRoutes(services: PeopleServices, guards: Guards): readonly Route[] {
  return [
    guards.open(OPEN_INVITATION, (call) => open(services, call)),
    guards.open(ACCEPT_INVITATION, (call) => accept(services, call)),
    guards.account(LIST_INVITATIONS, "owner", async ({ accountId }) => {
      const invitations = await services.memberships.invitationsOf(accountId);
      return shownList(invitations.map(invitationToJson));
    }),
    guards.account(INVITE, "owner", (call) => invite(services, call)),
    guards.account(TELL_LINK, "owner", (call) => tellLink(services, call)),
    guards.account(MAIL_AGAIN, "owner", (call) => mailAgain(services, call)),
    guards.account(WITHDRAW_INVITATION, "owner", (call) => withdraw(services, call)),
  ];
}
