import type { Guards } from "../accounts/guards.ts";
import type { Config } from "../config/config.ts";
import type { Clock } from "../lib/clock.ts";
import type { Route } from "../lib/route.ts";
import { openVault } from "../lib/secrets/vault.ts";
import type { TaskGroup } from "../lib/threads/task-group.ts";
import { controlRoutes } from "../platform/controls/control-routes.ts";
import { Interruptions } from "../platform/controls/interruptions.ts";
import { SandboxClock } from "../platform/controls/sandbox-clock.ts";
import { ContentThreads } from "../platform/draftbox/content-threads.ts";
import { articlePage } from "../platform/draftbox/draft-page.ts";
import { materialEndpoints } from "../platform/media/material-endpoints.ts";
import { mediaEndpoints } from "../platform/media/media-endpoints.ts";
import { MediaLibrary } from "../platform/media/media-library.ts";
import { pictureRoutes } from "../platform/media/picture-routes.ts";
import { Platform } from "../platform/platform.ts";
import { PROFILE_RULES } from "../platform/profile.ts";
import { massSendEndpoints } from "../platform/publishing/mass-send.ts";
import { publishEndpoints } from "../platform/publishing/publish-endpoints.ts";
import { Publishing } from "../platform/publishing/publishing.ts";
import { BASE, platformRoutes, rootRoutes } from "../platform/routes.ts";
import { MediaRows } from "../platform/tables/media.ts";
import { openPlatformStore } from "../platform/tables/open.ts";
import { PublishingRows } from "../platform/tables/publishing.ts";
import { StateRows } from "../platform/tables/state.ts";
import type { Store } from "../store/store.ts";
import type { Log } from "../telemetry/log.ts";

/** The owner of the public account that a new installation has; the operator's account uses it. */
const HOUSE = "house";

export interface PlatformParts {
  readonly config: Config;
  readonly store: Pick<Store, "sql" | "accounts">;
  readonly clock: Clock;
  readonly log: Log;
  readonly tasks: TaskGroup;
}

/** The public-account platform as this process serves it. */
export type OpenPlatform = ReturnType<typeof openPlatform>;

async function ownerOf({ accounts }: PlatformParts["store"], accountId: string | undefined) {
  if (accountId === undefined) return HOUSE;
  return (await accounts.operatorAccount())?.id === accountId ? HOUSE : accountId;
}

/** The pages of articles that are public, by the query of an address. */
function pagesOf(publishing: Publishing) {
  return async (query: URLSearchParams): Promise<Response | undefined> => {
    const [publication, index] = (await publishing.atAddress(query)) ?? [];
    const article = publication?.articles[index ?? 0];
    return article && articlePage(article);
  };
}

function startWork(publishing: Publishing, interruptions: Interruptions): () => void {
  const stopPublishing = publishing.start();
  return () => {
    stopPublishing();
    // Nobody waits for a call that a test has held up.
    interruptions.clear();
  };
}

/** Puts the platform together: the one place that knows all of its parts. */
export function openPlatform(parts: PlatformParts) {
  const { config, store, log, tasks } = parts;
  const { limits, publicUrl } = config;
  const { controls: controlsOn, profile, on } = config.platform;
  const clock = new SandboxClock(parts.clock);
  const interruptions = new Interruptions();
  const library = new MediaLibrary({
    store: new MediaRows(store.sql),
    accountBytesMax: limits.platform_media_bytes_max,
  });
  const contents = new ContentThreads(limits);
  const vault = openVault(config.secret, config.dataDir);
  const platform = new Platform({
    store: openPlatformStore(store.sql),
    ...{ media: library, contents, vault },
    ...{ clock: clock.now, log, profile, limits },
    ...(controlsOn && { interfere: interruptions.interfere }),
  });
  const publishing = new Publishing({
    store: new PublishingRows(store.sql),
    ...{ accounts: platform.accounts, box: platform.box, clock: clock.now, log, tasks, limits },
    loopbackCallbacks: controlsOn,
  });
  const rules = PROFILE_RULES[profile];
  platform.wire.serve([
    ...mediaEndpoints({ library, rules }),
    ...materialEndpoints({ library, rules }),
    ...publishEndpoints({ publishing, media: library }),
    ...massSendEndpoints(publishing),
  ]);
  const controls = () => {
    const state = new StateRows(store.sql, vault);
    return controlRoutes({ platform, publishing, clock, interruptions, state, limits });
  };
  const door = { controlsOn, publicUrl, articlePage: pagesOf(publishing) };
  return {
    platform,
    publishing,
    media: library,
    /** The platform's own time, which test controls may move. */
    clock: clock.now,
    /** Whether a test has set something that ends with the process. */
    remembers: () =>
      clock.offsetMs !== 0 || interruptions.list().length > 0 || publishing.isPlanned,
    /** Ends what is left of its work. */
    stop: () => contents.close(),
    /** The sandbox of an account of the gateway; without one, that of the installation. */
    async sandbox(accountId?: string) {
      const owner = await ownerOf(store, accountId);
      const { account, secret } = await platform.accounts.sandbox(owner);
      return { appid: account.appid, secret };
    },
    /** Everything that is served of it; nothing where it is off. */
    routes(guards: Guards): readonly Route[] {
      if (!on) return [];
      return [
        ...platformRoutes(platform, door),
        ...pictureRoutes(library, BASE),
        ...(controlsOn ? controls().map(guards.operatorOnly) : []),
      ];
    },
    /** Its calls at the root of a server that serves nothing else there. */
    rootRoutes: () => (on ? rootRoutes(platform, door) : []),
    /** Begins what runs beside the requests; returns the way to stop it. */
    start: () => (on ? startWork(publishing, interruptions) : () => {}),
  };
}
