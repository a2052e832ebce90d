import type { NanoUsd } from "../catalogue/money.ts";
import type { Log } from "../telemetry/log.ts";
import type { KeyRights } from "./keys/key-rights.ts";
import type { InvitationLimit } from "./people/invitation-limit.ts";
import type { Memberships } from "./people/members.ts";
import type { OperatorLinks } from "./people/operator-links.ts";
import type { OperatorTokens } from "./people/operator-tokens.ts";
import type { SendMail } from "./sign-in/mail.ts";
import type { SignIn } from "./sign-in/sign-in.ts";
import type { SignUp } from "./sign-in/sign-up.ts";
import type { AccountsStore } from "./store.ts";
import type { AuditTable } from "./tables/audit.ts";
import type { PreferencesTable } from "./tables/preferences.ts";

/** Facts of the installation that pages show and other rooms know. */
interface HouseFacts {
  readonly displayCurrency: { readonly code: string; readonly rate: string } | null;
  readonly testPayment: boolean;
}

/** What the pages about people and access work with. */
export interface PeopleServices {
  readonly signIn: SignIn;
  readonly signUp: SignUp;
  readonly memberships: Memberships;
  readonly keyRights: KeyRights;
  readonly tokens: OperatorTokens;
  readonly links: OperatorLinks;
  readonly audit: AuditTable;
  readonly preferences: PreferencesTable;
  readonly accounts: Pick<AccountsStore, "findAccount" | "operatorAccount" | "updateAccount">;
  /** Left out where nothing can send mail: an invitation is then handed over as a link. */
  readonly sendMail?: SendMail | undefined;
  readonly invitations: InvitationLimit;
  readonly log: Log;
  /** What is left on an account, of which the ledger knows. */
  balanceOf(accountId: string): Promise<NanoUsd>;
  /** What accounts and keys are called, of those that there are, by their ids. */
  namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  facts(): Promise<HouseFacts>;
}
