// The public-account platform behind real HTTP, on a clock that a test moves.
import { readConfig } from "../../src/config.ts";
import type { PlatformProfile } from "../../src/config-platform.ts";
import { HttpServer } from "../../src/http/server.ts";
import { createVault } from "../../src/lib/vault.ts";
import type { PublicAccount } from "../../src/platform/account.ts";
import { Platform } from "../../src/platform/platform.ts";
import { platformRoutes } from "../../src/platform/routes.ts";
import type { Interference } from "../../src/platform/wire.ts";
import { openPlatformStore } from "../../src/store/console/platform.ts";
import { PLATFORM_TABLES } from "../../src/store/console/platform-tables.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { type ConsoleDatabase, consoleDatabases } from "../store/console.ts";

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
  readonly database?: ConsoleDatabase;
  readonly interfere?: Interference;
  readonly bodyBytesMax?: number;
  readonly draftCharsMax?: number;
  readonly callsMax?: number;
}

const START_MS = Date.UTC(2026, 10, 15, 4);

export async function answerOf(response: Response): Promise<WireAnswer> {
  const text = await response.text();
  const type = response.headers.get("content-type") ?? "";
  return { status: response.status, type, text, body: JSON.parse(text) };
}

/** A platform with one account, which has every right, and a cover `THUMB` and images `IMAGE_n`. */
export async function platformHouse(options: HouseOptions = {}) {
  const database = options.database ?? consoleDatabases()[0];
  if (database === undefined) throw new Error("there is no database to test on");
  const opened = await database.open(PLATFORM_TABLES);
  const world = { nowMs: START_MS };
  const media = new Map<string, PlantedMedia>();
  const lines: string[] = [];
  const vault = createVault("a secret of the tests, of some length");
  const start = async (again: boolean) =>
    new Platform({
      store: openPlatformStore(again ? await opened.again() : opened.sql),
      media: {
        findImage: async (appid, mediaId) => {
          const found = media.get(mediaId);
          return found?.appid === appid ? found : undefined;
        },
      },
      vault,
      clock: () => world.nowMs,
      log: createLog("error", (line) => lines.push(line)),
      profile: options.profile ?? "doc",
      limits: {
        platform_body_bytes_max: options.bodyBytesMax ?? 16 * 1024 * 1024,
        platform_draft_chars_max: options.draftCharsMax ?? 256 * 1024 * 1024,
        platform_calls_max: options.callsMax ?? 5_000,
      },
      ...(options.interfere && { interfere: options.interfere }),
    });
  const platform = await start(false);
  const config = readConfig({ FAREGATE_PORT: "0" });
  const serve = (served: Platform) =>
    new HttpServer({
      config,
      log: createLog("error", (line) => lines.push(line)),
      routes: platformRoutes(served, {
        controlsOn: true,
        publicUrl: undefined,
      }),
      sockets: [],
      ready: async () => {},
    });
  const servers = [serve(platform)];
  const base = (server: HttpServer | undefined) => `http://127.0.0.1:${server?.port}/platform`;
  const url = base(servers[0]);
  const { account, secret } = await platform.sandboxAccount("acct_tests");
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
    async another(): Promise<string> {
      const server = serve(await start(true));
      servers.push(server);
      return base(server);
    },
    async close() {
      for (const server of servers) await server.stop();
      await opened.close();
    },
  };
}

export type PlatformHouse = Awaited<ReturnType<typeof platformHouse>>;
