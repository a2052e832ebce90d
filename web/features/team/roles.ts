import type { Role } from "../../../src/accounts/contract/members.ts";

export const ROLES: readonly Role[] = ["owner", "member", "viewer"];
