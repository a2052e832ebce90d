import type { AuditLog } from "../../accounts/audit.ts";
import type { KeyFinder } from "../../accounts/authenticate.ts";
import type { KeyRights } from "../../accounts/keys/key-rights.ts";
import type { PersonalKeys } from "../../accounts/keys/personal-keys.ts";
import type { CallModels } from "../../gateway/inner/model-calls.ts";
import type { Clock } from "../../lib/clock.ts";
import type { TaskGroup } from "../../lib/threads/task-group.ts";
import type { ImagesFor } from "../images/images.ts";
import type { DraftServices } from "./client.ts";
import type { DraftCalls } from "./draft-calls.ts";
import type { FormLimits } from "./read-form.ts";

/** What every door works with. */
interface SharedServices extends DraftServices {
  readonly calls: DraftCalls;
  readonly call: CallModels;
  readonly audit: AuditLog;
  readonly limits: FormLimits;
}

/** What the doors for keys work with. */
export interface DoorServices extends SharedServices {
  readonly accounts: KeyFinder;
  readonly rights: Pick<KeyRights, "roleOf" | "principalOf">;
  readonly clock: Clock;
  readonly tasks: TaskGroup;
  readonly version: string;
}

/** What the console's door works with. */
export interface ConsoleDoorServices extends SharedServices {
  readonly imagesFor: ImagesFor;
  readonly personalKeys: Pick<PersonalKeys, "secretOf">;
  /** Whether the built-in platform has a page for people here. */
  readonly materialOn: boolean;
}
