import type { AuditLog } from "../../../accounts/audit.ts";
import type { PersonalKeys } from "../../../accounts/keys/personal-keys.ts";
import type { DraftBox } from "../../draft-box.ts";
import type { Images } from "../../images/images.ts";
import type { DraftCalls } from "../draft-calls.ts";
import type { DraftService } from "../draft-service.ts";
import type { AskGateway } from "../model-call.ts";

/** What the console's door works with. */
export interface ConsoleDoorServices {
  readonly box: DraftBox;
  readonly draftService: DraftService;
  readonly calls: DraftCalls;
  readonly images: Images;
  readonly gateway: AskGateway;
  readonly personalKeys: Pick<PersonalKeys, "secretOf">;
  readonly audit: AuditLog;
  readonly publishOn: boolean;
  /** Whether the built-in platform has a page for people here. */
  readonly materialOn: boolean;
  readonly limits: { readonly draft_body_bytes_max: number };
  /** The draft of ours that lies in a box under this id. */
  draftOfMedia(publicAccountId: string, mediaId: string): Promise<string | undefined>;
}
