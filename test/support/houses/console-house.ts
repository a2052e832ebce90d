// The routes of the console over a store, for whoever the test lets in.
import { Accounts } from "../../../src/accounts/accounts.ts";
import type { AuditEntry } from "../../../src/accounts/audit.ts";
import { shippedCatalogue } from "../../../src/catalogue/models.ts";
import { consoleRoutes } from "../../../src/console/routes.ts";
import type { ConsoleStore, KeyStore } from "../../../src/console/store.ts";
import type { Route } from "../../../src/lib/route.ts";
import { TaskGroup } from "../../../src/lib/threads/task-group.ts";
import { ask, type Caller, openGuards } from "./open-guards.ts";

interface ConsoleParts {
  readonly store: Partial<ConsoleStore>;
  readonly accounts?: object;
  readonly nowMs?: number;
}

/** What a test does not ask for, it need not bring. */
export function consoleHouse({ store, accounts = {}, nowMs = 0 }: ConsoleParts) {
  const audit: AuditEntry[] = [];
  /** Paths whose connection was not to end while it is silent. */
  const keptOpen: string[] = [];
  /** Keys for which it was asked whether somebody may give them the account to read. */
  const widened: string[] = [];
  const tasks = new TaskGroup((thrown) => {
    throw thrown;
  });
  const catalogue = shippedCatalogue();
  const keys = accounts as ConstructorParameters<typeof Accounts>[0] & KeyStore;
  const services = {
    store: store as ConsoleStore,
    accounts: new Accounts(keys, () => nowMs, 3_000),
    keys,
    rights: {
      ...{ noteMaker: async () => {}, handOver: async () => {}, narrow: async () => {} },
      ...{ forgetMaker: async () => {}, noteSecret: async () => {}, forgetSecret: async () => {} },
      widen: async ({ id }: { readonly id: string }) => void widened.push(id),
    },
    personalKeys: { idsIn: async () => new Set<string>() },
    catalogue,
    models: async () => [...catalogue.all()],
    audit: { write: async (entry: AuditEntry) => void audit.push(entry) },
    tasks,
    clock: () => nowMs,
  };
  const answer = (caller: Caller, method: Route["method"], path: string, body?: unknown) =>
    ask(
      consoleRoutes(services, openGuards(caller)),
      method,
      path,
      body,
      () => void keptOpen.push(path),
    );
  return {
    ...{ audit, tasks, services, keptOpen, widened },
    /** Status and body of a call, as this caller gets them. */
    async call<Body = Record<string, unknown>>(...args: Parameters<typeof answer>) {
      const response = await answer(...args);
      return { status: response.status, body: (await response.json()) as Body };
    },
    text: async (caller: Caller, path: string) => (await answer(caller, "GET", path)).text(),
  };
}
