import { get, instant, listOf, patch, remove } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { ROLES } from "../guards.ts";

export const role = z.enum(ROLES);

/** The answer where something is not there any more. */
export const removed = z
  .strictObject({ id: z.string(), deleted: z.literal(true) })
  .meta({ id: "Removed" });

const member = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    role,
    operator: z.boolean().describe("Runs this installation."),
    two_factor: z.boolean(),
    joined_at: instant,
  })
  .meta({ id: "Member" });

export type Role = z.output<typeof role>;
export type Member = z.output<typeof member>;

const MEMBERS = "/api/accounts/:account/members";

export const LIST_MEMBERS = get(MEMBERS, "Lists members.", {
  answer: listOf(member),
});
export const CHANGE_MEMBER = patch(
  `${MEMBERS}/:id`,
  "Changes the role of a member, or makes one an operator.",
  {
    body: z.strictObject({ role: role.optional(), operator: z.boolean().optional() }),
    example: { role: "viewer" },
    answer: member,
  },
);
export const REMOVE_MEMBER = remove(
  `${MEMBERS}/:id`,
  "Removes a member; everybody may remove themselves.",
  {
    answer: removed,
  },
);
