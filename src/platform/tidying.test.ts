import { expect, spyOn, test } from "bun:test";
import { SQLITE, tablesOn } from "../../test/store/engines.ts";
import { perSuite } from "../../test/support/houses/house.ts";
import { picture } from "../../test/support/samples/pictures.ts";
import { VAULT } from "../../test/support/vault.ts";
import { CallLog } from "./call-log.ts";
import { MediaLibrary } from "./media/media-library.ts";
import { MediaRows } from "./tables/media.ts";
import { openPlatformStore } from "./tables/open.ts";
import { PLATFORM_MEDIA_TABLES, PLATFORM_TABLES } from "./tables/versions.ts";
import { Tokens } from "./tokens.ts";

const START_MS = Date.UTC(2026, 10, 15, 4);
const MINUTE_MS = 60_000;
const YEAR_MS = 365 * 86_400_000;
const APPID = "wx_tidy";

const made = perSuite((parts) => tablesOn(parts, SQLITE, PLATFORM_TABLES, PLATFORM_MEDIA_TABLES));

function tokens() {
  const store = openPlatformStore(made.sql);
  let nowMs = 0;
  const { quotas } = store;
  const all = new Tokens({ store: store.tokens, quotas, vault: VAULT, clock: () => nowMs });
  const use = (atMs: number) => {
    nowMs = atMs;
    return all.issue(APPID);
  };
  return { use, tidied: spyOn(store.tokens, "removeExpired") };
}

function calls() {
  const { calls: store } = openPlatformStore(made.sql);
  const log = new CallLog(store, 100);
  const words = { method: "POST", path: "/p", url: "u", request_body: "", response_body: "" };
  const call = { ...words, appid: APPID, cost_ms: 1, errcode: 0, client_ip: "::1", field: null };
  const use = (at: number) => log.record({ ...call, rid: `r${at}`, at });
  return { use, tidied: spyOn(store, "removeBefore") };
}

function media() {
  const store = new MediaRows(made.sql);
  const library = new MediaLibrary({ store, accountBytesMax: 1024 * 1024 });
  const use = async (atMs: number) => {
    const upload = { fileName: "a.png", bytes: await picture("png") };
    return library.add(APPID, "temporary", "image", upload, atMs);
  };
  return { use, tidied: spyOn(store, "removeExpired") };
}

test.each([
  ["tokens", tokens],
  ["calls", calls],
  ["uploads", media],
])(
  "what has ended of %s is taken away once an hour, also after a clock was set back",
  async (_, open) => {
    const { use, tidied } = open();
    await use(START_MS);
    await use(START_MS + MINUTE_MS);
    expect(tidied).toHaveBeenCalledTimes(1);
    await use(START_MS - YEAR_MS);
    expect(tidied).toHaveBeenCalledTimes(2);
    await use(START_MS - YEAR_MS + MINUTE_MS);
    expect(tidied).toHaveBeenCalledTimes(2);
    await use(START_MS - YEAR_MS + 61 * MINUTE_MS);
    expect(tidied).toHaveBeenCalledTimes(3);
  },
);
