import type { AuditLog } from "../../accounts/audit.ts";
import type { KeyFinder } from "../../accounts/authenticate.ts";
import type { KeyRights } from "../../accounts/keys/key-rights.ts";
import type { Clock } from "../../lib/clock.ts";
import type { TaskGroup } from "../../lib/threads/task-group.ts";
import type { DraftServices } from "./client.ts";
import type { DraftCalls } from "./draft-calls.ts";
import type { AskGateway } from "./model-call.ts";

/** What the doors for keys work with. */
export interface DoorServices extends DraftServices {
  readonly calls: DraftCalls;
  readonly gateway: AskGateway;
  readonly accounts: KeyFinder;
  readonly rights: Pick<KeyRights, "roleOf" | "principalOf">;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly tasks: TaskGroup;
  readonly limits: { readonly draft_body_bytes_max: number };
  readonly version: string;
}
