import type { Route } from "../lib/route.ts";
import { auditRoutes } from "./audit-routes.ts";
import type { Doors } from "./doors.ts";
import { invitationRoutes } from "./invitation-routes.ts";
import { meRoutes } from "./me-routes.ts";
import { memberRoutes } from "./member-routes.ts";
import { operatorRoutes } from "./operator-routes.ts";
import type { PeopleServices } from "./services.ts";
import { signInRoutes } from "./sign-in/routes.ts";

/** Everything about people: how they sign in, where they belong, and what they did. */
export function accountsRoutes(services: PeopleServices, doors: Doors): readonly Route[] {
  return [
    ...signInRoutes(services),
    ...meRoutes(services, doors),
    ...memberRoutes(services, doors),
    ...invitationRoutes(services, doors),
    ...operatorRoutes(services, doors),
    ...auditRoutes(services, doors),
  ];
}
