import type { AuditLog } from "../accounts/audit.ts";
import type { Guards } from "../accounts/guards.ts";
import type { KeyRights } from "../accounts/keys/key-rights.ts";
import type { PersonalKeys } from "../accounts/keys/personal-keys.ts";
import type { Config } from "../config/config.ts";
import { draftsConsoleRoutes } from "../drafts/api/console/routes.ts";
import { DraftCalls } from "../drafts/api/draft-calls.ts";
import { draftKeyRoutes } from "../drafts/api/http-routes.ts";
import { mcpRoute } from "../drafts/api/mcp/route.ts";
import { type DraftService, openDraftService } from "../drafts/draft-service.ts";
import { type ImagesFor, openImages } from "../drafts/images/images.ts";
import type { WaitingCalls } from "../drafts/push/leases.ts";
import { openRenderPool, type RenderPool } from "../drafts/render-pool/render-pool.ts";
import { openDraftBoxStore } from "../drafts/tables/open.ts";
import type { CallModels } from "../gateway/inner/model-calls.ts";
import { type Clock, every } from "../lib/clock.ts";
import { type ProxyChoice, proxiedFetch } from "../lib/net/proxied-fetch.ts";
import { proxyFor } from "../lib/net/proxies.ts";
import { type AddressFilter, safeFetch } from "../lib/net/safe-fetch.ts";
import { openVault, type Vault } from "../lib/secrets/vault.ts";
import type { TaskGroup } from "../lib/threads/task-group.ts";
import { isPicturePath } from "../platform/media/picture-routes.ts";
import { BASE } from "../platform/routes.ts";
import type { Store } from "../store/store.ts";
import type { Log } from "../telemetry/log.ts";
import { ownOrigin } from "./own-origin.ts";

/** How often pushes that a process left undone are taken up. */
const RECOVER_MS = 60_000;
/** The real platform has several addresses below this one. */
const REAL_HOSTS = ".weixin.qq.com";

interface DraftParts {
  readonly config: Config;
  readonly store: Pick<Store, "accounts" | "sql">;
  readonly clock: Clock;
  readonly log: Log;
  readonly tasks: TaskGroup;
  readonly version: string;
  /** Where calls that wait for another one are counted. */
  readonly waiting: WaitingCalls;
  /** By which articles are written. */
  readonly call: CallModels;
  readonly guards: Guards;
  readonly audit: AuditLog;
  readonly rights: KeyRights;
  readonly personalKeys: PersonalKeys;
  /** The built-in platform's account of a Faregate account. */
  sandbox(accountId: string): Promise<{ readonly appid: string; readonly secret: string }>;
  /** The port that is listened on, once it is known. */
  port(): number;
}

/**
 * Addresses that others have written are guarded. Ours is exempt where nobody has written it, and below our
 * platform, which trusts everybody alike: all else of the gateway trusts this machine more than it
 * trusts them.
 */
function filtersOf(parts: DraftParts) {
  const { config } = parts;
  const allowPrivate = config.drafts.privateNetworks;
  const isOurs = ({ origin }: URL) => origin === ownOrigin(config, parts.port());
  const isOurPlatform = (url: URL) =>
    config.platform.on && isOurs(url) && url.pathname.startsWith(`${BASE}/`);
  const isOurPicture = (url: URL) => isOurPlatform(url) && isPicturePath(url.pathname, BASE);
  return {
    written: { allowPrivate, isExempt: isOurPlatform },
    builtIn: { allowPrivate, isExempt: isOurs },
    pictures: { allowPrivate, isExempt: isOurPicture },
  } satisfies Record<string, AddressFilter>;
}

/**
 * The public account's own proxy, or that of the environment. The latter stands inside of the operator's
 * network, so nobody else's address is called by it: not even by its name, which only the proxy looks
 * up.
 */
function proxyOf(
  parts: DraftParts,
  address: string,
  own: string | undefined,
): ProxyChoice | undefined {
  const { origin, protocol, hostname } = new URL(address);
  if (own !== undefined) return { url: own, isOperators: false };
  const { platformUrl, proxies } = parts.config.drafts;
  const isReal = protocol === "https:" && hostname.endsWith(REAL_HOSTS);
  const isOperators = platformUrl !== null && origin === new URL(platformUrl).origin;
  const url = isReal || isOperators ? proxyFor(address, proxies) : undefined;
  return url === undefined ? undefined : { url, isOperators: true };
}

interface Shop {
  readonly vault: Vault;
  readonly imagesFor: ImagesFor;
  readonly renderPool: RenderPool;
  readonly guards: ReturnType<typeof filtersOf>;
}

function openBox(parts: DraftParts, { vault, imagesFor, renderPool, guards }: Shop): DraftService {
  const { config, store, clock, log, waiting, audit } = parts;
  const { limits } = config;
  const { on } = config.platform;
  return openDraftService({
    ...{ vault, limits, clock, log, waiting, audit },
    store: openDraftBoxStore(store.sql),
    sharedTime: () => store.sql.nowMs(),
    workshop: { imagesFor, rendererFor: renderPool.rendererFor },
    fetch(address, call) {
      if (call.isBuiltIn) return safeFetch(address, guards.builtIn, call);
      const proxy = proxyOf(parts, address, call.proxy);
      const guard = guards.written;
      return proxy ? proxiedFetch(address, proxy, guard, call) : safeFetch(address, guard, call);
    },
    usualProxy: (platformUrl) => proxyOf(parts, platformUrl, undefined)?.url,
    openSandbox: on ? (accountId) => parts.sandbox(accountId) : undefined,
    builtInUrl: () => (on ? `${ownOrigin(parts.config, parts.port())}${BASE}` : undefined),
    builtInPublicUrl: on && config.publicUrl ? `${config.publicUrl}${BASE}` : undefined,
    platformUrl: config.drafts.platformUrl,
    publishOn: config.drafts.publish,
    sleep: (ms) => Bun.sleep((ms * limits.draft_pace_percent) / 100),
  });
}

/** Drafts: the service, and its doors for keys, agents and people. */
export function openDrafts(parts: DraftParts) {
  const { config, store, clock, log, tasks, version, call, guards, audit, rights } = parts;
  const { limits } = config;
  const vault = openVault(config.secret, config.dataDir);
  const addresses = filtersOf(parts);
  const imagesFor = openImages(limits, addresses.pictures);
  const renderPool = openRenderPool(limits);
  const draftService = openBox(parts, { vault, imagesFor, renderPool, guards: addresses });
  const publishOn = config.drafts.publish;
  const calls = new DraftCalls(limits, clock);
  const keyed = {
    ...{ draftService, calls, call, clock, tasks, limits, log },
    ...{ publishOn, version, rights, audit },
    accounts: store.accounts,
  };
  return {
    routes: [
      ...draftKeyRoutes(keyed),
      mcpRoute(keyed),
      ...draftsConsoleRoutes(
        {
          ...{ draftService, calls, imagesFor, call, audit, publishOn, limits },
          personalKeys: parts.personalKeys,
          materialOn: config.platform.on && config.platform.controls,
        },
        guards,
      ),
    ],
    /** Begins what runs beside the requests; returns the way to stop it. */
    start() {
      tasks.run(draftService.recover());
      return every(RECOVER_MS, () => tasks.run(draftService.recover()));
    },
    stop: () => renderPool.close(),
  };
}
