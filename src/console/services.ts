import type { Accounts } from "../accounts/accounts.ts";
import type { AuditLog } from "../accounts/audit.ts";
import type { KeyRights } from "../accounts/keys/key-rights.ts";
import type { PersonalKeys } from "../accounts/keys/personal-keys.ts";
import type { Catalogue, Model } from "../catalogue/models.ts";
import type { Clock } from "../lib/clock.ts";
import type { TaskGroup } from "../lib/threads/task-group.ts";
import type { ConsoleStore, KeyStore } from "./store.ts";

/** What the pages of an account work with. Made once, in compose. */
export interface ConsoleServices {
  readonly store: ConsoleStore;
  readonly accounts: Accounts;
  readonly keys: KeyStore;
  readonly rights: Pick<
    KeyRights,
    "noteMaker" | "forgetMaker" | "noteSecret" | "forgetSecret" | "widen" | "handOver" | "narrow"
  >;
  /** Keys that the lists and counts of keys leave out. */
  readonly personalKeys: Pick<PersonalKeys, "idsIn">;
  readonly catalogue: Catalogue;
  /** The models that can be called now, in the catalogue's order. */
  readonly models: () => Promise<readonly Model[]>;
  readonly audit: AuditLog;
  readonly tasks: Pick<TaskGroup, "run">;
  readonly clock: Clock;
}
