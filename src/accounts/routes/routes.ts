import type { Route } from "../../lib/route.ts";
import type { Guards } from "../guards.ts";
import type { PeopleServices } from "../services.ts";
import { signInRoutes } from "../sign-in/routes.ts";
import { auditRoutes } from "./audit-routes.ts";
import { invitationRoutes } from "./invitation-routes.ts";
import { meRoutes } from "./me-routes.ts";
import { memberRoutes } from "./member-routes.ts";
import { operatorRoutes } from "./operator-routes.ts";

/** Everything about people: how they sign in, where they belong, and what they did. */
export function accountsRoutes(services: PeopleServices, guards: Guards): readonly Route[] {
  return [
    ...signInRoutes(services, guards),
    ...meRoutes(services, guards),
    ...memberRoutes(services, guards),
    ...invitationRoutes(services, guards),
    ...operatorRoutes(services, guards),
    ...auditRoutes(services, guards),
  ];
}
