import type { Doors } from "../accounts/doors.ts";
import type { Route } from "../lib/route.ts";
import { accountRoutes } from "./account-routes.ts";
import { exportRoutes } from "./export-routes.ts";
import { keyRoutes } from "./key-routes.ts";
import { requestRoutes } from "./request-routes.ts";
import type { ConsoleServices } from "./services.ts";
import { usageRoutes } from "./usage-routes.ts";

/** The pages of an account: what it has, its keys, what they used and what each request cost. */
export function consoleRoutes(services: ConsoleServices, doors: Doors): readonly Route[] {
  return [
    ...accountRoutes(services, doors),
    ...keyRoutes(services, doors),
    ...usageRoutes(services, doors),
    ...requestRoutes(services, doors),
    ...exportRoutes(services, doors),
  ];
}
