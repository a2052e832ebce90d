import type { AuditLog } from "../accounts/audit.ts";
import { type Clock, every as everyOfClock, steadyClock } from "../lib/clock.ts";
import { Fault } from "../lib/faults.ts";
import type { Log } from "../telemetry/log.ts";
import type { Workshop } from "./article/workshop.ts";
import type { PublicAccount } from "./draft.ts";
import { clientFor as openClient } from "./platform-api/platform-client.ts";
import { type PlatformFetch, PlatformHttp } from "./platform-api/platform-http.ts";
import { Tokens } from "./platform-api/tokens.ts";
import { type PublicAccountParts, PublicAccounts } from "./public-accounts.ts";
import type { Every, WaitingCalls } from "./push/leases.ts";
import { Reconciler } from "./push/reconciler.ts";
import type { DraftBoxStore } from "./tables/open.ts";

export interface DraftServiceParts extends Omit<PublicAccountParts, "store" | "grants"> {
  readonly store: DraftBoxStore;
  readonly workshop: Workshop;
  /** Calls the platform; what is private is refused, but for calls that say they are to the built-in one. */
  readonly fetch: PlatformFetch;
  /** The proxy that the operator has set for a platform, by which accounts without one are called. */
  readonly usualProxy?: (platformUrl: string) => string | undefined;
  /** Where the built-in platform listens; undefined where it is off. */
  readonly builtInUrl: () => string | undefined;
  /** Where people see the built-in platform, if that is not where it is called. */
  readonly builtInPublicUrl?: string | undefined;
  readonly publishOn: boolean;
  readonly limits: {
    readonly draft_call_ms: number;
    readonly draft_upload_ms: number;
    readonly draft_answer_bytes_max: number;
    readonly draft_busy_wait_ms: number;
    readonly draft_chars_max: number;
    readonly draft_pictures_bytes_max: number;
    readonly draft_look_ms: number;
    readonly idempotency_keep_ms: number;
  };
  /** By the clock that all processes share, for what one of them takes for a while. */
  readonly sharedTime: () => Promise<number>;
  readonly sleep: (ms: number) => Promise<void>;
  /** For how long somebody waits or believes what was seen; the process's own where absent. */
  readonly steady?: Clock;
  readonly waiting?: WaitingCalls;
  /** The clock's own where absent. */
  readonly every?: Every;
  readonly log: Log;
  /** Is told what was done to a box. */
  readonly audit: AuditLog;
}

/** What the code that works on drafts depends on. */
export type Dependencies = ReturnType<typeof createDependencies>;

function clientsOf(parts: DraftServiceParts) {
  const { vault, limits, clock, steady = steadyClock, sleep, store, fetch } = parts;
  const { builtInUrl, builtInPublicUrl } = parts;
  const wire = new PlatformHttp(fetch, limits, clock);
  const tokens = new Tokens({
    ...{ wire, vault, clock, steady, sleep, callMs: limits.draft_call_ms },
    store: store.tokens,
    grants: store.grants,
  });
  return (account: PublicAccount) => {
    const client = openClient({ wire, tokens, vault, builtInUrl, builtInPublicUrl }, account);
    if (client) return client;
    throw new Fault("upstream_unavailable", "The built-in platform is switched off.");
  };
}

export function createDependencies(parts: DraftServiceParts) {
  const { store, steady = steadyClock } = parts;
  const clientFor = clientsOf(parts);
  const publicAccounts = new PublicAccounts({
    ...parts,
    store: store.publicAccounts,
    grants: store.grants,
  });
  const reconciler = new Reconciler({ ...parts, steady, publicAccounts, clientFor });
  return {
    ...{ every: everyOfClock, steady: steadyClock, waiting: { draftCallsWaiting: 0 } },
    ...{ ...parts, publicAccounts, clientFor, reconciler, charsMax: parts.limits.draft_chars_max },
  };
}
