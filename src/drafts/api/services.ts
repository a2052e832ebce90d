import type { AuditLog } from "../../accounts/audit.ts";
import type { KeyFinder } from "../../accounts/authenticate.ts";
import type { KeyRights } from "../../accounts/keys/key-rights.ts";
import type { Clock } from "../../lib/clock.ts";
import type { TaskGroup } from "../../lib/threads/task-group.ts";
import type { DraftBox } from "../draft-box.ts";
import type { DraftCalls } from "./draft-calls.ts";
import type { DraftService } from "./draft-service.ts";
import type { AskGateway } from "./model-call.ts";

/** What the doors for keys work with. */
export interface DoorServices {
  readonly box: DraftBox;
  readonly draftService: DraftService;
  readonly calls: DraftCalls;
  readonly gateway: AskGateway;
  readonly accounts: KeyFinder;
  readonly rights: Pick<KeyRights, "roleOf" | "principalOf">;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly tasks: TaskGroup;
  readonly publishOn: boolean;
  readonly limits: { readonly draft_body_bytes_max: number };
  readonly version: string;
}
