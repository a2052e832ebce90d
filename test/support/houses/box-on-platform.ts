// Drafts as the office has them, calling a served platform over real HTTP.
import { readConfig } from "../../../src/config/config.ts";
import { openDraftService } from "../../../src/drafts/draft-service.ts";
import { openImages } from "../../../src/drafts/images/images.ts";
import { openRenderPool } from "../../../src/drafts/render-pool/render-pool.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { safeFetch } from "../../../src/lib/net/safe-fetch.ts";
import { keptLog } from "../logs.ts";
import { VAULT } from "../vault.ts";
import { draftStores } from "./draft-house.ts";
import type { Parts } from "./house.ts";
import type { ServedAccount } from "./served-platform.ts";

/** Everything that takes seconds takes so many times less here, on both sides. */
const HASTE = 30;
/** For which the service waits for a call of the platform. */
export const CALL_MS = 1_000;

interface PlatformAddress {
  readonly url: string;
  readonly account: Pick<ServedAccount, "appid" | "secret">;
  /** Where people see the platform, if that is somewhere else. */
  readonly publicUrl?: string;
}

export async function boxOnPlatform(parts: Parts, { url, account, publicUrl }: PlatformAddress) {
  const { sql, store } = await draftStores(parts);
  const { log, lines } = keptLog();
  const { limits } = readConfig({});
  const isExempt = (called: URL) => called.origin === new URL(url).origin;
  const imagesFor = openImages(limits, { allowPrivate: false });
  const renderPool = openRenderPool(limits);
  parts.defer(() => renderPool.close());
  const { appid, secret } = account;
  const draftService = openDraftService({
    store,
    vault: VAULT,
    workshop: { imagesFor, rendererFor: renderPool.rendererFor },
    fetch: (address, call) =>
      safeFetch(address, { allowPrivate: false, ...(call.isBuiltIn && { isExempt }) }, call),
    openSandbox: async () => ({ appid, secret }),
    builtInUrl: () => url,
    builtInPublicUrl: publicUrl,
    platformUrl: null,
    publishOn: true,
    limits: { ...limits, draft_call_ms: CALL_MS, draft_upload_ms: 4 * CALL_MS },
    clock: systemClock,
    sharedTime: async () => systemClock(),
    sleep: (ms) => Bun.sleep(ms / HASTE),
    log,
    audit: { write: async () => {} },
  });
  return { draftService, sql, lines };
}
