import type { AccountChanges } from "../../accounts/account.ts";
import type { Accounts } from "../../accounts/accounts.ts";
import type { AuditLog } from "../../accounts/audit.ts";
import type { PersonalKeys } from "../../accounts/keys/personal-keys.ts";
import type { SendMail } from "../../accounts/sign-in/mail.ts";
import type { Catalogue } from "../../catalogue/models.ts";
import type { GateFacts, GateView } from "../../gateway/inner/gate-view.ts";
import type { Installation } from "../../installation/installation.ts";
import type { OperatorRows } from "../../installation/tables/operator.ts";
import type { Verification } from "../../ledger/books.ts";
import type { Clock } from "../../lib/clock.ts";
import type { DiskSpace } from "../../lib/files/disk-space.ts";
import type { Vault } from "../../lib/secrets/vault.ts";
import type { AlertHistory } from "../../notices/tables/alert-history.ts";
import type { Wires } from "../../protocols/wires.ts";
import type { ChannelSettings } from "../../upstream/channels/channel-settings.ts";
import type { Routes } from "../../upstream/routing.ts";
import type { OperatorBooks } from "./store.ts";

/** What operators do to accounts. */
interface AccountKeeping extends Pick<Accounts, "createAccount"> {
  /** False when there is no such account. */
  updateAccount(id: string, changes: AccountChanges): Promise<boolean>;
}

/** How this installation sends mail. */
export interface MailFacts {
  /** Host and port, without the name and password for it. */
  readonly server: string;
  readonly from: string;
  /** Rejects when the mail server has not taken it. */
  readonly send: SendMail;
}

/** What the operator's pages work with. Made once, in compose. */
export interface OperatorServices {
  readonly store: OperatorRows;
  readonly books: OperatorBooks;
  readonly installation: Installation;
  readonly accounts: AccountKeeping;
  readonly audit: AuditLog;
  readonly personalKeys: Pick<PersonalKeys, "idsIn">;
  readonly vault: Vault;
  readonly catalogue: Catalogue;
  readonly routes: Routes;
  readonly wires: Wires;
  readonly gate: Pick<GateView, "health" | "metrics" | "test" | "prove">;
  readonly told: Pick<AlertHistory, "page" | "open" | "outboxTrouble">;
  /** Where the data lies. */
  readonly dataDisk: { readonly folder: string; room(): Promise<DiskSpace | undefined> };
  readonly clock: Clock;
  /** Undefined where nothing can send mail. */
  readonly mail: MailFacts | undefined;
  readonly version: string;
  /** A way to this channel alone, which nobody's requests take. */
  routesTo(channel: ChannelSettings, catalogue: Catalogue): Routes;
  /** How the gate is that relays. What its vendors list is known to `routes` from then on. */
  facts(): Promise<GateFacts>;
  /** How many calls for drafts wait for another one. */
  draftCallsWaiting(): number;
  verify(): Promise<Verification>;
}
