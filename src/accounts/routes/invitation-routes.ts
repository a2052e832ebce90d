import { z } from "zod";
import { Fault } from "../../lib/faults.ts";
import { readJson } from "../../lib/json/json-body.ts";
import type { Incoming, Route } from "../../lib/route.ts";
import type { Account } from "../account.ts";
import { withApiHeaders } from "../api-headers.ts";
import {
  type AccountCall,
  checkMayGive,
  type Guards,
  isOperatorInPerson,
  type Principal,
  ROLES,
} from "../guards.ts";
import type { Invitation } from "../people/person.ts";
import { checkOrigin, checkSameOrigin } from "../same-origin.ts";
import type { PeopleServices } from "../services.ts";
import type { Mail } from "../sign-in/mail.ts";
import type { SignedIn } from "../sign-in/sign-in.ts";

/** Each goes by mail to an address that nobody has vouched for. Operators answer for themselves. */
const INVITATIONS_PER_HOUR_MAX = 30;

const WISH = z.strictObject({
  email: z.email("Write an e-mail address.").max(254),
  role: z.enum(ROLES),
  operator: z.boolean().default(false),
});

const TOKEN = z.string().min(1, "The link has no token.").max(200);
/** In a body and nowhere else: what stands in an address is in logs, histories and other sites' hands. */
const OPENING = z.strictObject({ token: TOKEN });

/** Name and password are there for somebody new, and not for somebody who is signed in. */
const ACCEPTANCE = z.strictObject({
  token: TOKEN,
  name: z.string().trim().min(1, "Write a name.").max(100).optional(),
  password: z.string().optional(),
});

function show(invitation: Invitation) {
  return {
    id: invitation.id,
    email: invitation.email,
    role: invitation.role,
    operator: invitation.operator,
    invited_by: invitation.invitedBy,
    created_at: new Date(invitation.createdAtMs).toISOString(),
    expires_at: new Date(invitation.expiresAtMs).toISOString(),
    mailed: invitation.mailed,
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
  wish: Pick<Invitation, "role" | "operator">,
): void {
  if (wish.operator && !(isOperatorInPerson(principal) && account.operator)) {
    throw new Fault(
      "permission_denied",
      "Only an operator who is signed in invites operators, and only to the operator's account.",
      { param: "operator" },
    );
  }
  checkMayGive(principal, wish.role);
}

async function accountOf({ accounts }: PeopleServices, accountId: string): Promise<Account> {
  const account = await accounts.findAccount(accountId);
  if (!account) throw new Fault("not_found", "There is no such account.");
  return account;
}

async function invite(services: PeopleServices, call: AccountCall): Promise<Response> {
  const { incoming, principal, accountId } = call;
  const wish = await readJson(incoming.request, WISH);
  const account = await accountOf(services, accountId);
  checkMayInvite(principal, account, wish);
  if (!principal.operator) services.invitations.spend(accountId, INVITATIONS_PER_HOUR_MAX);
  const { invitation, token } = await services.memberships.invite(
    account,
    { ...wish, invitedBy: principal.name },
    services.sendMail !== undefined,
  );
  const link = linkOf(services, token);
  const mailed = await mail(services, letterOf(invitation, account, link));
  if (!mailed) await services.memberships.noteUnmailed(invitation);
  await services.audit.write({
    principal,
    accountId,
    action: "invitation.create",
    target: invitation.id,
    detail: wish,
  });
  // A link that was mailed is shown to nobody else, so that it proves whose mail one reads.
  return Response.json({ ...show({ ...invitation, mailed }), token_link: mailed ? null : link });
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
    "The link of this invitation cannot be read any more; withdraw it and invite once more.",
    { param: "id" },
  );
}

async function tellLink(services: PeopleServices, call: AccountCall): Promise<Response> {
  const { invitation, link } = await linkAgain(services, call);
  const { id: target, mailed } = invitation;
  if (mailed) {
    throw new Fault(
      "invalid_value",
      "This link was mailed and is shown to nobody else; have it mailed once more, or withdraw it.",
      { param: "id" },
    );
  }
  const { principal, accountId } = call;
  const detail = { email: invitation.email };
  await services.audit.write({ principal, accountId, action: "invitation.link", target, detail });
  return Response.json({ id: target, token_link: link });
}

