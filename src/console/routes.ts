import type { Guards } from "../accounts/guards.ts";
import type { Route } from "../lib/route.ts";
import { accountRoutes } from "./account-routes.ts";
import { keyRoutes } from "./keys/key-routes.ts";
import { requestRoutes } from "./request-routes.ts";
import type { ConsoleServices } from "./services.ts";
import { exportRoutes } from "./usage/export-routes.ts";
import { usageRoutes } from "./usage/usage-routes.ts";

/** The pages of an account: what it has, its keys, what they used and what each request cost. */
export function consoleRoutes(services: ConsoleServices, guards: Guards): readonly Route[] {
  return [
    ...accountRoutes(services, guards),
    ...keyRoutes(services, guards),
    ...usageRoutes(services, guards),
    ...requestRoutes(services, guards),
    ...exportRoutes(services, guards),
  ];
}
