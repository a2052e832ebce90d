// The routes of the console over a store, for whoever the test lets in.
import { Accounts } from "../../src/accounts/accounts.ts";
import type { AuditEntry } from "../../src/accounts/audit.ts";
import { type Catalogue, shippedCatalogue } from "../../src/catalogue/models.ts";
import { consoleRoutes } from "../../src/console/routes.ts";
import type { ConsoleStore, KeyStore } from "../../src/console/store.ts";
import type { Route } from "../../src/lib/route.ts";
import { ask, type Caller, openDoors } from "./open-doors.ts";

interface House {
  readonly store: ConsoleStore;
  readonly accounts: ConstructorParameters<typeof Accounts>[0] & KeyStore;
  readonly nowMs: number;
  readonly catalogue?: Catalogue;
}

export interface ConsoleHouse {
  readonly audit: readonly AuditEntry[];
  /** Status and body of a call, as this caller gets them. */
  call<Body = Record<string, unknown>>(
    caller: Caller,
    method: Route["method"],
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Body }>;
  text(caller: Caller, path: string): Promise<string>;
}

export function consoleHouse({ store, accounts, nowMs, catalogue }: House): ConsoleHouse {
  const audit: AuditEntry[] = [];
  const known = catalogue ?? shippedCatalogue();
  const services = {
    store,
    accounts: new Accounts(accounts, () => nowMs, 3_000),
    keys: accounts,
    catalogue: known,
    models: () => [...known.all()],
    audit: { write: async (entry: AuditEntry) => void audit.push(entry) },
    clock: () => nowMs,
  };
  const routesOf = (caller: Caller) => consoleRoutes(services, openDoors(caller));
  return {
    audit,
    async call<Body>(caller: Caller, method: Route["method"], path: string, body?: unknown) {
      const response = await ask(routesOf(caller), method, path, body);
      return { status: response.status, body: (await response.json()) as Body };
    },
    async text(caller, path) {
      return (await ask(routesOf(caller), "GET", path)).text();
    },
  };
}