/** To its address and to nobody else, so whether it proves the address stays as it was. */
async function mailAgain(services: PeopleServices, call: AccountCall): Promise<Response> {
  const { invitation, account, link } = await linkAgain(services, call);
  const { principal, accountId } = call;
  if (!services.sendMail) {
    throw new Fault(
      "invalid_value",
      "Nothing here can send mail: copy the link, or set FAREGATE_SMTP_URL.",
      { param: "id" },
    );
  }
  if (!principal.operator) services.invitations.spend(accountId, INVITATIONS_PER_HOUR_MAX);
  if (!(await mail(services, letterOf(invitation, account, link)))) {
    throw new Fault("mail_failed", "The mail server did not take it; try again later.");
  }
  const { id: target, email } = invitation;
  const detail = { email };
  await services.audit.write({ principal, accountId, action: "invitation.mail", target, detail });
  return Response.json(show(invitation));
}

/** Somebody with the link: signed in already, or new and about to choose a password. */
async function guestOf(
  { signIn }: PeopleServices,
  incoming: Incoming,
  invitation: Invitation,
  { name, password }: Pick<z.infer<typeof ACCEPTANCE>, "name" | "password">,
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

async function accept(services: PeopleServices, incoming: Incoming): Promise<Response> {
  const { token, ...wish } = await readJson(incoming.request, ACCEPTANCE);
  const { invitation, account } = await findInvitation(services, token);
  const person = await guestOf(services, incoming, invitation, wish);
  if (!(await services.memberships.accept(invitation, person.userId))) throw gone();
  await services.audit.write({
    principal: { userId: person.userId, name: person.email, operator: false },
    accountId: account.id,
    action: "invitation.accept",
    target: invitation.id,
    detail: { email: invitation.email, role: invitation.role },
  });
  // Somebody who was a member already stays what they are.
  const membership = await services.memberships.find(account.id, person.userId);
  const role = membership?.role ?? invitation.role;
  const response = Response.json({ account_id: account.id, role });
  for (const cookie of person.cookies) response.headers.append("set-cookie", cookie);
  return response;
}

/** How people come to an account. */
export function invitationRoutes(services: PeopleServices, guards: Guards): readonly Route[] {
  const open: Route = {
    method: "POST",
    path: "/api/invitations/open",
    hosts: "own",
    handle: (incoming) =>
      withApiHeaders(async () => {
        const { token } = await readJson(incoming.request, OPENING);
        const { invitation, account } = await findInvitation(services, token);
        const { role, email } = invitation;
        return Response.json({ account_name: account.name, role, email });
      }),
  };
  const acceptance: Route = {
    method: "POST",
    path: "/api/invitations/accept",
    hosts: "own",
    handle: (incoming) => withApiHeaders(() => accept(services, incoming)),
  };
  return [
    open,
    acceptance,
    guards.account("GET", "/invitations", "owner", async ({ accountId }) => {
      const invitations = await services.memberships.invitationsOf(accountId);
      return Response.json({ object: "list", data: invitations.map(show), next: null });
    }),
    guards.account("POST", "/invitations", "owner", (call) => invite(services, call)),
    // A change and not a look: it gives away what the invitation gives.
    guards.account("POST", "/invitations/:id/link", "owner", (call) => tellLink(services, call)),
    guards.account("POST", "/invitations/:id/mail", "owner", (call) => mailAgain(services, call)),
    guards.account(
      "DELETE",
      "/invitations/:id",
      "owner",
      async ({ incoming, principal, accountId }) => {
        const id = incoming.params.id ?? "";
        const invitation = await services.memberships.openInvitation(accountId, id);
        if (!(await services.memberships.withdraw(accountId, id))) throw gone();
        await services.audit.write({
          principal,
          accountId,
          action: "invitation.withdraw",
          target: id,
          detail: { email: invitation?.email },
        });
        return Response.json({ id, deleted: true });
      },
    ),
  ];
}
