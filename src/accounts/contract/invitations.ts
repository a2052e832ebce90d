import { get, instant, listOf, post, remove } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { removed, role } from "./members.ts";
import { linkToken } from "./sign-in.ts";

const openInvitation = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    role,
    operator: z.boolean(),
    invited_by: z.string(),
    created_at: instant,
    expires_at: instant,
    mailed: z.boolean().describe("The link was mailed and is not shown."),
  })
  .meta({ id: "OpenInvitation" });

const newInvitation = openInvitation
  .extend({ token_link: z.string().nullable().describe("Null if it was mailed.") })
  .meta({ id: "NewInvitation" });

const invitationLink = z.strictObject({ id: z.string(), token_link: z.string() });

const offer = z
  .strictObject({ account_name: z.string(), role, email: z.string() })
  .meta({ id: "InvitationOffer" });

/** Name and password are there for somebody new, and not for somebody who is signed in. */
const acceptance = z.strictObject({
  token: linkToken,
  name: z.string().trim().min(1, "Write a name.").max(100).optional(),
  password: z.string().optional(),
});

export type OpenInvitation = z.output<typeof openInvitation>;
export type NewInvitation = z.output<typeof newInvitation>;
export type InvitationLink = z.output<typeof invitationLink>;
export type InvitationOffer = z.output<typeof offer>;
export type Acceptance = z.output<typeof acceptance>;

const INVITATIONS = "/api/accounts/:account/invitations";
const INVITATION = `${INVITATIONS}/:id`;

export const LIST_INVITATIONS = get(INVITATIONS, "Lists open invitations.", {
  answer: listOf(openInvitation),
});
export const INVITE = post(INVITATIONS, "Invites a person, by mail or by a link to hand over.", {
  body: z.strictObject({
    email: z.email("Write an e-mail address.").max(254),
    role,
    operator: z.boolean().default(false),
  }),
  example: { email: "grace@example.com", role: "member" },
  answer: newInvitation,
});
export const WITHDRAW_INVITATION = remove(
  INVITATION,
  "Withdraws an invitation and ends its link.",
  { answer: removed },
);
/** A change and not a look: it gives away what the invitation gives. */
export const TELL_LINK = post(
  `${INVITATION}/link`,
  "Shows the link of an invitation again, unless it was mailed.",
  { answer: invitationLink },
);
export const MAIL_AGAIN = post(`${INVITATION}/mail`, "Mails an invitation again.", {
  answer: openInvitation,
});
export const OPEN_INVITATION = post("/api/invitations/open", "Shows what an invitation gives.", {
  body: z.strictObject({ token: linkToken }),
  example: { token: "from-the-link" },
  answer: offer,
});
export const ACCEPT_INVITATION = post(
  "/api/invitations/accept",
  "Joins by an invitation, signed in or as a new person.",
  {
    body: acceptance,
    example: { token: "from-the-link", name: "Grace", password: "correct horse battery staple" },
    answer: z.strictObject({ account_id: z.string(), role }),
  },
);
