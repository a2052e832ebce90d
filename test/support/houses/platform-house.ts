// The public-account platform behind real HTTP, on a clock that a test moves.
import { type Limits, readConfig } from "../../../src/config/config.ts";
import type { PlatformProfile } from "../../../src/config/platform.ts";
import type { Sql } from "../../../src/lib/sql/sql.ts";
import type { PublicAccount } from "../../../src/platform/account.ts";
import { ContentThreads } from "../../../src/platform/draftbox/content-threads.ts";
import { Platform } from "../../../src/platform/platform.ts";
import type { Interference } from "../../../src/platform/protocol/protocol.ts";
import { platformRoutes } from "../../../src/platform/routes.ts";
import { openPlatformStore } from "../../../src/platform/tables/open.ts";
import { PLATFORM_TABLES } from "../../../src/platform/tables/versions.ts";
import { type Engine, SQLITE, tablesOn } from "../../store/engines.ts";
import { listen } from "../listening.ts";
import { keptLog } from "../logs.ts";
import { VAULT } from "../vault.ts";
import type { Parts } from "./house.ts";

/** An upload as the draft box sees it, put there by a test. */
interface PlantedMedia {
  readonly appid: string;
  readonly permanent: boolean;
  readonly type: string;
}

/** What an answer of the platform looks like to one who reads only its text. */
export interface WireAnswer {
  readonly status: number;
  readonly type: string;
  /** Exactly what was sent. */
  readonly text: string;
  readonly body: Record<string, unknown> & { readonly errcode?: number; readonly errmsg?: string };
}

interface HouseOptions {
  readonly profile?: PlatformProfile;
  readonly engine?: Engine;
  readonly interfere?: Interference;
  readonly limits?: Partial<Limits>;
}

const START_MS = Date.UTC(2026, 10, 15, 4);

export async function answerOf(response: Response): Promise<WireAnswer> {
  const text = await response.text();
  const type = response.headers.get("content-type") ?? "";
  return { status: response.status, type, text, body: JSON.parse(text) };
}

/** A platform with one account, which has every right, and a cover `THUMB` and images `IMAGE_n`. */
export async function platformHouse(parts: Parts, options: HouseOptions = {}) {
  const { sql, again } = await tablesOn(parts, options.engine ?? SQLITE, PLATFORM_TABLES);
  const world = { nowMs: START_MS };
  const media = new Map<string, PlantedMedia>();
  const { log, lines } = keptLog("error");
  const contents = new ContentThreads({ ...readConfig({}).limits, ...options.limits });
  parts.defer(() => contents.close());
  const start = (on: Sql) => {
    const platform = new Platform({
      store: openPlatformStore(on),
      media: {
        findImage: async (appid, mediaId) => {
          const found = media.get(mediaId);
          return found?.appid === appid ? found : undefined;
        },
      },
      contents,
      vault: VAULT,
      clock: () => world.nowMs,
      log,
      profile: options.profile ?? "doc",
      limits: { ...readConfig({}).limits, ...options.limits },
      ...(options.interfere && { interfere: options.interfere }),
    });
    const routes = platformRoutes(platform, { controlsOn: true, publicUrl: undefined });
    return { platform, url: `${listen(parts, routes, { log })}/platform` };
  };
  const { platform, url } = start(sql);
  const { account, secret } = await platform.accounts.sandbox("acct_tests");
  const { appid } = account;
  const plant = (mediaId: string, changes: Partial<PlantedMedia> = {}) =>
    media.set(mediaId, { appid, permanent: true, type: "image", ...changes });
  plant("THUMB");
  for (let i = 0; i < 25; i++) plant(`IMAGE_${i}`);
  const ask = async (path: string, init: RequestInit = {}) =>
    answerOf(await fetch(`${url}${path}`, init));
  const { token } = await platform.tokens.stable(appid, false);
  return {
    url,
    world,
    platform,
    lines,
    account: account as PublicAccount,
    appid,
    secret,
    token,
    plant,
    ask,
    /** A body as it stands, to a path, with the account's token. */
    post: (path: string, body: string | Uint8Array<ArrayBuffer>, bearer = token) =>
      ask(`${path}?access_token=${bearer}`, { method: "POST", body }),
    get: (path: string, bearer = token) => ask(`${path}?access_token=${bearer}`),
    /** Another process on the same database; its address. */
    another: async () => start(await again()).url,
  };
}

export type PlatformHouse = Awaited<ReturnType<typeof platformHouse>>;
