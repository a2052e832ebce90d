import type { PlatformProfile } from "../config/platform.ts";
import type { Clock } from "../lib/clock.ts";
import type { Vault } from "../lib/secrets/vault.ts";
import type { Log } from "../telemetry/log.ts";
import { accountEndpoints } from "./account-endpoints.ts";
import { Accounts } from "./accounts.ts";
import { CallLog } from "./call-log.ts";
import { componentEndpoints } from "./component-endpoints.ts";
import type { ContentThreads } from "./draftbox/content-threads.ts";
import { DraftBox } from "./draftbox/draft-box.ts";
import { draftEndpoints } from "./draftbox/draft-endpoints.ts";
import type { Media } from "./image-lookup.ts";
import { productEndpoints } from "./products.ts";
import { PROFILE_RULES } from "./profile.ts";
import { type Interference, Protocol } from "./protocol/protocol.ts";
import type { PlatformStore } from "./tables/open.ts";
import type { Quotas } from "./tables/quotas.ts";
import { tokenEndpoints } from "./token-endpoints.ts";
import { Tokens } from "./tokens.ts";

interface PlatformParts {
  readonly store: PlatformStore;
  readonly media: Media;
  readonly contents: ContentThreads;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly log: Log;
  readonly profile: PlatformProfile;
  readonly limits: {
    readonly platform_body_bytes_max: number;
    readonly upload_ms: number;
    readonly platform_draft_chars_max: number;
    readonly platform_calls_max: number;
  };
  /** Only with test controls. */
  readonly interfere?: Interference;
}

/** The platform as a service: what its wire, its page and its commands do. */
export class Platform {
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly quotas: Quotas;
  readonly calls: CallLog;
  readonly box: DraftBox;
  readonly wire: Protocol;

  constructor(parts: PlatformParts) {
    const { store, media, contents, vault, clock, log, limits } = parts;
    const rules = PROFILE_RULES[parts.profile];
    this.accounts = new Accounts({ store: store.accounts, vault, clock });
    this.quotas = store.quotas;
    this.tokens = new Tokens({ store: store.tokens, quotas: this.quotas, vault, clock });
    this.calls = new CallLog(store.calls, limits.platform_calls_max);
    this.box = new DraftBox(store.drafts, limits.platform_draft_chars_max);
    const { accounts, tokens, quotas, calls, box } = this;
    this.wire = new Protocol({
      accounts,
      tokens,
      quotas,
      calls,
      rules,
      clock,
      log,
      bodyBytesMax: limits.platform_body_bytes_max,
      bodyMs: limits.upload_ms,
      interfere: parts.interfere,
    });
    this.wire.serve(tokenEndpoints({ accounts, tokens, quotas }));
    this.wire.serve(componentEndpoints({ accounts, tokens }));
    this.wire.serve(draftEndpoints({ box, media, contents, products: store.products, rules }));
    this.wire.serve(productEndpoints(store.products));
    const endpointAt = (path: string) => this.wire.endpointAt(path);
    this.wire.serve(accountEndpoints({ quotas, calls, endpointAt }));
  }
}
