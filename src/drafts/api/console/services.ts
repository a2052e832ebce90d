import type { AuditLog } from "../../../accounts/audit.ts";
import type { PersonalKeys } from "../../../accounts/keys/personal-keys.ts";
import type { Images } from "../../images/images.ts";
import type { DraftServices } from "../client.ts";
import type { DraftCalls } from "../draft-calls.ts";
import type { AskGateway } from "../model-call.ts";

/** What the console's door works with. */
export interface ConsoleDoorServices extends DraftServices {
  readonly calls: DraftCalls;
  readonly images: Images;
  readonly gateway: AskGateway;
  readonly personalKeys: Pick<PersonalKeys, "secretOf">;
  readonly audit: AuditLog;
  /** Whether the built-in platform has a page for people here. */
  readonly materialOn: boolean;
  readonly limits: { readonly draft_body_bytes_max: number };
  /** The draft of ours that lies in a box under this id. */
  draftOfMedia(publicAccountId: string, mediaId: string): Promise<string | undefined>;
}
